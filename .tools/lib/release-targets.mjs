import { readFileSync } from "node:fs";
import { entryPath } from "./artifacts.mjs";
import { compile } from "./build.mjs";
import { executableTarget } from "./executable.mjs";
import { note, ToolError } from "./tool.mjs";
import { withRuntime } from "./runtime.mjs";
import { targets } from "./targets.mjs";

/** The targets in a comma-separated list; all of them without one. */
export function chooseTargets(list) {
  return list === undefined ? targets : list.split(",").map(findTarget);
}

function findTarget(name) {
  const target = targets.find((candidate) => candidate.name === name);
  if (target) return target;
  throw new ToolError(`no target '${name}': there are ${targets.map((each) => each.name).join(", ")}`);
}

/** Builds the program for a target, and verifies the target in its headers. */
export async function buildTarget(target, outfile) {
  await withRuntime(target, (executable) => compile({ entry: entryPath, outfile, target, executable }));
  const built = executableTarget(readFileSync(outfile));
  if (built !== target.name) throw new ToolError(`'${outfile}' is a program for ${built}, not for ${target.name}`);
  note(`built codelia-${target.name}`);
}
