import { expect } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { CODELIA, runCodelia } from "../../support/run-codelia.ts";
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

/** How one call of a hook ended. */
export interface HookEnd {
  readonly exitCode: number;
  readonly stderr: string;
  readonly args: string;
}

/** Registers the hooks as a user does, in a home that the client will have. */
export function installHooks(host: string, tree: TempTree, home: TempTree, channel = "command"): void {
  const args = ["install", host, "--scope", "user", "--channel", channel, "--yes", "--quiet"];
  expect(runCodelia(args, { cwd: tree.root, home: home.root }).exitCode).toBe(0);
}

/**
 * The same, and writes down how each call of a hook ends.
 *
 * @returns the ends of all calls so far
 */
export function watchHooks(
  host: "claude" | "codex",
  tree: TempTree,
  home: TempTree,
  channel = "command",
): () => readonly HookEnd[] {
  installHooks(host, tree, home, channel);
  const log = home.path("hook-ends");
  const wrapper = home.path("watched", "codelia");
  const settings = host === "claude" ? ".claude/settings.json" : ".codex/hooks.json";
  home.write("watched/codelia", WRAPPER.replaceAll("CODELIA", CODELIA).replaceAll("LOG", log));
  chmodSync(wrapper, 0o755);
  home.write(settings, home.read(settings).replaceAll(CODELIA, wrapper));
  return () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean).map(readEnd) : []);
}

/** What a call says on standard error becomes a line, and a line is written at once. */
const WRAPPER = `#!/bin/sh
said=$(mktemp)
'CODELIA' "$@" 2>"$said"
code=$?
printf '%s\t%s\t%s\n' "$code" "$(tr '\n\t' '  ' <"$said")" "$*" >>'LOG'
cat "$said" >&2
rm -f "$said"
exit $code
`;

function readEnd(line: string): HookEnd {
  const [exitCode = "", stderr = "", args = ""] = line.split("\t");
  return { exitCode: Number(exitCode), stderr, args };
}

/** Every call ended well and silently, and there were some. */
export function expectGoodEnds(ends: readonly HookEnd[]): void {
  expect(ends.length).toBeGreaterThan(0);
  expect(ends.filter(({ exitCode, stderr }) => exitCode !== 0 || stderr !== "")).toEqual([]);
}

/** A reminder's line for a file. */
export function told(tree: TempTree, name: string): string {
  return `- ${tree.path(name)} (mtime: `;
}
