import { spawnSync } from "node:child_process";
import { dir, tempTree, type Entry, type TempTree } from "./temp-tree.ts";

/** A repository with a branch `main`, and `work` checked out, which left it. */
export function branched(files: Readonly<Record<string, Entry>>): TempTree {
  const below = Object.fromEntries(Object.entries(files).map(([path, entry]) => [`repo/${path}`, entry]));
  const tree = tempTree({ "home/": dir, ...below });
  git(tree, "init", "--quiet", "--initial-branch=main");
  commit(tree, "begin");
  git(tree, "checkout", "--quiet", "-b", "work");
  return tree;
}

export function git(tree: TempTree, ...args: string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", HOME: tree.path("home"), GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...who, ...args], { cwd: tree.path("repo"), env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

export function commit(tree: TempTree, message: string): void {
  git(tree, "add", "--all");
  git(tree, "commit", "--quiet", "-m", message);
}
