import { runProgram } from "../../io/run-program.ts";
import type { World } from "../../world.ts";
import { RUN_VARIABLE } from "../connection/recursion-guard.ts";
import { judgeCommand, type StepCheckResult } from "../judgement/step-check.ts";

/** Of what a command says, the end: there it tells what is wrong. It goes into the next prompt. */
const MAX_OUTPUT_BYTES = 4096;

export interface CommandCheck {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The step's answer: the command has it on standard input. */
  readonly answer: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The check of a step by a program, of a trusted definition.
 *
 * @output passed where it ends with 0
 * @effect the program's; one that takes too long is ended, with all it started
 * @error  none
 */
export async function checkByCommand(world: World, check: CommandCheck): Promise<StepCheckResult> {
  const { words, cwd, answer, timeoutMs, signal } = check;
  const [program = "", ...args] = words;
  let said = new Uint8Array(0);
  const end = await runProgram(world, {
    program,
    args,
    cwd,
    env: {},
    marker: { name: RUN_VARIABLE, value: world.random() },
    stdin: answer,
    timeoutMs,
    signal,
    onOutput: (bytes) => {
      said = Buffer.concat([said, bytes]).subarray(-MAX_OUTPUT_BYTES);
    },
  });
  const output = "stderr" in end ? `${new TextDecoder().decode(said)}\n${end.stderr.slice(-MAX_OUTPUT_BYTES)}` : "";
  switch (end.kind) {
    case "ended":
      return judgeCommand(end.exitCode, output);
    case "timed-out":
      return { pass: false, reason: `the command '${program}' did not end within ${timeoutMs} ms` };
    case "failed":
      return { pass: false, reason: `the command '${program}' can't be run: ${end.reason}` };
    case "aborted":
    case "stopped":
      return judgeCommand(undefined, output);
  }
}
