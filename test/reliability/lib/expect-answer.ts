import { expect } from "bun:test";
import { renderResolveReminder } from "../../../src/instructions/tell.ts";
import { ANSWER_LIMIT_MS } from "./aftermath.ts";
import type { Ending } from "./call.ts";

export interface Answer {
  /** The files told, in order; none for silence. */
  readonly files: readonly string[];
  readonly mtimeMs: number;
  /** What standard error holds; nothing by default. */
  readonly stderr?: RegExp;
  readonly withinMs?: number;
}

/** The warning of a call that could tell and not record. */
export const UNRECORDED = /^codelia: warning: could not record in '.+' what was told \(.+\); it may be told again\n$/;

/** Standard output to the byte, standard error, exit code and time, all at once. */
export function expectAnswer(ending: Ending, answer: Answer): void {
  const { files, mtimeMs, stderr, withinMs = ANSWER_LIMIT_MS } = answer;
  const named = files.map((path) => ({ path, mtimeMs }));
  const stdout =
    named.length === 0 ? "" : renderResolveReminder("system-reminder", { files: named, remaining: 0, gone: [] });
  const actual = {
    stdout: plainWords(ending.stdout),
    stderr: stderr?.test(ending.stderr) ? "as expected" : ending.stderr,
    exit: ending.exit,
    inTime: ending.elapsedMs <= withinMs ? true : `${Math.round(ending.elapsedMs)} ms`,
  };
  expect(actual).toEqual({ stdout, stderr: stderr === undefined ? "" : "as expected", exit: 0, inTime: true });
}

/** Which paths were asked about, and what the context knew before, differs from call to call; all else is exact. */
function plainWords(stdout: string): string {
  return stdout
    .replace(/^(Additional AGENTS\.md may apply for) .*:$/m, "$1 this path:")
    .replaceAll(" (changed: read it again)\n", "\n");
}

/** The call that comes after: all was recorded, so it says nothing. */
export function expectSilence(ending: Ending): void {
  expectAnswer(ending, { files: [], mtimeMs: 0 });
}
