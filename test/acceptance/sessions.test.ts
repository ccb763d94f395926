import { expect, test } from "bun:test";
import { readdirSync, symlinkSync } from "node:fs";
import { dir } from "../support/temp-tree.ts";
import { bench, file, NOTHING, says, T0, type Bench } from "./agents-bench.ts";

// Each context of each session is told everything once.

function sessionTree(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.md": file("a\n"),
    "repo/b/AGENTS.md": file("b\n"),
  });
}

type Speaker = readonly [args: readonly string[], env?: Readonly<Record<string, string>>];

/** The session and context of a call, as recorded in the ledger. */
function speaksFor([args, env = {}]: Speaker): string {
  using tree = sessionTree();
  tree.resolve([...args, "x.ts"], { env });
  const { sessions } = JSON.parse(tree.read("repo/.codelia/session.json"));
  const [[session, { contexts }]] = Object.entries(sessions) as [[string, { contexts: object }]];
  return `${session}/${Object.keys(contexts).join(",")}`;
}

const CLAUDE = { CLAUDE_CODE_SESSION_ID: "claude" };
const CODEX = { CODEX_SESSION_ID: "codex" };
const OWN = { CODELIA_SESSION_ID: "own" };

for (const [what, speaker, spoken] of [
  ["nothing at all", [[]], "default/main"],
  ["--session", [["--session", "s"]], "s/main"],
  ["--agent", [["--agent", "x"]], "default/x"],
  ["--session and --agent", [["--session", "s", "--agent", "x"]], "s/x"],
  ["CODELIA_SESSION_ID", [[], OWN], "own/main"],
  ["an empty CODELIA_SESSION_ID", [[], { CODELIA_SESSION_ID: "" }], "default/main"],
  ["--session over CODELIA_SESSION_ID", [["--session", "s"], OWN], "s/main"],
  ["CODELIA_SESSION_ID over a host's", [[], { ...OWN, ...CLAUDE }], "own/main"],
  ["CLAUDE_CODE_SESSION_ID", [[], CLAUDE], "claude/shell"],
  ["CLAUDE_CODE_SESSION_ID and --agent", [["--agent", "x"], CLAUDE], "claude/x"],
  ["the same session named by flag in its shell", [["--session", "claude"], CLAUDE], "claude/shell"],
  ["another session named by flag in that shell", [["--session", "s"], CLAUDE], "s/main"],
  ["CODEX_SESSION_ID", [[], CODEX], "codex/main"],
  ["CODEX_THREAD_ID that is the session's", [[], { ...CODEX, CODEX_THREAD_ID: "codex" }], "codex/main"],
  ["CODEX_THREAD_ID of a sub-agent", [[], { ...CODEX, CODEX_THREAD_ID: "thread" }], "codex/thread"],
  ["two hosts' variables", [[], { ...CLAUDE, ...CODEX }], "default/main"],
  ["two hosts' variables and our own", [[], { ...CLAUDE, ...CODEX, ...OWN }], "own/main"],
  [
    "a shell's session by flag where two hosts are named",
    [["--session", "claude"], { ...CLAUDE, ...CODEX }],
    "claude/shell",
  ],
] as const satisfies readonly (readonly [string, Speaker, string])[]) {
  test(`sessions: ${what} means ${spoken}`, () => {
    expect(speaksFor(speaker)).toBe(spoken);
  });
}

test("sessions: every session and every context of it is told by itself, and once", () => {
  using tree = sessionTree();
  const speakers: readonly Speaker[] = [
    [[]],
    [["--session", "s"]],
    [["--session", "s", "--agent", "x"]],
    [["--session", "s", "--agent", "y"]],
    [["--session", "t"]],
    [[], CLAUDE],
    [[], CODEX],
  ];
  for (const round of [1, 2]) {
    for (const [args, env = {}] of speakers) {
      const told = tree.resolve([...args, "a/x.ts"], { env });
      expect(told).toEqual(round === 1 ? ["repo/AGENTS.md", "repo/a/AGENTS.md"] : []);
    }
  }
  tree.touch("repo/a/AGENTS.md", T0 + 1);
  for (const [args, env = {}] of speakers) {
    expect(tree.resolve([...args, "a/x.ts"], { env })).toEqual(["repo/a/AGENTS.md"]);
  }
});

test("sessions: what a shell under Claude Code is told is never taken from the main context", () => {
  using tree = sessionTree();
  tree.codelia(["init-context", "--session", "claude"]);
  expect(tree.resolve(["a/x.ts"], { env: CLAUDE })).toHaveLength(2);
  expect(tree.resolve(["--session", "claude", "a/x.ts"])).toEqual(["repo/a/AGENTS.md"]);
  expect(tree.resolve(["--session", "claude", "b/x.ts"])).toEqual(["repo/b/AGENTS.md"]);
  expect(tree.resolve(["b/x.ts"], { env: CLAUDE })).toEqual(["repo/b/AGENTS.md"]);
});

test("sessions: a shell's init-context does not begin the main context anew", () => {
  using tree = sessionTree();
  tree.resolve(["--session", "claude", "a/x.ts"]);
  tree.codelia(["init-context"], { env: CLAUDE });
  expect(tree.codelia(["resolve", "--session", "claude", "a/x.ts"])).toEqual(NOTHING);
});

for (const [who, args, env] of [
  ["a shell", [], CLAUDE],
  ["a sub-agent", ["--session", "claude", "--agent", "x"], {}],
] as const) {
  test(`sessions: ${who} that resumes elsewhere takes no change from the main context`, () => {
    using tree = sessionTree();
    const main = ["--session", "claude"];
    tree.codelia(["init-context", ...main], { cwd: "repo/a" });
    tree.codelia(["resume-diff", ...args], { cwd: "repo/b", env });
    const { stdout } = tree.codelia(["resume-diff", ...main], { cwd: "repo/b" });
    expect(stdout).toContain(`\n- cwd: ${tree.path("repo/a")} -> ${tree.path("repo/b")}\n`);
  });
}

test("sessions: init-context begins its own context anew, and no other", () => {
  using tree = sessionTree();
  tree.resolve(["a/x.ts"]);
  tree.resolve(["--agent", "x", "a/x.ts"]);
  tree.codelia(["init-context"]);
  expect(tree.resolve(["a/x.ts"])).toEqual(["repo/a/AGENTS.md"]);
  expect(tree.resolve(["--agent", "x", "a/x.ts"])).toEqual([]);
});

test("sessions: init-context --only skills covers no file, --only agents covers what it printed", () => {
  using tree = sessionTree();
  tree.codelia(["init-context", "--only", "skills"]);
  expect(tree.resolve(["x.ts"])).toEqual(["repo/AGENTS.md"]);
  tree.codelia(["init-context", "--only", "agents"]);
  expect(tree.resolve(["x.ts"])).toEqual([]);
});

/** Makes a session idle for two days, and lets another one call. */
function archive(tree: Bench, session: string): void {
  const ledger = JSON.parse(tree.read("repo/.codelia/session.json"));
  ledger.sessions[session].updatedAt -= 2 * 24 * 60 * 60 * 1000;
  tree.write("repo/.codelia/session.json", JSON.stringify(ledger));
  tree.resolve(["--session", "t", "x.ts"]);
}

test("sessions: reset --agent forgets one context of a session that was idle for a day, too, and no other", () => {
  using tree = sessionTree();
  const [main, agent] = [
    ["--session", "s"],
    ["--session", "s", "--agent", "x"],
  ] as const;
  tree.resolve([...main, "x.ts"]);
  tree.resolve([...agent, "x.ts"]);
  archive(tree, "s");
  expect(tree.codelia(["session", "reset", ...agent])).toEqual(NOTHING);
  expect(tree.resolve([...agent, "x.ts"])).toEqual(["repo/AGENTS.md"]);
  expect(tree.resolve([...main, "x.ts"])).toEqual([]);
});

test("sessions: list names a session that was idle for a day too: it is not told again", () => {
  using tree = sessionTree();
  const listed = () => Object.keys(JSON.parse(tree.codelia(["session", "list", "--json"]).stdout).sessions);
  tree.resolve(["--session", "s", "x.ts"]);
  archive(tree, "s");
  expect(Object.keys(JSON.parse(tree.read("repo/.codelia/session.json")).sessions)).toEqual(["t"]);
  expect(listed()).toEqual(["t", "s"]);
  const told = `    told ${tree.path("repo/AGENTS.md")} (mtime: ${T0})\n`;
  const text = (id: string) => `${id}  in ${tree.path("repo")}\n  main, epoch 0\n${told}`;
  expect(tree.codelia(["session", "list"])).toEqual(says(text("t") + text("s")));
  expect(tree.resolve(["--session", "s", "x.ts"])).toEqual([]);
  tree.resolve(["--session", "s", "a/x.ts"]);
  expect(listed().toSorted()).toEqual(["s", "t"]);
});

test("sessions: list takes for an archived session only what resolve would", () => {
  using tree = sessionTree();
  const listed = () => Object.keys(JSON.parse(tree.codelia(["session", "list", "--json"]).stdout).sessions);
  tree.resolve(["--session", "s", "x.ts"]);
  archive(tree, "s");
  const name = readdirSync(tree.path("repo/.codelia/sessions")).find((each) => each.endsWith(".json")) ?? "";
  const kept = tree.read(`repo/.codelia/sessions/${name}`);
  tree.write("repo/.codelia/sessions/0123456789abcdef.json", kept.replace('"id":"s"', '"id":"other"'));
  tree.write("repo/.codelia/sessions/note.json", "[]");
  expect(listed()).toEqual(["t", "s"]);
  tree.write(`repo/.codelia/sessions/${name}`, kept.replace(/"tree":"\d+\./, "$&x"));
  expect(listed()).toEqual(["t"]);
  tree.write(`elsewhere/${name}`, kept);
  tree.remove("repo/.codelia/sessions");
  symlinkSync(tree.path("elsewhere"), tree.path("repo/.codelia/sessions"));
  expect(listed()).toEqual(["t"]);
});
