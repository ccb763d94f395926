import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { bench, file, type Bench } from "./agents-bench.ts";

// The root in git's own layouts, made by git itself.

function git(tree: Bench, directory: string, ...args: string[]): string {
  const identity = { GIT_AUTHOR_NAME: "n", GIT_AUTHOR_EMAIL: "e", GIT_COMMITTER_NAME: "n", GIT_COMMITTER_EMAIL: "e" };
  const env = { ...process.env, ...identity, HOME: tree.path("home"), GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd: tree.path(directory),
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function commitAll(tree: Bench, directory: string): void {
  git(tree, directory, "init", "-q");
  git(tree, directory, "add", "-A");
  git(tree, directory, "commit", "-q", "-m", "all");
}

test("root: .git may be a file", () => {
  using tree = bench({
    "repo/AGENTS.md": file("outer\n"),
    "repo/a/.git": "gitdir: /absent\n",
    "repo/a/AGENTS.md": file("a\n"),
    "repo/a/b/": { dir: true },
  });
  expect(tree.bundle([], { cwd: "repo/a/b" })).toEqual(["repo/a/AGENTS.md"]);
});

test("root: a real worktree is a root of its own", () => {
  using tree = bench({ "repo/AGENTS.md": file("main\n"), "repo/sub/AGENTS.md": file("sub\n") });
  commitAll(tree, "repo");
  git(tree, "repo", "worktree", "add", "-q", tree.path("repo/trees/one"));
  git(tree, "repo", "worktree", "add", "-q", tree.path("outside"));
  for (const place of ["repo/trees/one", "outside"]) {
    expect(tree.bundle([], { cwd: `${place}/sub` })).toEqual([`${place}/AGENTS.md`, `${place}/sub/AGENTS.md`]);
    expect(tree.resolve([`${tree.path(place)}/sub/x.ts`], { cwd: `${place}/sub` })).toEqual([]);
    expect(git(tree, place, "status", "--short")).toBe("");
  }
});

test("root: a real submodule is a root of its own from inside, and part of the project from outside", () => {
  using tree = bench({ "repo/AGENTS.md": file("main\n"), "lib/AGENTS.md": file("lib\n") });
  commitAll(tree, "lib");
  commitAll(tree, "repo");
  git(tree, "repo", "submodule", "--quiet", "add", tree.path("lib"), "vendor/lib");
  git(tree, "repo", "commit", "-q", "-m", "submodule");
  const inside = "repo/vendor/lib";
  expect(tree.bundle([], { cwd: inside })).toEqual([`${inside}/AGENTS.md`]);
  expect(tree.resolve(["vendor/lib/x.ts"])).toEqual(["repo/AGENTS.md", `${inside}/AGENTS.md`]);
  // A target outside the submodule has the outer repository for its own root.
  expect(tree.resolve([tree.path("repo/y.ts")], { cwd: inside })).toEqual(["repo/AGENTS.md"]);
  expect(git(tree, "repo", "status", "--short")).toBe("");
});

test("root: what we keep never shows in git status, whichever directory was the cwd", () => {
  using tree = bench({ "repo/AGENTS.md": file("main\n"), "repo/a/AGENTS.md": file("a\n") });
  commitAll(tree, "repo");
  tree.codelia(["init-context"], { cwd: "repo/a" });
  tree.codelia(["trim", "--max-bytes", "1"], { stdin: "long enough" });
  tree.codelia(["resolve", "--root", tree.path("repo/a"), "x.ts"], { cwd: "repo/a" });
  expect(git(tree, "repo", "status", "--short")).toBe("");
  tree.write("repo/.codelia/config.json", "{}\n");
  expect(git(tree, "repo", "status", "--short")).toBe("?? .codelia/\n");
});
