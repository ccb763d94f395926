import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { hostTarget } from "./targets.mjs";
import { ToolError } from "./tool.mjs";

/**
 * The bun executable for this machine: the pinned one in node_modules, or the one that runs this script. Taken from its
 * platform package, because the script that would link it into the `bun` package is never run.
 */
export function bunPath() {
  const target = hostTarget();
  const installed = target && join(root, "node_modules", target.runtimePackage, "bin", `bun${target.extension}`);
  if (installed && existsSync(installed)) return installed;
  if (process.versions.bun) return process.execPath;
  throw new ToolError(`no bun for ${process.platform} ${process.arch}: install Bun and use 'bun run start'`);
}
