import { valueAt } from "../../lib/table.ts";
import { EngineNameSchema } from "../schema.ts";
import { finding, type Finding } from "./problem.ts";

/** Each engine is named once, and the command is of an engine. What is misspelt may be any engine. */
export function proveConnection(data: unknown): Finding[] {
  const first = valueAt(data, "connection", "engine");
  const fallback = valueAt(data, "connection", "fallback") ?? [];
  const named = [first, ...(Array.isArray(fallback) ? fallback : [undefined])];
  const engines = named.flatMap((name) => EngineNameSchema.safeParse(name).data ?? []);
  const areAllKnown = engines.length === named.length;
  const hasCommand = valueAt(data, "connection", "command") !== undefined;
  const found: Finding[] = [];
  if (engines.includes("command") && !hasCommand) {
    found.push(finding("connection", ["connection"], "the engine 'command' needs a 'command'"));
  }
  if (areAllKnown && !engines.includes("command") && hasCommand) {
    found.push(
      finding("connection", ["connection", "command"], "no engine of the definition is 'command', so it is never run"),
    );
  }
  if (new Set(engines).size < engines.length) {
    found.push(finding("connection", ["connection", "fallback"], "an engine is named twice"));
  }
  return found;
}
