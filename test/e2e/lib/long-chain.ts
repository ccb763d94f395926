import { makeText } from "../../delivery/play.ts";
import type { ClientRun } from "./run-with-model.ts";
import { lastSeen } from "./seen.ts";

/** As much as the longest chain of instruction files that was seen in a public repository. */
export const LONG = makeText("AGENTS.md", 134_000);

/** Which of its lines the model's last request has, other than once. */
export function notOnce(run: ClientRun): string[] {
  const all = `${lastSeen(run)}\n`;
  const rules = LONG.split("\n").filter((line) => line.startsWith("- Rule ") && line.endsWith("always."));
  return rules.filter((line) => all.split(`${line}\n`).length !== 2);
}
