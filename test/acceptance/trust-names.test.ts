import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { sha256 } from "../../src/lib/sha256.ts";
import { gitRepository } from "../support/git-repository.ts";
import type { RunResult } from "../support/run-codelia.ts";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, type Bench } from "./agents-bench.ts";

// The files of a clone that an agent definition's commands name are shown and trusted with it, and must be trusted again
// when they change. Commands whose files can't be known are refused.

const SCRIPT = "#!/bin/sh\necho ran >> ran\ncat\n";
const TOOL: Entry = { text: SCRIPT, mode: 0o755 };
const CHECKED = { type: "command", onPass: "complete", onFail: { retry: 0 } };
const ASK = "to review it";

interface Commands {
  readonly connection?: object;
  readonly check?: readonly string[];
  readonly checkOf?: object;
}

/** A definition of one step; by default its engine repeats the prompt. */
function definition({ connection, check }: Commands): string {
  const step = {
    prompt: { path: "say.md" },
    ...(check === undefined ? {} : { check: { ...CHECKED, command: check } }),
  };
  return JSON.stringify({
    name: "agent",
    entryStep: "say",
    limits: { maxRetries: 0 },
    completion: { type: "iterationBudget", max: 3 },
    connection: { engine: "command", command: ["/bin/cat"], ...connection },
    steps: { say: step },
  });
}

function project(commands: Commands, files: Readonly<Record<string, Entry>> = {}): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/agent/agent.json": definition(commands),
    "repo/agent/say.md": "Say it.\n",
    "repo/tools/run": TOOL,
    ...files,
  });
}

const trust = (tree: Bench, cwd = "repo") => tree.codelia(["trust", tree.path("repo/agent"), "--yes"], { cwd });
const run = (tree: Bench, cwd = "repo") => tree.codelia(["agent", "run", tree.path("repo/agent")], { cwd });
const hasRun = (tree: Bench, cwd = "repo") => existsSync(tree.path(cwd, "ran"));
const hash = (text: string) => sha256(new TextEncoder().encode(text));

test("the words and the files of the clone that they name are shown, and asked about again when one changes", () => {
  using tree = project({ connection: { command: ["./tools/run"] }, check: ["sh", "-c", "test -s ran"] });
  const json = definition({ connection: { command: ["./tools/run"] }, check: ["sh", "-c", "test -s ran"] });
  expect(run(tree).stderr).toContain("you have not trusted it");
  expect(trust(tree).stderr).toBe(
    [
      `Agent definition ${tree.path("repo/agent")}`,
      '  asks for connection.command = ["./tools/run"]',
      '  asks for steps.say.check.command = ["sh","-c","test -s ran"]',
      `  ${hash(json)}  agent.json  (${json.length} bytes, new)`,
      `  ${hash("Say it.\n")}  say.md  (8 bytes, new)`,
      `  ${hash(SCRIPT)}  tools/run  (${SCRIPT.length} bytes, program, of the clone, new)`,
      `codelia: '${tree.path("repo/agent")}' is trusted now`,
      "",
    ].join("\n"),
  );
  expect([run(tree).exitCode, hasRun(tree)]).toEqual([0, true]);
  tree.remove("repo/ran");
  tree.write("repo/tools/run", `${SCRIPT}# changed\n`);
  const { stderr, exitCode } = run(tree);
  expect([exitCode, hasRun(tree)]).toEqual([1, false]);
  expect(stderr).toContain(
    `'tools/run' has changed since it was trusted; run 'codelia trust ${tree.path("repo/agent")}'`,
  );
  expect(tree.codelia(["trust", "--list"]).stdout).toContain("  no longer trusted: 'tools/run' has changed since");
  expect(trust(tree).stderr).toContain(`(${SCRIPT.length + 10} bytes, program, of the clone, changed)\n`);
  expect([run(tree).exitCode, hasRun(tree)]).toEqual([0, true]);
  expect(trust(tree).stderr).toEndWith("is trusted already\n");
});

const NAMED: readonly (readonly [what: string, commands: Commands])[] = [
  ["an engine's program", { connection: { command: ["./tools/run"] } }],
  ["a script of an engine", { connection: { command: ["/bin/sh", "tools/run"] } }],
  ["further words of an engine", { connection: { command: ["/bin/sh"], args: ["tools/run"] } }],
  ["the text of a shell", { connection: { command: ["/bin/sh", "-c", "cd tools && ../tools/run"] } }],
  ["the text of a shell in two keys", { connection: { command: ["/bin/sh"], args: ["-c", "cd tools; ./run"] } }],
  ["a check", { check: ["./tools/run"] }],
  ["a script of a check", { check: ["env", "A=b", "sh", "tools/run"] }],
  ["a path from the root of the file system", { check: ["sh", "{ROOT}/tools/run"] }],
  ["a link to it", { check: ["sh", "linked"] }],
];

for (const [what, commands] of NAMED) {
  test(`${what} that has changed does not run`, () => {
    using tree = project({});
    const text = definition(commands).replaceAll("{ROOT}", tree.path("repo"));
    tree.write("repo/agent/agent.json", text);
    symlinkSync("tools/run", tree.path("repo/linked"));
    expect(trust(tree).exitCode).toBe(0);
    run(tree);
    expect(hasRun(tree) || hasRun(tree, "repo/tools")).toBe(true);
    tree.remove("repo/ran");
    tree.remove("repo/tools/ran");
    tree.write("repo/tools/run", `${SCRIPT}# changed\n`);
    const { stderr, exitCode } = run(tree);
    expect([exitCode, hasRun(tree), hasRun(tree, "repo/tools")]).toEqual([1, false, false]);
    expect(stderr).toContain(ASK);
    expect(tree.codelia(["trust", "--list"]).stdout).toContain("has changed since it was trusted");
  });
}

const REFUSED: readonly (readonly [what: string, commands: Commands, why: string])[] = [
  [
    "a program that only the shell knows",
    { check: ["sh", "-c", "$TOOL"] },
    "which program it runs is not known in advance",
  ],
  [
    "a script that only the shell knows",
    { check: ["sh", "-c", "sh tools/*"] },
    "which file it runs is not known in advance",
  ],
  ["a text that no shell reads", { check: ["sh", "-c", "'"] }, "its shell script can't be parsed"],
  ["a directory", { check: ["node", "tools"] }, "runs the directory 'tools' of the clone"],
  ["a directory for programs", { check: ["env", "PATH=tools:/bin", "run"] }, "runs the directory 'tools' of the clone"],
  ["a pipe", { check: ["sh", "pipe"] }, "'pipe' is not a regular file"],
  ["a file that is too large", { check: ["sh", "large"] }, "have more than 8388608 bytes in all"],
];

for (const [what, commands, why] of REFUSED) {
  test(`a definition that runs ${what} can't be trusted, and is told what can`, () => {
    using tree = project(commands, {
      "repo/pipe": { fifo: true },
      "repo/large": "x".repeat(8 * 1024 * 1024 + 1),
    });
    const { stdout, stderr, exitCode } = trust(tree);
    expect([stdout, exitCode]).toEqual(["", 3]);
    expect(stderr).toContain(`'${tree.path("repo/agent")}' can't be trusted: steps.say.check.command`);
    expect(stderr).toContain(why);
    expect(stderr).toEndWith("; move what it runs into the definition's directory, and name it there\n");
    expect(run(tree).stderr).toContain("you have not trusted it");
  });
}

test("what a command only reads, writes or finds by itself is not asked about", () => {
  const check = ["sh", "-c", "grep -q done notes.md && npm test > log.txt 2>&1 || true"];
  using tree = project({ check }, { "repo/notes.md": "done\n", "repo/test/x": "", "repo/log.txt": "" });
  expect(trust(tree).stderr).not.toContain("of the clone");
  tree.write("repo/notes.md", "done, and more\n");
  expect(run(tree).exitCode).toBe(0);
});

test("a file that is named only where the run works is not run before it was trusted there", () => {
  using tree = project({ check: ["./run"] }, { "repo/sub/run": TOOL });
  expect(trust(tree).stderr).not.toContain("of the clone");
  const denied = run(tree, "repo/sub");
  expect([denied.exitCode, hasRun(tree, "repo/sub")]).toEqual([1, false]);
  expect(denied.stderr).toContain("'sub/run', which they name here, is not trusted");
  expect(trust(tree, "repo/sub").stderr).toContain("  sub/run  (");
  run(tree, "repo/sub");
  expect(hasRun(tree, "repo/sub")).toBe(true);
});

test("a script that the model changes in the run is not run", () => {
  const change = "printf '#!/bin/sh\\ntouch stolen\\n' > tools/run; echo done";
  using tree = project({ connection: { command: ["sh", "-c", change] }, check: ["sh", "-c", "./tools/run"] });
  expect(trust(tree).exitCode).toBe(0);
  const { stdout, exitCode } = run(tree);
  expect([exitCode, existsSync(tree.path("repo/stolen")), hasRun(tree)]).toEqual([1, false, false]);
  expect(stdout).toContain("'tools/run' has changed since it was trusted");
});

describe("in the worktree of an issue", () => {
  const ISSUE = ["agent", "run", "agent", "--issue", "7", "--json", "--origin"];
  function clone(): Bench & { readonly git: (...args: string[]) => string } {
    const tree = project({ check: ["./tools/run"] });
    tree.remove("repo/.git");
    chmodSync(tree.path("repo/tools/run"), 0o755);
    const at = { ...tree, root: tree.path("repo") };
    const home = {
      ...tree,
      root: tree.path("home"),
      write: (path: string, text: string | Uint8Array) => tree.write(`home/${path}`, text),
    };
    const { git } = gitRepository(at, home);
    return { ...tree, git };
  }
  const ask = (tree: Bench, branch: string): RunResult => tree.codelia([...ISSUE, branch]);

  test("the same script is trusted", () => {
    using tree = clone();
    expect(trust(tree).exitCode).toBe(0);
    expect(ask(tree, "main")).toMatchObject({ exitCode: 0 });
    expect(hasRun(tree, "repo/.worktrees/issue-7")).toBe(true);
  });

  test("that of another branch is not, until it was trusted there", () => {
    using tree = clone();
    expect(trust(tree).exitCode).toBe(0);
    tree.git("switch", "--quiet", "--create", "other");
    tree.write("repo/tools/run", `${SCRIPT}# of the other branch\n`);
    tree.git("commit", "--quiet", "--all", "--message=other");
    tree.git("switch", "--quiet", "main");
    const { stdout, exitCode } = ask(tree, "other");
    const worktree = tree.path("repo/.worktrees/issue-7");
    expect([exitCode, hasRun(tree, "repo/.worktrees/issue-7")]).toEqual([1, false]);
    expect(JSON.parse(stdout).error).toBe(
      `the check's command is not run in '${worktree}': 'tools/run' has changed since it was trusted; run 'codelia trust ${tree.path("repo/agent")}' there to review it`,
    );
  });
});

test("a session that is guided runs no check whose script has changed", () => {
  using tree = project({ check: ["./tools/run"] });
  expect(trust(tree).exitCode).toBe(0);
  expect(tree.codelia(["agent", "start", "agent", "--session", "s"]).exitCode).toBe(0);
  tree.write("repo/tools/run", `${SCRIPT}# changed\n`);
  const event = {
    hook_event_name: "Stop",
    session_id: "s",
    cwd: tree.path("repo"),
    transcript_path: null,
    stop_hook_active: false,
    last_assistant_message: "Said.",
  };
  tree.codelia(["hook", "claude"], { stdin: JSON.stringify(event) });
  const { stdout } = tree.codelia(["agent", "status", "--json"]);
  expect(JSON.parse(stdout).runs[0]).toMatchObject({ status: "stopped", result: { success: false } });
  expect(stdout).toContain("'tools/run' has changed since it was trusted");
  expect(hasRun(tree)).toBe(false);
});

test("the definition's own files run from their copy, and are no files of the clone", () => {
  using tree = project({ check: ["sh", "own.sh"] }, { "repo/agent/own.sh": SCRIPT });
  expect(trust(tree).stderr).not.toContain("of the clone");
  run(tree);
  expect(readFileSync(tree.path("repo/ran"), "utf8")).toContain("ran");
});
