import { expect } from "bun:test";
import { tempTree, type Entry } from "../../support/temp-tree.ts";
import { runCodex, type CodexOptions } from "./codex.ts";
import { recordHooks, type HookAnswer, type HookCall } from "./hook-recorder.ts";
import { SCENE_FILES } from "./play-claude.ts";
import type { ClientRun } from "./run-with-model.ts";

export interface CodexScene extends Omit<CodexOptions, "tree" | "home" | "hooks"> {
  /** Beside those of every scene. */
  readonly files?: Readonly<Record<string, Entry>>;
  readonly homeFiles?: Readonly<Record<string, Entry>>;
  /** What the hooks say, by event. */
  readonly answers?: Readonly<Record<string, HookAnswer | readonly HookAnswer[]>>;
}

/** One run that must end well, on a tree and in a home of its own, with hooks that are recorded. */
export async function playCodex(scene: CodexScene): Promise<{ run: ClientRun; calls: readonly HookCall[] }> {
  const { files, homeFiles, answers = {}, cwd = ".", ...options } = scene;
  using tree = tempTree({ ...SCENE_FILES, ...files });
  using home = tempTree(homeFiles);
  const { hooks, calls } = recordHooks(home, answers);
  const run = await runCodex({ ...options, tree, home, cwd: tree.path(cwd), hooks });
  const { exitCode, leftBehind } = run;
  // It says there that it reads stdin, and what it thinks of a model's call.
  expect({ exitCode, stderr: run.stderr, leftBehind }).toEqual({
    exitCode: 0,
    stderr: expect.any(String),
    leftBehind: [],
  });
  return { run, calls: calls() };
}
