import { runCodelia, CODELIA, type RunResult } from "../../support/run-codelia.ts";
import { skillFile } from "../../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../../support/temp-tree.ts";
import { isSameEntry, isStatePath, treeEntries } from "../../support/tree-entries.ts";
import { giveAway, UNPRIVILEGED } from "../../reliability/lib/unprivileged.ts";
import { COMMANDS, type HostileCommand } from "./commands.ts";
import { EVIDENCE, SECRET, type CommandName, type Expected, type HostileCase } from "./hostile-case.ts";
import { judge } from "./judge.ts";

/** Several times what any call takes on a busy machine, and far from for ever. */
const WITHIN_MS = 5000;

export const RULES = "Rules that hold.\n";

/** What is around every case: a project with rules and a skill, a user with a secret, a secret beside both. */
const SURROUNDINGS: Readonly<Record<string, Entry>> = {
  "home/.ssh/id_ed25519": `${SECRET}\n`,
  "outside/AGENTS.md": `${SECRET}\n`,
  "outside/SKILL.md": skillFile("outside", SECRET, `${SECRET}\n`),
  "outside/config.json": `{"${SECRET}":1}`,
  "repo/.git/": dir,
  // With it Claude Code leaves every AGENTS.md to others.
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/AGENTS.md": RULES,
  "repo/a/AGENTS.md": "Rules of a.\n",
  "repo/a/x.ts": "",
  "repo/.agents/skills/good/SKILL.md": skillFile("good", "A good thing", "The good text.\n"),
};

/** Plays a case with all commands, or with those it says something of and another one; the faults, a sentence each. */
export async function playCase(hostile: HostileCase, also: CommandName | "all" | undefined): Promise<string[]> {
  const { entries = {}, expected = {}, isUnprivileged, isWithoutRules } = hostile;
  const surroundings = Object.entries(SURROUNDINGS).filter(([path]) => !isReplaced(path, entries));
  using tree = tempTree({ ...Object.fromEntries(surroundings), ...entries });
  const planted = await hostile.plant?.(tree);
  try {
    if (isUnprivileged) giveAway(tree.root);
    const before = treeEntries(tree.root);
    const faults: string[] = [];
    for (const command of COMMANDS) {
      const own = expected[command.name];
      if (hostile.commands?.includes(command.name) === false) continue;
      if (also !== "all" && also !== command.name && own === undefined) continue;
      const withRules = command.name === "init-context" && !isWithoutRules;
      const shows = [...(own?.shows ?? []), ...(withRules ? [RULES] : [])];
      faults.push(...callAndJudge(tree, hostile, command, { ...own, shows }));
    }
    return [...faults, ...judgeTree(tree, before)];
  } finally {
    planted?.[Symbol.dispose]();
  }
}

function callAndJudge(tree: TempTree, hostile: HostileCase, command: HostileCommand, expected: Expected): string[] {
  const { withinMs = WITHIN_MS } = hostile;
  const named = (texts: readonly string[] | undefined) =>
    texts?.map((text) => text.replaceAll("{tree}", tree.root)) ?? [];
  const wanted = { ...expected, shows: named(expected.shows), hides: named(expected.hides) };
  let result: RunResult;
  try {
    result = call(tree, hostile, command, withinMs);
  } catch (error) {
    return [`${command.name}: ${(error as Error).message}`];
  }
  return judge(command, wanted, result).map((fault) => `${command.name}: ${fault}`);
}

function call(tree: TempTree, hostile: HostileCase, command: HostileCommand, timeoutMs: number): RunResult {
  const [binary = CODELIA, ...through] = hostile.isUnprivileged ? [...UNPRIVILEGED, CODELIA] : [CODELIA];
  return runCodelia([...through, ...command.args(hostile)], {
    binary,
    cwd: tree.path(hostile.cwd ?? "repo"),
    home: tree.path("home"),
    stdin: command.stdin?.(tree, hostile) ?? "",
    timeoutMs,
  });
}

/** Nothing is other than it was but our own places, and nothing of the clone's was run. */
export function judgeTree(tree: TempTree, before: ReturnType<typeof treeEntries>): string[] {
  const after = treeEntries(tree.root);
  const changed = [...after].filter(([path, stats]) => !isSameEntry(before.get(path), stats)).map(([path]) => path);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const foreign = [...changed, ...gone]
    .filter((path) => !isStatePath(path))
    .map((path) => `'${path}' is not as it was`);
  const run = [...after.keys()].filter((path) => path.endsWith(EVIDENCE)).map((path) => `code was run: '${path}'`);
  return [...foreign, ...run];
}

/** A case's own entry stands in the place of one of the surroundings, and of what is in it. */
function isReplaced(path: string, entries: Readonly<Record<string, Entry>>): boolean {
  return Object.keys(entries).some((own) => path === own || path.startsWith(`${own}/`));
}
