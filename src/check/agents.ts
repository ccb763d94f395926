import { join } from "node:path";
import { readSettingsText } from "../clients/settings/text.ts";
import type { Diagnostic } from "../lib/diagnostic.ts";
import { offsetsIn } from "../lib/edit/located.ts";
import { limitParsing, type LimitedParse } from "../lib/parse-limit.ts";
import { entriesOf, isThere, lstatOf } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import { textPositions } from "../lib/text-positions.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";

const MAX_BYTES = 256 * 1024;

/** The rules about the project's agent definitions, in `.agents/agents` of any directory. */
export async function checkAgents(world: World, { walked }: CheckScene): Promise<FamilyCheck> {
  const directories = walked.skillDirectories.flatMap(agentDefinitionsOf).filter((path) => !walked.isIgnored(path));
  if (directories.length === 0) return { findings: [], checked: [] };
  const { checkDefinition } = await import("../agent/definition/validate.ts");
  const limited = limitParsing(world);
  const findings: Finding[] = [];
  for (const directory of directories) {
    let placeOf: PlaceOf | undefined;
    for (const problem of await checkDefinition(limited, directory)) {
      findings.push(asFinding(directory, problem, (pointer) => (placeOf ??= placesIn(limited, directory))(pointer)));
    }
  }
  return { findings, checked: directories.map(definitionIn) };
}

type PlaceOf = (pointer: string) => Pick<Finding, "line" | "column">;

function asFinding(directory: string, problem: Diagnostic, placeOf: PlaceOf): Finding {
  const { path, message, pointer = "", line, severity } = problem;
  return finding(severity === "error" ? "agent-definition" : "agent-outdated", {
    path: path === directory ? definitionIn(directory) : path,
    ...(line === undefined ? placeOf(pointer) : { line }),
    message: pointer === "" ? message : `${pointer}: ${message}`,
    // A definition consists of everything in its directory.
    concerns: [directory],
  });
}

/** Finds the positions of a definition's values in its file. */
function placesIn(limited: LimitedParse, directory: string): PlaceOf {
  const read = readText(definitionIn(directory), MAX_BYTES);
  if (read.kind !== "text") return () => ({});
  const parsed = limited(() => readSettingsText(read.text));
  if ("kind" in parsed) return () => ({});
  const positionOf = textPositions(read.text);
  const offsetOf = offsetsIn(parsed.located);
  return (pointer) => {
    const keys = pointer.split("/").slice(1);
    return positionOf(offsetOf(keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))));
  };
}

function definitionIn(directory: string): string {
  return join(directory, "agent.json");
}

/** The directories with an `agent.json` in `.agents/agents` of a directory. Links are not followed. */
function agentDefinitionsOf(directory: string): string[] {
  const place = join(directory, ".agents", "agents");
  if (lstatOf(join(directory, ".agents"))?.isDirectory() !== true || !isThere(place)) return [];
  const directories = entriesOf(place).filter((entry) => entry.isDirectory());
  return directories.map(({ name }) => join(place, name)).filter((path) => isThere(definitionIn(path)));
}
