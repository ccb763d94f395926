import { describe, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { runAtTerminal } from "../support/run-at-terminal.ts";
import { runIn, skillFile } from "../support/skills-project.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

// At a terminal the answer is a table for people. In a pipe, with --format or in an agent's shell it is the usual one.

const LONG = "Reviews a change line by line against what the team agreed on, and says what is missing in it.";
const FILES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/AGENTS.md": "Be brief.\n",
  "repo/src/AGENTS.md": "No classes.\n",
  "repo/.codelia/config.yaml": "agents: { initial: { maxFiles: 7 } }\n",
  "repo/.agents/skills/review/SKILL.md": skillFile("review", LONG),
  "repo/.agents/skills/broken/SKILL.md": "no header\n",
  "home/": { dir: true },
} as const;

interface Options {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

async function show(
  tree: TempTree,
  args: readonly string[],
  { columns = 80, env = {} }: Options = {},
): Promise<string> {
  const place = { cwd: tree.path("repo"), home: tree.path("home") };
  return (await runAtTerminal(args, { ...place, columns, env })).shown;
}

describe("resolve", () => {
  test("names the files with their size and age, then says that they were told", async () => {
    using tree = tempTree(FILES);
    const hours = Date.now() / 1000 - 3 * 3600 - 5;
    for (const name of ["repo/AGENTS.md", "repo/src/AGENTS.md"]) utimesSync(tree.path(name), hours, hours);
    expect(await show(tree, ["resolve", "src/a.ts"])).toBe(
      "2 instruction files to follow:\n  AGENTS.md      10 bytes  changed 3 hours ago\n  src/AGENTS.md  12 bytes  changed 3 hours ago\n",
    );
    expect(await show(tree, ["resolve", "src/a.ts"])).toBe("already told to session default; --no-state shows it\n");
    expect(await show(tree, ["resolve", "src/a.ts", "--session", "s", "--agent", "a"])).toStartWith("2 instruction");
    expect(await show(tree, ["resolve", "src/a.ts", "--session", "s", "--agent", "a"])).toBe(
      "already told to agent a of session s; --no-state shows it\n",
    );
    tree.remove("repo/src/AGENTS.md");
    expect(await show(tree, ["resolve", "src/a.ts"])).toBe("No longer in force:\n  src/AGENTS.md\n");
  });

  test("says that nothing applies", async () => {
    using tree = tempTree({ "repo/.git/HEAD": "", "home/": { dir: true } });
    expect(await show(tree, ["resolve", "a.ts"])).toBe("no instruction files apply\n");
  });

  test("prints XML or JSON where they are asked for, and in an agent's shell", async () => {
    using tree = tempTree(FILES);
    const resolve = ["resolve", "src/a.ts", "--no-state"];
    const piped = runIn(tree, resolve, "repo").stdout;
    expect(piped).toStartWith("<system-reminder");
    expect(await show(tree, [...resolve, "--format", "xml"])).toBe(piped);
    expect(await show(tree, resolve, { env: { CLAUDECODE: "1", CODELIA_SESSION_ID: "s" } })).toBe(piped);
    const json = await show(tree, [...resolve, "--format", "json"]);
    expect(json).toStartWith('{"files":[');
    expect(await show(tree, [...resolve, "--json"])).toBe(json);
    expect(runIn(tree, [...resolve, "--format", "json"], "repo").stdout).toBe(json);
    expect(runIn(tree, [...resolve, "--json", "--format", "xml"], "repo")).toMatchObject({
      exitCode: 64,
      stderr: "codelia: '--json' contradicts '--format xml'\n",
    });
  });
});

describe("skills", () => {
  const LIST = `1 skill
  review  repo  Reviews a change line by line against what the team agreed on,
                and says what is missing in it.
1 can't be used:
`;

  test("list is a table with what can't be used, also on a narrow terminal", async () => {
    using tree = tempTree(FILES);
    expect(await show(tree, ["skills", "list"])).toStartWith(LIST);
    const narrow = await show(tree, ["skills", "list"], { columns: 40 });
    expect(narrow).toStartWith(`1 skill
  review  repo
    Reviews a change line by line
    against what the team agreed on, an…
`);
    expect(narrow.split("\n").filter((line) => line.length > 40)).toEqual([]);
  });

  test("search is a table, and says when nothing matches", async () => {
    using tree = tempTree(FILES);
    expect(await show(tree, ["skills", "search", "review"])).toBe(LIST.split("\n").slice(1, 3).join("\n") + "\n");
    expect(await show(tree, ["skills", "search", "zebra"])).toBe(
      "no skill matches 'zebra'; 'codelia skills list' shows all\n",
    );
    for (const [format, start] of Object.entries({ xml: "<skills_search ", json: '{"results":[' })) {
      expect(await show(tree, ["skills", "search", "review", "--format", format])).toStartWith(start);
      expect(await show(tree, ["skills", "list", "--format", format])).toStartWith(
        start.replace(/search |results/u, (part) => (part === "results" ? "skills" : "list ")),
      );
    }
  });
});

test("config sets values that were set apart from the defaults", async () => {
  using tree = tempTree(FILES);
  const shown = await show(tree, ["config"], { columns: 200, env: { FORCE_COLOR: "1" } });
  const line = shown.split("\n").find((each) => each.includes("maxFiles "));
  const written = line?.replaceAll("\u001B", "^").replaceAll(/ +/gu, " ");
  expect(written).toBe(` ^[1magents.initial.maxFiles ^[22m 7 ^[32m${tree.path("repo/.codelia/config.yaml")}^[39m`);
  expect(shown).toContain("\u001B[2magents.enabled");
  const text = runIn(tree, ["config"], "repo").stdout;
  expect(text).toContain("agents.initial.maxFiles = 7  (");
  expect(await show(tree, ["config", "--format", "text"])).toBe(text);
  expect(await show(tree, ["config", "--format", "json"])).toStartWith('{"values":[');
});

test("doctor wraps its lines, and marks what needs attention", async () => {
  using tree = tempTree(FILES);
  const shown = await show(tree, ["doctor", "--quiet"], { columns: 50, env: { FORCE_COLOR: "1" } });
  expect(shown).toContain("\u001B[31m! no hooks are installed;");
  const plain = await show(tree, ["doctor", "--quiet"], { columns: 50 });
  expect(plain.split("\n").filter((line) => line.length > 50)).toEqual([]);
  expect(plain.replaceAll(/\s+/gu, "")).toBe(runIn(tree, ["doctor", "--quiet"], "repo").stdout.replaceAll(/\s+/gu, ""));
  expect(await show(tree, ["doctor", "--format", "json"])).toStartWith('{"clients":[');
});

test("explain says that it wrote its page", async () => {
  using tree = tempTree(FILES);
  expect(await show(tree, ["explain", "--html", "reach.html"], { columns: 400 })).toBe(
    `codelia: wrote '${tree.path("repo/reach.html")}'; open it in a browser\n`,
  );
});

test("session list and report fit the terminal", async () => {
  using tree = tempTree(FILES);
  const call = (words: readonly string[]) => runIn(tree, words, "repo").stdout;
  call(["resolve", "src/a.ts", "--session", "a-session-with-a-long-name"]);
  for (const words of [["session", "list"], ["report"]]) {
    const shown = await show(tree, words, { columns: 80 });
    expect(shown.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(shown).toContain("src/AGENTS.md");
  }
  expect(await show(tree, ["report"], { columns: 80 })).toContain("\ninstruction ");
  expect(await show(tree, ["report"], { columns: 120 })).toContain(
    "\ninstruction file  contexts  by client  by codelia",
  );
});

test("explain and init fit the terminal, and explain marks what a client does not read", async () => {
  using tree = tempTree({
    "repo/.git/HEAD": "",
    "repo/AGENTS.md": "Be brief.\n",
    "repo/src/AGENTS.md": "No classes.\n",
    "repo/CLAUDE.md": "Ask before deploying.\n",
    "home/": { dir: true },
  });
  const shown = await show(tree, ["explain", "src"], { columns: 60, env: { FORCE_COLOR: "1" } });
  expect(shown).toContain("\u001B[31m    claude  shadowed: AGENTS.md is read only where no\n");
  expect(shown).toContain("\u001B[32m    codex   loaded 10 bytes");
  for (const words of [["explain", "src"], ["init", "--show"], []]) {
    const plain = await show(tree, words, { columns: 40 });
    expect(plain.split("\n").filter((line) => line.length > 40)).toEqual([]);
  }
  const text = runIn(tree, ["explain", "src"], "repo").stdout;
  expect(text).toContain("    claude  shadowed: AGENTS.md is read only where no CLAUDE.md has content");
  expect(await show(tree, ["explain", "src", "--format", "text"])).toBe(text);
  expect(await show(tree, ["explain", "src", "--format", "json"])).toStartWith('{"path":');
});

test.each([
  [["session", "list"], "no session was told anything here yet\n"],
  [["plugins"], "no plugins are configured; 'plugins' in a config file lists them\n"],
])("%j says that there is nothing to list, at a terminal only", async (words, sentence) => {
  using tree = tempTree(FILES);
  expect(await show(tree, words)).toBe(sentence);
  expect(runIn(tree, words, "repo").stdout).toBe("");
});

test.each<[env: Record<string, string>, isColoured: boolean]>([
  [{ TERM: "xterm" }, true],
  [{ TERM: "dumb" }, false],
  [{ TERM: "xterm", NO_COLOR: "1" }, false],
  [{ TERM: "dumb", FORCE_COLOR: "1" }, true],
  [{ TERM: "xterm", NO_COLOR: "1", FORCE_COLOR: "1" }, true],
  [{ TERM: "xterm", FORCE_COLOR: "0" }, false],
])("with %j colour is %p", async (env, isColoured) => {
  using tree = tempTree(FILES);
  expect((await show(tree, ["skills", "list"], { env })).includes("\u001B[")).toBe(isColoured);
});
