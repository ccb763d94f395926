import { join } from "node:path";
import type { DefinitionFault } from "../agent/commands/judge-definition.ts";
import { offsetOf } from "../core/config-edit/located.ts";
import type { Finding } from "../core/findings.ts";
import { finding } from "../core/rules.ts";
import { textPositions } from "../core/text-positions.ts";
import { agentDefinitionsOf } from "../io/check/agent-definitions.ts";
import { limitParsing, type LimitedParse } from "../io/parse-limit.ts";
import { readText } from "../io/read-file.ts";
import { readSettingsText } from "../io/settings-file.ts";
import type { World } from "../world.ts";
import type { CheckScene, FamilyCheck } from "./check-scene.ts";

const MAX_BYTES = 256 * 1024;

/**
 * What is wrong with the project's agent definitions: those in `.agents/agents` of any directory.
 *
 * @effect reads
 * @error  none
 */
export async function checkAgents(world: World, { walked }: CheckScene): Promise<FamilyCheck> {
  const directories = walked.skillPlaces.flatMap(agentDefinitionsOf).filter((path) => !walked.isIgnored(path));
  if (directories.length === 0) return { findings: [], checked: [] };
  const { judgeDefinition } = await import("../agent/commands/judge-definition.ts");
  const limited = limitParsing(world);
  const findings: Finding[] = [];
  for (const directory of directories) {
    for (const fault of await judgeDefinition(limited, directory)) findings.push(asFinding(limited, directory, fault));
  }
  return { findings, checked: directories.map((directory) => join(directory, "agent.json")) };
}

function asFinding(
  limited: LimitedParse,
  directory: string,
  { file, message, pointer, line, isError }: DefinitionFault,
): Finding {
  const path = file === directory ? join(directory, "agent.json") : file;
  const place = line === undefined ? placeOf(limited, path, pointer) : { line };
  const said = pointer === "" ? message : `${pointer}: ${message}`;
  const id = isError ? "agent-definition" : "agent-outdated";
  // It is made of all that is in there.
  return finding(id, { path, ...place, message: said, concerns: [directory] });
}

/** Where the value stands in its file. */
function placeOf(
  limited: LimitedParse,
  path: string,
  pointer: string,
): { readonly line: number; readonly column?: number } {
  const read = readText(path, MAX_BYTES);
  if (read.kind !== "text" || !path.endsWith(".json")) return { line: 1 };
  const keys = pointer.split("/").slice(1);
  const names = keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const parsed = limited(() => readSettingsText(read.text));
  return "kind" in parsed ? { line: 1 } : textPositions(read.text)(offsetOf(parsed.located, names));
}
