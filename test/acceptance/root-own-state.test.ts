import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dir } from "../support/temp-tree.ts";
import { bench, file, type Bench } from "./agents-bench.ts";

// No call changes the root of a later one. Every case calls in one directory, and then asks in another whether the root
// is still the same.

function bareTree(more: Record<string, typeof dir> = {}): Bench {
  return bench({
    "repo/AGENTS.md": file("top\n"),
    "repo/a/AGENTS.md": file("a\n"),
    "repo/a/b/AGENTS.md": file("b\n"),
    ...more,
  });
}

test("root: a call in a tree without markers changes the root of no deeper directory", () => {
  using tree = bareTree();
  const before = tree.bundle(["--no-state"], { cwd: "repo/a/b" });
  expect(tree.resolve(["x.ts"], { cwd: "repo" })).toEqual(["repo/AGENTS.md"]);
  expect(existsSync(tree.path("repo/.codelia/session.json"))).toBeTrue();
  expect(existsSync(tree.path("repo/.codelia/state-only"))).toBeTrue();
  expect(tree.resolve(["x.ts"], { cwd: "repo/a" })).toEqual(["repo/a/AGENTS.md"]);
  expect(tree.bundle(["--no-state"], { cwd: "repo/a/b" })).toEqual(before);
});

test("root: a call in a tree without markers changes the root of no higher directory", () => {
  using tree = bareTree();
  tree.resolve(["x.ts"], { cwd: "repo/a/b" });
  tree.resolve(["x.ts"], { cwd: "repo/a" });
  expect(tree.resolve(["a/b/x.ts"])).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/a/b/AGENTS.md"]);
});

for (const command of [["init-context"], ["resume-diff"], ["trim", "--max-bytes", "1"]]) {
  test(`root: '${command[0]}' marks its directory as made for state only`, () => {
    using tree = bareTree();
    const { exitCode } = tree.codelia(command, { stdin: "long enough" });
    expect(exitCode).toBe(0);
    expect(tree.bundle(["--no-state"], { cwd: "repo/a" })).toEqual(["repo/a/AGENTS.md"]);
  });
}

test("root: the ledger of an override makes its directory no root for other calls", () => {
  using tree = bareTree({ "repo/.git/": dir });
  tree.resolve(["x.ts"], { cwd: "repo/a", env: { CODELIA_AGENTS_ROOT: tree.path("repo/a") } });
  expect(existsSync(tree.path("repo/a/.codelia/session.json"))).toBeTrue();
  expect(tree.bundle(["--no-state"], { cwd: "repo/a/b" })[0]).toBe("repo/AGENTS.md");
});

test("root: a ledger under custom markers makes its directory no root for the default ones", () => {
  using tree = bareTree({ "repo/.git/": dir });
  tree.write("repo/a/package.json", "{}\n");
  tree.resolve(["x.ts"], { cwd: "repo/a/b", env: { CODELIA_AGENTS_MARKERS: "package.json" } });
  expect(existsSync(tree.path("repo/a/.codelia/session.json"))).toBeTrue();
  expect(tree.bundle(["--no-state"], { cwd: "repo/a/b" })[0]).toBe("repo/AGENTS.md");
});

test("root: a ledger in a git root makes it no root when .codelia is the only marker", () => {
  using tree = bareTree({ "repo/.git/": dir });
  const call = { cwd: "repo/a", env: { CODELIA_AGENTS_MARKERS: ".codelia" } };
  const before = tree.bundle(["--no-state"], call);
  tree.resolve(["x.ts"], { ...call, cwd: "repo" });
  expect(tree.bundle(["--no-state"], call)).toEqual(before);
});

test("root: a .codelia with state-only becomes a marker when a config is put into it", () => {
  using tree = bareTree();
  tree.resolve(["x.ts"]);
  tree.write("repo/.codelia/config.json", "{}\n");
  expect(tree.bundle(["--no-state"], { cwd: "repo/a" })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("root: a .codelia that the user made is a marker and stays one", () => {
  using tree = bareTree({ "repo/.codelia/": dir });
  tree.resolve(["x.ts"]);
  expect(readdirSync(tree.path("repo/.codelia"))).not.toContain("state-only");
  expect(tree.bundle(["--no-state"], { cwd: "repo/a" })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("root: a .codelia made beside .git needs no mark, and git sees nothing of it", () => {
  using tree = bareTree({ "repo/.git/": dir });
  tree.resolve(["x.ts"]);
  expect(readdirSync(tree.path("repo/.codelia")).toSorted()).toEqual([".gitignore", "session.json", "sessions"]);
  expect(tree.bundle(["--no-state"], { cwd: "repo/a" })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("root: in the home directory no state goes into the user's own .codelia", () => {
  using tree = bench({ "home/.git/": dir, "home/AGENTS.md": file("home\n"), "home/p/": dir });
  expect(tree.resolve(["x.ts"], { cwd: "home/p" })).toEqual(["home/AGENTS.md"]);
  expect(existsSync(tree.path("home/.codelia"))).toBeFalse();
  expect(tree.resolve(["x.ts"], { cwd: "home/p" })).toEqual([]);
});

test("root: nor does any in the home directory by another name", () => {
  using tree = bench({ "home/.git/": dir, "home/AGENTS.md": file("home\n"), "home/p/": dir, hlink: { link: "home" } });
  expect(tree.resolve(["x.ts"], { cwd: "home/p", home: "hlink" })).toEqual(["home/AGENTS.md"]);
  expect(existsSync(tree.path("home/.codelia"))).toBeFalse();
});

test("root: the user's config in a home directory that is a root isn't restricted as a project's", () => {
  const config = JSON.stringify({ agents: { root: { stopAtFsRoot: false } } });
  using tree = bench({ "home/.git/": dir, "home/.codelia/config.json": config, hlink: { link: "home" } });
  const quiet = { stdout: "", stderr: "", exitCode: 0 };
  expect(tree.codelia(["resolve", "x.ts"], { cwd: "home" })).toEqual(quiet);
  expect(tree.codelia(["resolve", "x.ts"], { cwd: "home", home: "hlink" })).toEqual(quiet);
  const env = { CODELIA_HOME: `${tree.path("home/.codelia")}/` };
  expect(tree.codelia(["resolve", "x.ts"], { cwd: "home", env })).toEqual(quiet);
});
