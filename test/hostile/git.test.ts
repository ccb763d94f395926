import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";
import { ALL_KEYS, GIT_CASES, type GitCase } from "./cases/git-takeovers.ts";

setDefaultTimeout(120_000);

// What the `.git` of an unpacked archive may hold, and every command that asks git. Nothing that it names is run,
// nobody is asked, and what would block is refused long before git's own deadline.
const IS_WHOLE = process.env["CODELIA_TEST_ALL"] === "1";
const EVERY = IS_WHOLE ? 1 : 4;
const WITHIN_MS = 10_000;

const AGENT = {
  name: "agent",
  entryStep: "say",
  completion: { type: "iterationBudget", max: 1 },
  connection: { engine: "command", command: ["/bin/cat"] },
  steps: { say: { prompt: { path: "say.md" } } },
};
const MARK = "was-run";
const ATTRIBUTES = "* filter=evil diff=evil merge=evil\n";

/** Made once: a clone with a branch `main`, and `work` checked out, in which a file was touched and one blanked. */
const template = tempTree({
  "home/.gitconfig": "[user]\n\tname = T\n\temail = t@example.org\n",
  "repo/AGENTS.md": "Run the tests.\n",
  "repo/a.txt": "a\n",
  "repo/sub/AGENTS.md": "Run the tests.\n",
  "repo/agent/agent.json": JSON.stringify(AGENT),
  "repo/agent/say.md": "Say it.\n",
  "repo/.gitattributes": ATTRIBUTES,
  "repo/tools/x": "",
});
afterAll(() => template[Symbol.dispose]());
git(template, "init", "--quiet", "--initial-branch=main");
git(template, "add", "--all");
git(template, "commit", "--quiet", "--message=one");
const SUB_TREE = git(template, "rev-parse", "main:sub");
git(template, "checkout", "--quiet", "-b", "work");
template.write("repo/sub/AGENTS.md", "");
// Same size, another time: git has to look into it.
template.write("repo/a.txt", "b\n");
template.touch("repo/a.txt", 1_700_000_000_000);

function git(tree: TempTree, ...args: string[]): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: tree.path("home"), GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", args, { cwd: tree.path("repo"), env, encoding: "utf8" }).trim();
}

/** The clone as it is unpacked, trusted as far as an agent definition can be, and then spoiled. */
function spoiled({ config, entries = {}, without = [] }: GitCase): TempTree {
  const table = Object.entries(entries).map(([path, entry]) => [`repo/${path}`, entry] as const);
  const tree = tempTree({ "home/": dir });
  execFileSync("cp", ["-a", `${template.root}/.`, tree.root]);
  expect(codelia(tree, ["trust", "agent", "--yes", "--quiet"]).exitCode).toBe(0);
  const program = tree.path("program");
  tree.write("program", `#!/bin/sh\ntouch ${tree.path(MARK)}\ncat\n`);
  chmodSync(program, 0o755);
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction"]) {
    tree.write(`repo/tools/hooks/${hook}`, `#!/bin/sh\ntouch ${tree.path(MARK)}\n`);
    chmodSync(tree.path(`repo/tools/hooks/${hook}`), 0o755);
  }
  tree.write(
    "repo/tools/included",
    `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
  );
  for (const path of without) {
    const object = path === "{tree of sub}" ? `.git/objects/${SUB_TREE.slice(0, 2)}/${SUB_TREE.slice(2)}` : path;
    rmSync(tree.path("repo", object));
  }
  if (config !== undefined) appendFileSync(tree.path("repo/.git/config"), config(program, tree));
  for (const [path] of table) rmSync(tree.path(path), { recursive: true, force: true });
  using planted = tempTree(Object.fromEntries(table));
  execFileSync("cp", ["-a", `${planted.root}/.`, tree.root]);
  return tree;
}

function codelia(tree: TempTree, args: readonly string[], more: Readonly<Record<string, string>> = {}): RunResult {
  const env = { GIT_CONFIG_NOSYSTEM: "1", ...more };
  return runCodelia(args, { cwd: tree.path("repo"), home: tree.path("home"), env, timeoutMs: WITHIN_MS });
}

/** What is wrong after all commands that ask git were called, a sentence each. */
function faultsOf(tree: TempTree, { isRefused, refuses }: GitCase): string[] {
  const faults: string[] = [];
  const call = (
    name: "check" | "run" | "trust",
    args: readonly string[],
    isAsWanted: (result: RunResult) => boolean,
  ) => {
    const began = Date.now();
    let result: RunResult;
    try {
      result = codelia(tree, args);
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
      return;
    }
    const isAbout = name !== "trust" && isRefused === true;
    const isWanted = isAbout || refuses === name ? isRefusal(result) : isAsWanted(result);
    if (!isWanted) faults.push(`${name} (${Date.now() - began} ms): ${JSON.stringify(result)}`);
    if (existsSync(tree.path(MARK))) faults.push(`${name} ran a program of the clone's`);
    rmSync(tree.path(MARK), { force: true });
  };
  call("trust", ["trust", tree.path("repo")], ({ exitCode }) => [1, 3, 64].includes(exitCode));
  call("check", ["check", "--changed", "main", "--json"], ({ stdout, exitCode }) => exitCode <= 1 && changedIn(stdout));
  const run = ["agent", "run", "agent", "--issue", "7", "--origin", "main", "--json"];
  call("run", run, ({ stdout, exitCode }) => exitCode === 0 && JSON.parse(stdout).success && isCheckedOut(tree));
  return faults;
}

/** It says why, in one line, and nothing else. */
function isRefusal({ stdout, stderr, exitCode }: RunResult): boolean {
  const { code, message } = JSON.parse(stdout).error ?? {};
  return [1, 3].includes(exitCode) && code !== "internal" && stderr === `codelia: ${message}\n`;
}

function changedIn(stdout: string): boolean {
  const { findings } = JSON.parse(stdout);
  return (
    findings.length === 1 && findings[0].rule === "instructions-blank" && findings[0].path.endsWith("sub/AGENTS.md")
  );
}

/** The branch's own files, in a worktree that git knows afterwards as any other. */
function isCheckedOut(tree: TempTree): boolean {
  const at = tree.path("repo/.worktrees/issue-7");
  const { status, stdout } = spawnSync("git", ["-C", at, "rev-parse", "--git-common-dir", "--abbrev-ref", "HEAD"], {
    env: { PATH: process.env["PATH"] ?? "", HOME: tree.path("home"), GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    timeout: WITHIN_MS,
  });
  const isBlocked = status === null; // by the pipe that the clone holds
  const isKnown = isBlocked || stdout === `${tree.path("repo/.git")}\nfeature/issue-7\n`;
  return isKnown && tree.read("repo/.worktrees/issue-7/a.txt") === "a\n" && readdirSync(join(at, "sub")).length === 1;
}

for (const [index, hostile] of GIT_CASES.entries()) {
  if (index % EVERY !== 0) continue;
  test(`a clone with ${hostile.what} has git run nothing, ask nobody and wait for nothing`, () => {
    using tree = spoiled(hostile);
    expect(faultsOf(tree, hostile)).toEqual([]);
  });
}

test("what gh has git do in the clone runs nothing either", () => {
  using tree = spoiled({
    what: "",
    config: (...given) => `${ALL_KEYS.config?.(...given)}[remote "up"]\n\turl = https://h/o/r\n`,
  });
  const asks = `git remote -v > ${tree.path("remotes")}; git status; git diff; git fetch; git checkout --quiet -- a.txt`;
  tree.write("home/bin/gh", `#!/bin/sh\n(${asks}) > /dev/null 2>&1\necho '{"body":"base_branch: main"}'\n`);
  chmodSync(tree.path("home/bin/gh"), 0o755);
  const PATH = `${tree.path("home/bin")}:${process.env["PATH"]}`;
  const { stdout } = codelia(tree, ["agent", "run", "agent", "--issue", "7", "--json"], { PATH });
  expect([JSON.parse(stdout).success, isCheckedOut(tree), existsSync(tree.path(MARK))]).toEqual([true, true, false]);
  expect(tree.read("remotes")).toContain("up\thttps://h/o/r (fetch)\n");
});

test("without a fault in the clone both commands do what they are for", () => {
  using tree = spoiled({ what: "" });
  expect(faultsOf(tree, { what: "" })).toEqual([]);
});
