import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { findProgram } from "../../src/lib/programs.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { gitRepository, openedGit, writeProgram } from "../support/git-repository.ts";
import { tempTree } from "../support/temp-tree.ts";

describe("openGit()", () => {
  test("asks git, and tells a no from an accident", () => {
    using tree = tempTree();
    using home = tempTree();
    const { env } = gitRepository(tree, home);
    using git = openedGit(fakeWorld({ env }), tree.root);
    expect(git.ask(["branch", "--show-current"])).toEqual({ kind: "ok", stdout: "main\n" });
    expect(git.ask(["rev-parse", "--verify", "nowhere"])).toMatchObject({ kind: "refused", exitCode: 128 });
    expect(git.ask(["status"], { cwd: tree.path("gone") })).toEqual({
      kind: "failed",
      reason: "it can't be started (ENOENT)",
    });
  });

  test("runs neither the clone's file system monitor nor its hooks", () => {
    using tree = tempTree({ "a.txt": "a\n" });
    using home = tempTree();
    const { env, git } = gitRepository(tree, home);
    writeProgram(tree, ".git/hooks/post-checkout", "touch ran-hook");
    writeProgram(tree, "monitor", "touch ran-monitor");
    git("config", "core.fsmonitor", tree.path("monitor"));
    using asked = openedGit(fakeWorld({ env }), tree.root);
    expect(asked.ask(["status", "--porcelain"]).kind).toBe("ok");
    expect(asked.ask(["checkout", "--quiet", "-b", "other"]).kind).toBe("ok");
    expect([existsSync(tree.path("ran-hook")), existsSync(tree.path("ran-monitor"))]).toEqual([false, false]);
    // Both would run without our care.
    git("checkout", "--quiet", "-b", "third");
    expect([existsSync(tree.path("ran-hook")), existsSync(tree.path("ran-monitor"))]).toEqual([true, true]);
  });

  test("asks of the directory's repository, whatever the hook that calls us points at", () => {
    using tree = tempTree();
    using other = tempTree();
    using home = tempTree();
    const { env } = gitRepository(tree, home);
    const { git } = gitRepository(other, home);
    git("branch", "of-the-other");
    const world = fakeWorld({ env: { ...env, GIT_DIR: other.path(".git"), GIT_WORK_TREE: other.root } });
    using asked = openedGit(world, tree.root);
    expect(asked.ask(["branch", "--format=%(refname:short)"])).toEqual({ kind: "ok", stdout: "main\n" });
  });
});

describe("findProgram()", () => {
  test("passes over what is in the clone, links into it and what can't be run", () => {
    using tree = tempTree({ "bin/": { dir: true } });
    using home = tempTree({ "linked/git": { link: tree.path("bin/git") }, "plain/git": "no program" });
    using clone = tempTree({ link: { link: tree.root } });
    writeProgram(tree, "bin/git", "touch pwned");
    writeProgram(home, "good/git", "exit 0");
    const search = (...directories: string[]) =>
      findProgram(fakeWorld({ env: { PATH: directories.join(":") } }), "git", tree.root);
    const good = home.path("good");
    expect(search(tree.path("bin"), good)).toBe(home.path("good/git"));
    expect(search(home.path("linked"), good)).toBe(home.path("good/git"));
    expect(search(home.path("plain"), good)).toBe(home.path("good/git"));
    expect(search(clone.path("link/bin"), good)).toBe(home.path("good/git"));
    expect(search("bin", "", tree.path("bin"))).toBeUndefined();
  });

  test("takes none of the clone around a worktree or a directory, but the user's own in a home that is kept in git", () => {
    using clone = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", ".worktrees/issue-7/.git": "gitdir: x\n" });
    writeProgram(clone, "bin/git", "exit 0");
    const search = (home: string, tree: string) =>
      findProgram(fakeWorld({ env: { PATH: clone.path("bin") }, home }), "git", clone.path(tree));
    expect(search("/home/u", ".worktrees/issue-7")).toBeUndefined();
    expect(search("/home/u", "sub/deeper")).toBeUndefined();
    expect(search(clone.root, "projects/one")).toBe(clone.path("bin/git"));
  });
});
