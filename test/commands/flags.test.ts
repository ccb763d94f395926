import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { COMMON_ARGS, HELP_ARGS } from "../../src/cli/args.ts";
import { describeCommands } from "../reference/commands.ts";
import { copyTree, dir, tempTree, type TempTree } from "../support/temp-tree.ts";
import { recordOfWrite } from "../support/samples.ts";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { factsOf } from "../support/source-facts.ts";

// A verb takes no flag that changes nothing: each common flag is given to the built program, and something must differ.

setDefaultTimeout(60_000);

/** Several verbs show what they work in only with a call of their own. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  resolve: ["sub/x.ts"],
  install: ["claude", "--yes"],
  uninstall: ["claude", "--yes"],
  doctor: ["claude", "--calls", "0"],
  trim: ["--max-bytes", "100"],
  trust: [".agents/agents/greet", "--yes"],
  "agent new": ["fresh"],
  audit: ["session.jsonl"],
  "agent validate": ["greet"],
  "agent run": ["greet", "--var", "who=she"],
  "agent start": ["greet", "--var", "who=she"],
  "skills search": ["good"],
  "skills load": ["good"],
};

const GUIDED = [
  ["trust", ".agents/agents/greet", "--yes", "--quiet"],
  ["agent", "start", "greet", "--var", "who=she", "--session", "guided"],
];

/** What must have been done before, so that the verb has something to show. */
const BEFORE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "session list": [["init-context"]],
  "session reset": [["init-context"], ["init-context", "--agent", "a9"], ["init-context", "--session", "s9"]],
  inspect: [["init-context"]],
  explain: [["init-context"]],
  uninstall: [["install", "claude", "--yes", "--quiet"]],
  "agent run": [["trust", ".agents/agents/greet", "--yes", "--quiet"]],
  "agent start": [["trust", ".agents/agents/greet", "--yes", "--quiet"]],
  "agent status": GUIDED,
  "agent stop": GUIDED,
};

const LONG = "line\n".repeat(100);
const REQUEST = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "agents_resolve", arguments: { paths: ["sub/x.ts"] } },
};
const INPUTS: Readonly<Record<string, string>> = { trim: LONG, mcp: `${JSON.stringify(REQUEST)}\n` };

const VALUES: Readonly<Record<string, readonly string[]>> = {
  cwd: ["--cwd", "../other"],
  root: ["--root", "../other"],
  session: ["--session", "s9"],
  agent: ["--agent", "a9"],
};

const commands = await describeCommands();
const flagsOf = new Map(
  commands
    .map(({ words, common }) => [words, common.map(({ name }) => name.slice(2)).filter(isMore)] as const)
    .filter(([, names]) => names.length > 0),
);

test.each([...flagsOf])("each common flag of '%s' makes a difference", (words, names) => {
  const without = observe(words, []);
  expect(observe(words, [])).toEqual(without);
  const idle = names.filter((name) => isDeepStrictEqual(observe(words, VALUES[name] ?? [`--${name}`]), without));
  expect(idle).toEqual([]);
});

test("every flag of its own that a verb takes is read by it, or by what it loads", async () => {
  const unread = commands.flatMap(({ words, flags }) => {
    const sources = loadedBy(`src/commands/${words.replace(" ", "-")}.ts`).map((path) => readFileSync(path, "utf8"));
    return flags
      .map(({ name }) => name.slice(2))
      .filter((name) => !Object.hasOwn(COMMON_ARGS, name))
      .filter(
        (name) => !sources.some((text) => new RegExp(`flags\\["${name}"\\]|textFlags\\(\\w+, "${name}"`).test(text)),
      )
      .map((name) => `${words} --${name}`);
  });
  expect(unread).toEqual([]);
});

/** Than every verb has. */
function isMore(name: string): boolean {
  return !Object.hasOwn(HELP_ARGS, name);
}

function observe(words: string, more: readonly string[]): unknown {
  using tree = stage(words);
  for (const args of BEFORE[words] ?? []) expect(codelia(tree, args).exitCode).toBe(0);
  // A session that has begun elsewhere is looked for there first.
  if (words === "session reset") tree.remove("home/.local/state/codelia/sessions");
  const args = [...words.split(" "), ...(CALLS[words] ?? []), ...more];
  const { stdout, stderr, exitCode } = codelia(tree, args, INPUTS[words]);
  return { stdout: settled(tree, stdout), stderr: settled(tree, stderr), exitCode, files: filesOf(tree) };
}

function codelia(tree: TempTree, args: readonly string[], stdin = "") {
  // One thing to warn of, which decides nothing; a session, which an agent's definition needs.
  const env = { CODELIA_AGENTS_ROOT: "/no/such/directory", CODELIA_SESSION_ID: "s1" };
  return runCodelia(args, { cwd: tree.path("repo"), home: tree.path("home"), env, stdin });
}

function stage(words: string): TempTree {
  const tree = tempTree({
    "home/": dir,
    ...(words.startsWith("skills") && { "home/.codelia/config.json": JSON.stringify({ plugins: [PLUGIN] }) }),
    "home/plugin.mjs": PLUGIN_SOURCE,
    "repo/.git/": dir,
    "repo/AGENTS.md": "Root.\n",
    "repo/sub/AGENTS.md": "Sub.\n",
    "repo/.agents/skills/good/SKILL.md": "---\nname: good\ndescription: A good one\n---\nText.\n",
    "repo/.agents/skills/bad/SKILL.md": "No header.\n",
    "repo/.codelia/config.json": JSON.stringify({
      agents: { usage: false },
      ...(words === "plugins" && { plugins: [{ ...PLUGIN, path: "plugin.mjs" }] }),
    }),
    "other/.git/": dir,
    "other/sub/": dir,
  });
  copyTree(join(REPOSITORY, "test/fixtures/trees/greeter/greet"), tree.path("repo/.agents/agents/greet"));
  tree.write("repo/session.jsonl", recordOfWrite(tree.path("repo"), "sub/x.ts"));
  return tree;
}

/** A plugin is told who asks. */
const PLUGIN = { name: "who", hooks: ["skills:catalog", "skills:ranked"], path: "../plugin.mjs" };
const PLUGIN_SOURCE = `
import { appendFileSync } from "node:fs";
const note = (data, { session, agent }) => appendFileSync(process.env.HOME + "/asked.txt", session + " " + agent + "\\n");
export default { "skills:catalog": note, "skills:ranked": note };
`;

/** Every file that the verb may have written, by its path. */
function filesOf(tree: TempTree): Record<string, string> {
  const names = readdirSync(tree.root, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(tree.path(name)).isFile(),
  );
  // Snapshots and remembered configs hold when they were written.
  const kept = names.filter((name) => !name.includes(".cache"));
  return Object.fromEntries(kept.map((name) => [settled(tree, name), settled(tree, tree.read(name))]).toSorted());
}

/** Without what differs from call to call: places, times, inodes and digests. */
function settled(tree: TempTree, text: string): string {
  return text
    .replaceAll(tree.root, "{TREE}")
    .replaceAll(/\d{8}T\d{9}Z/g, "{time}")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "{time}")
    .replaceAll(/\b[0-9a-f]{16,}\b/g, "{digest}")
    .replaceAll(/\b[0-9a-z]{14}\b/g, "{random}")
    .replaceAll(/\b\d+\.\{random\}@/g, "{random}@")
    .replaceAll(/"(tree|pid|durationMs|totalMs|longestMs)":("[^"]*"|[\d.]+)/g, '"$1":0')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, "{duration}")
    .replaceAll(/\d{5,}(?:\.\d+)?/g, "{number}");
}

/** The file, and all that it may load at run time. */
function loadedBy(path: string, known = new Set<string>()): string[] {
  const whole = join(REPOSITORY, path);
  if (known.has(whole) || !existsSync(whole) || !path.startsWith("src/")) return [...known];
  known.add(whole);
  for (const { specifier } of factsOf(readFileSync(whole, "utf8")).imports) {
    if (specifier?.startsWith(".")) loadedBy(normalize(join(dirname(path), specifier)), known);
  }
  return [...known];
}
