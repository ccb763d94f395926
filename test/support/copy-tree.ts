import { copyFileSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/** git keeps no `.git` inside a checkout: a fixture has it under this name. */
const GIT_IN_FIXTURES = "dot-git";

/** Copies what is in a directory into another one that may exist; links stay as they are, `dot-git` becomes `.git`. */
export function copyTree(from: string, to: string, leaveOut: ReadonlySet<string> = new Set()): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (leaveOut.has(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name === GIT_IN_FIXTURES ? ".git" : entry.name);
    if (entry.isDirectory()) copyTree(source, target, leaveOut);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) copyFileSync(source, target);
  }
}
