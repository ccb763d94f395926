import { expect } from "bun:test";
import { runCodelia } from "../../support/run-codelia.ts";
import type { Entry, TempTree } from "../../support/temp-tree.ts";

/** A project with instruction files on two levels. */
export const RULED_FILES: Readonly<Record<string, Entry>> = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "AGENTS.md": "Rule of the root.\n",
  "app/AGENTS.md": "Rule of the app.\n",
  "app/main.ts": "export {};\n",
  "lib/AGENTS.md": "Rule of the lib.\n",
  "lib/one.ts": "export {};\n",
  "lib/two.ts": "export {};\n",
};

/** Registers the hooks as a user does, in a home that the client will have. */
export function installHooks(host: string, tree: TempTree, home: TempTree): void {
  const args = ["install", host, "--scope", "user", "--yes", "--quiet"];
  expect(runCodelia(args, { cwd: tree.root, home: home.root }).exitCode).toBe(0);
}

/** A reminder's line for a file. */
export function told(tree: TempTree, name: string): string {
  return `- ${tree.path(name)} (mtime: `;
}
