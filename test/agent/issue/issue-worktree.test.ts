import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openIssueWorktree } from "../../../src/agent/issue/worktree.ts";
import type { OriginBranch } from "../../../src/agent/issue/origin.ts";
import { ConfigurationError, ExecutionError } from "../../../src/agent/errors.ts";
import { userDirectoriesOf } from "../../../src/config/user-directories.ts";
import type { World } from "../../../src/world.ts";
import { gitRepository, openedGit } from "../../support/git-repository.ts";
import { realWorld } from "../../support/fake-world.ts";
import { tempTree, type Entry } from "../../support/temp-tree.ts";

const AT_MS = Date.UTC(2026, 10, 18, 17, 5, 42, 123);
const INSTANCE = "agent-issue-7-20261118T170542123Z";

function scene(files: Readonly<Record<string, Entry>> = { "a.txt": "a\n" }) {
  const tree = tempTree(files);
  const home = tempTree();
  const { env, git } = gitRepository(tree, home);
  const world = (changes: Partial<World> = {}): World => ({ ...realWorld(env), now: () => AT_MS, ...changes });
  const open = (issue = 7, origin = "main", changes: Partial<World> = {}, cwd = tree.root) => {
    const ref: OriginBranch = { branch: origin, source: "explicit", ref: `refs/heads/${origin}` };
    const own = world(changes);
    using opened = openedGit(own, cwd);
    return openIssueWorktree(own, opened, userDirectoriesOf(env, home.root), issue, ref);
  };
  const fail = (...given: Parameters<typeof open>) => {
    try {
      open(...given);
    } catch (error) {
      return error as Error;
    }
    throw new Error("it was opened");
  };
  const has = (path: string) => existsSync(tree.path(path));
  return {
    tree,
    home,
    git,
    open,
    fail,
    has,
    [Symbol.dispose]: () => [tree, home].map((made) => made[Symbol.dispose]()),
  };
}

/** Another process that lives until it is told to end. */
function sleeper() {
  const child = spawn("sleep", ["300"], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return {
    pid: child.pid!,
    end: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

describe("openIssueWorktree()", () => {
  test("makes branch, worktree and instance, none of which shows in git status", () => {
    using made = scene({ "a.txt": "a\n", ".gitignore": "*.log\n" });
    made.git("branch", "develop");
    made.git("commit", "--quiet", "--allow-empty", "--message=two");
    const { release, keep: _keep, ...opened } = made.open(7, "develop");
    expect(opened).toEqual({
      branch: "feature/issue-7",
      directory: made.tree.path(".worktrees/issue-7"),
      instance: INSTANCE,
      takenOver: undefined,
    });
    expect(made.tree.read(".worktrees/issue-7/a.txt")).toBe("a\n");
    expect(made.git("rev-parse", "feature/issue-7")).toBe(made.git("rev-parse", "develop"));
    expect(made.git("-C", opened.directory, "branch", "--show-current")).toBe("feature/issue-7");
    expect(made.git("status", "--porcelain")).toBe("");
    expect(made.tree.read(".gitignore")).toBe("*.log\n");
    expect(made.tree.read(".git/info/exclude")).toEndWith("\n/.worktrees/\n");
    release();
    release();
    made.open();
    expect(made.tree.read(".git/info/exclude").split("/.worktrees/")).toHaveLength(2);
  });

  test("leaves the list of what is excluded alone where the directory is ignored already", () => {
    using made = scene({ ".gitignore": ".worktrees\n" });
    const before = made.tree.read(".git/info/exclude");
    made.open();
    expect(made.tree.read(".git/info/exclude")).toBe(before);
  });

  test("adds to a list without a newline at its end, and to none that is a link", () => {
    using made = scene();
    made.tree.write(".git/info/exclude", "*.tmp");
    made.open();
    expect(made.tree.read(".git/info/exclude")).toBe("*.tmp\n/.worktrees/\n");
    using other = scene();
    other.home.write("profile", "own\n");
    other.tree.remove(".git/info/exclude");
    symlinkSync(other.home.path("profile"), other.tree.path(".git/info/exclude"));
    other.open();
    expect(other.home.read("profile")).toBe("own\n");
  });

  for (const name of ["codelia", "info", "worktrees", "refs/heads/feature"]) {
    test(`makes nothing where a link in place of .git/${name} leads`, () => {
      using outside = tempTree();
      using made = scene();
      made.tree.remove(`.git/${name}`);
      symlinkSync(outside.root, made.tree.path(`.git/${name}`));
      expect(made.fail().message).toEndWith(`.git/${name}' is a link, which may lead out of the clone`);
      expect(readdirSync(outside.root)).toEqual([]);
    });
  }

  test("goes on with what is there: the worktree, or the branch alone, or a worktree whose directory has gone", () => {
    using made = scene();
    made.open().release();
    made.tree.write(".worktrees/issue-7/work.txt", "half done\n");
    made.open(7, "main", {}, made.tree.path(".worktrees/issue-7")).release();
    expect(made.tree.read(".worktrees/issue-7/work.txt")).toBe("half done\n");
    made.git("-C", ".worktrees/issue-7", "add", ".");
    made.git("-C", ".worktrees/issue-7", "commit", "--quiet", "--message=work");
    made.git("worktree", "remove", ".worktrees/issue-7");
    made.open().release();
    expect(made.tree.read(".worktrees/issue-7/work.txt")).toBe("half done\n");
    made.tree.remove(".worktrees/issue-7");
    made.open().release();
    expect(made.tree.read(".worktrees/issue-7/work.txt")).toBe("half done\n");
  });

  test("lets one instance work on a branch, and takes over from one that has died", async () => {
    using made = scene();
    const other = sleeper();
    const first = made.open(7, "main", { pid: other.pid });
    const error = made.fail(7);
    expect(error).toBeInstanceOf(ExecutionError);
    expect(error).toMatchObject({ recoverable: false, details: { branch: "feature/issue-7", instance: INSTANCE } });
    expect(error.message).toBe(
      `branch 'feature/issue-7' is in use by '${INSTANCE}': wait for it or stop it; if you are sure that it is gone, remove '${made.tree.path(".git/codelia/feature-issue-7.json")}'`,
    );
    expect(made.open(8).branch).toBe("feature/issue-8");
    await other.end();
    const second = made.open(7, "main", { now: () => AT_MS + 1000 });
    expect([second.instance, second.takenOver]).toEqual(["agent-issue-7-20261118T170543123Z", INSTANCE]);
    // The dead one's process may have had a moment left.
    first.release();
    expect(existsSync(made.tree.path(".git/codelia/feature-issue-7.json"))).toBe(true);
    second.release();
    expect(existsSync(made.tree.path(".git/codelia/feature-issue-7.json"))).toBe(false);
  });

  test("gives a branch to one of many processes that ask at the same time", async () => {
    using made = scene();
    const directory = made.tree.path(".git/codelia");
    const children = Array.from({ length: 6 }, (_, index) => {
      const words = [join(import.meta.dirname, "claim-child.ts"), directory, `instance-${index}`];
      const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
      const told = new Promise<string>((resolve) => child.stdout.once("data", (text) => resolve(String(text))));
      return { child, told, ended: new Promise((resolve) => child.on("exit", resolve)) };
    });
    const answers = await Promise.all(children.map(({ told }) => told));
    // They live until all have been answered: one that had died would be taken over.
    for (const { child } of children) child.stdin.end();
    await Promise.all(children.map(({ ended }) => ended));
    const winner = answers.findIndex((answer) => answer === "claimed");
    expect(answers.toSorted()).toEqual(
      [...Array.from({ length: 5 }, () => `refused: instance-${winner}`), "claimed"].toSorted(),
    );
  });

  test("does not take over what can't be seen from here", () => {
    using made = scene();
    made.open();
    const path = ".git/codelia/feature-issue-7.json";
    const claim = JSON.parse(made.tree.read(path));
    made.tree.write(path, JSON.stringify({ ...claim, pidNamespace: "pid:[1]" }));
    expect(made.fail()).toBeInstanceOf(ExecutionError);
  });

  test("gives the branch back when the worktree can't be made", () => {
    using made = scene({ ".worktrees/issue-7/mine.txt": "mine\n" });
    expect(made.fail().message).toBe(
      `worktree '${made.tree.path(".worktrees/issue-7")}' can't be made: something else is in its place; move it away`,
    );
    made.tree.remove(".worktrees");
    expect(made.open().takenOver).toBeUndefined();
  });

  test("follows no link of the clone's out of it", () => {
    using outside = tempTree();
    using made = scene({ ".worktrees": { link: outside.root } });
    expect(made.fail().message).toContain("can't be made: '.worktrees' is a link");
    expect(existsSync(outside.path("issue-7"))).toBe(false);
  });

  test("runs no hook of the clone's", () => {
    using made = scene();
    made.tree.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch hook-ran\n");
    Bun.spawnSync(["chmod", "+x", made.tree.path(".git/hooks/post-checkout")]);
    const { directory } = made.open();
    expect([made.has("hook-ran"), existsSync(`${directory}/hook-ran`)]).toEqual([false, false]);
  });

  test("says which worktree has the branch, and which branch a worktree has", () => {
    using made = scene();
    made.git("checkout", "--quiet", "-b", "feature/issue-7");
    expect(made.fail().message).toBe(
      `branch 'feature/issue-7' is already checked out in '${made.tree.root}': switch that to another branch`,
    );
    made.git("checkout", "--quiet", "main");
    const { directory, release } = made.open();
    release();
    made.git("-C", directory, "checkout", "--quiet", "-b", "another");
    expect(made.fail().message).toBe(
      `worktree '${directory}' has branch 'another' checked out, not 'feature/issue-7': switch it back or remove it`,
    );
    made.git("-C", directory, "checkout", "--quiet", "--detach");
    expect(made.fail().message).toContain("has no branch checked out");
  });

  test("refuses what is no number of an issue", () => {
    using made = scene();
    for (const issue of [0, -1, 1.5, Number.NaN, 2 ** 60]) expect(made.fail(issue)).toBeInstanceOf(ConfigurationError);
  });

  test("refuses what is no clone, and a bare one", () => {
    using made = scene();
    expect(made.fail(7, "main", {}, made.home.root).message).toEndWith("is not in a git repository");
    made.git("clone", "--quiet", "--bare", made.tree.root, made.home.path("bare.git"));
    expect(made.fail(7, "main", {}, made.home.path("bare.git")).message).toEndWith("is not in a git repository");
    made.git("-C", made.home.path("bare.git"), "worktree", "add", "--quiet", made.home.path("linked"), "-b", "other");
    expect(made.fail(7, "main", {}, made.home.path("linked"))).toBeInstanceOf(ConfigurationError);
    expect(readFileSync(made.tree.path(".git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
  });

  test("works in a submodule, and where the working tree is checked out sparsely", () => {
    using made = scene({ "a.txt": "a\n", "kept/b.txt": "b\n", "left/c.txt": "c\n" });
    made.git("sparse-checkout", "set", "kept");
    const { directory } = made.open();
    expect(readdirSync(directory).toSorted()).toEqual([".git", "a.txt", "kept"]);
    expect(made.git("-C", directory, "config", "core.sparseCheckout")).toBe("true");
    expect(made.git("-C", directory, "status", "--porcelain")).toBe("");
    using outer = scene({ "a.txt": "a\n" });
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", made.tree.root, "inner");
    expect(outer.open(7, "main", {}, outer.tree.path("inner")).directory).toBe(
      outer.tree.path("inner/.worktrees/issue-7"),
    );
    expect(outer.tree.read("inner/.worktrees/issue-7/kept/b.txt")).toBe("b\n");
  });

  test("changes no repository that a clone's '.git' only points to", () => {
    using made = scene();
    using clone = tempTree({ ".git": `gitdir: ${made.tree.path(".git")}\n` });
    expect(made.fail(7, "main", {}, clone.root).message).toBe(
      `an issue's worktree can't be made: '${clone.path(".git")}' points to '${made.tree.path(".git")}', which does not point back`,
    );
    using linked = tempTree({
      ".git": "gitdir: own\n",
      "own/HEAD": "ref: refs/heads/main\n",
      "own/commondir": `${made.tree.path(".git")}\n`,
    });
    linked.write("own/gitdir", `${linked.path(".git")}\n`);
    using shared = tempTree({ ".git/HEAD": "ref: refs/heads/x\n", ".git/commondir": `${made.tree.path(".git")}\n` });
    for (const tree of [linked, shared]) {
      expect(made.fail(7, "main", {}, tree.root).message).toEndWith("which does not point back");
    }
    expect(made.git("branch", "--list", "feature/*")).toBe("");
  });

  test("has a worktree lead to the clone that was left leading to what stood in for it", () => {
    using made = scene();
    made.open().release();
    made.tree.write(".worktrees/issue-7/.git", "gitdir: /tmp/codelia-git-gone/worktrees/issue-7\n");
    const { directory } = made.open();
    expect(made.git("-C", directory, "branch", "--show-current")).toBe("feature/issue-7");
  });
});
