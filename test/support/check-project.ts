import { runCodelia, type RunResult } from "./run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "./temp-tree.ts";

/** A repository at `repo`, with an empty home beside it. */
export function checkProject(files: Readonly<Record<string, Entry>>): TempTree {
  const below = Object.fromEntries(Object.entries(files).map(([path, entry]) => [`repo/${path}`, entry]));
  return tempTree({ "home/": dir, "repo/.git/": dir, ...below });
}

/** The config that turns on a rule that is off by default. */
export function turnedOn(rule: string): Readonly<Record<string, Entry>> {
  return { ".codelia/config.yaml": `check: { rules: { ${rule}: note } }\n` };
}

export function runCheck(
  tree: TempTree,
  args: readonly string[] = [],
  { env = {}, cwd = "repo" }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): RunResult {
  return runCodelia(["check", ...args], { cwd: tree.path(cwd), home: tree.path("home"), env });
}

interface FoundItem {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly fingerprint: string;
}

/** What is found, each as `path:line rule`. */
export function foundIn(tree: TempTree, args: readonly string[] = []): string[] {
  const { stdout } = runCheck(tree, ["--json", ...args]);
  const { findings } = JSON.parse(stdout) as { findings: FoundItem[] };
  const from = tree.path("repo").length + 1;
  return findings.map(({ rule, path, line }) => `${path.slice(from)}:${line} ${rule}`);
}
