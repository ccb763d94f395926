import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { openGit, type Git } from "../../src/lib/git.ts";
import type { World } from "../../src/world.ts";
import type { TempTree } from "./temp-tree.ts";

export interface GitRepository {
  /** PATH and HOME, so that no configuration of the developer's plays a part. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs git in the tree; its standard output, trimmed. Throws where git says no. */
  git(...args: string[]): string;
}

/** A repository with one commit on `main` that holds what is in the tree. */
export function gitRepository(tree: TempTree, home: TempTree): GitRepository {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home.root, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: tree.root, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  home.write(".gitconfig", "[user]\n\tname = T\n\temail = t@example.org\n");
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message=one");
  return { env, git };
}

/** A program of the user's own: a shell script, first on PATH when its directory is put there. */
export function writeProgram(tree: TempTree, path: string, script: string): void {
  tree.write(path, `#!/bin/sh\n${script}\n`);
  chmodSync(tree.path(path), 0o755);
}

/** The program's own git for a directory; the test that asks it closes it. */
export function openedGit(world: World, directory: string): Git & Disposable {
  const git = openGit(world, directory);
  if ("kind" in git) throw new Error(git.reason);
  return { ...git, [Symbol.dispose]: git.close };
}
