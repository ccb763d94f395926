import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { openGit, type Git } from "../../src/lib/git.ts";
import type { World } from "../../src/world.ts";
import { dir, tempTree, type Entry, type TempTree } from "./temp-tree.ts";

interface GitRepository {
  /** PATH and HOME, so that the developer's own configuration has no effect. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs git in the tree; its standard output, trimmed. Throws if git fails. */
  git(...args: string[]): string;
}

/** A repository with one commit on `main` that contains the whole tree. */
export function gitRepository(tree: TempTree, home: TempTree): GitRepository {
  const env = environmentFor(home.root);
  const run = (...args: string[]) => runGit(args, tree.root, env);
  home.write(".gitconfig", "[user]\n\tname = T\n\temail = t@example.org\n");
  run("init", "--quiet", "--initial-branch=main");
  run("add", "--all");
  run("commit", "--quiet", "--allow-empty", "--message=one");
  return { env, git: run };
}

function environmentFor(home: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
}

function runGit(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** A program of the user's: a shell script. */
export function writeProgram(tree: TempTree, path: string, script: string): void {
  tree.write(path, `#!/bin/sh\n${script}\n`);
  chmodSync(tree.path(path), 0o755);
}

/** The git that the program uses for a directory; closed at the end of the scope. */
export function openedGit(world: World, directory: string): Git & Disposable {
  const opened = openGit(world, directory);
  if ("kind" in opened) throw new Error(opened.reason);
  return { ...opened, [Symbol.dispose]: opened.close };
}

/** A repository at `repo` with a branch `main`, and a branch `work` from it checked out. */
export function branched(files: Readonly<Record<string, Entry>>): TempTree {
  const below = Object.fromEntries(Object.entries(files).map(([path, entry]) => [`repo/${path}`, entry]));
  const tree = tempTree({ "home/": dir, ...below });
  git(tree, "init", "--quiet", "--initial-branch=main");
  commit(tree, "begin");
  git(tree, "checkout", "--quiet", "-b", "work");
  return tree;
}

/** Runs git in that repository. */
export function git(tree: TempTree, ...args: string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  runGit([...who, ...args], tree.path("repo"), environmentFor(tree.path("home")));
}

export function commit(tree: TempTree, message: string): void {
  git(tree, "add", "--all");
  git(tree, "commit", "--quiet", "-m", message);
}
