import { expect } from "bun:test";
import { tempTree, type Entry } from "../../support/temp-tree.ts";
import { runClaude, type ClaudeOptions } from "./claude.ts";
import { recordHooks, type HookAnswer, type HookCall } from "./hook-recorder.ts";
import type { ClientRun } from "./run-with-model.ts";

export const SCENE_FILES = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "a.txt": "text of a\n",
  "b.txt": "text of b\n",
  "sub/c.txt": "text of c\n",
};

export interface ClaudeScene extends Omit<ClaudeOptions, "tree" | "home" | "script" | "hooks"> {
  /** Beside those of every scene. */
  readonly files?: Readonly<Record<string, Entry>>;
  readonly homeFiles?: Readonly<Record<string, Entry>>;
  /** What the hooks say, by event. */
  readonly answers?: Readonly<Record<string, HookAnswer | readonly HookAnswer[]>>;
  /** Made when the tree is there, because the tools want absolute paths. */
  readonly script?: (path: (name: string) => string) => ClaudeOptions["script"];
}

/** One run that must end well, on a tree and in a home of its own, with hooks that are recorded. */
export async function playClaude(scene: ClaudeScene): Promise<{ run: ClientRun; calls: readonly HookCall[] }> {
  const { files, homeFiles, answers = {}, script, cwd = ".", ...options } = scene;
  using tree = tempTree({ ...SCENE_FILES, ...files });
  using home = tempTree(homeFiles);
  const { hooks, calls } = recordHooks(home, answers);
  const where = { tree, home, cwd: tree.path(cwd) };
  const run = await runClaude({ ...options, ...where, hooks, script: script?.((name) => tree.path(name)) ?? {} });
  const { exitCode, stderr, leftBehind } = run;
  expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 0, stderr: "", leftBehind: [] });
  return { run, calls: calls() };
}
