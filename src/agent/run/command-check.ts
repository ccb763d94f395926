import { runProgram } from "../../lib/run-program.ts";
import type { World } from "../../world.ts";
import { queryMarker } from "../engines/run-variable.ts";
import { judgeCommand, type StepCheckResult } from "../judge/step-check.ts";

/** Of what a command says, the end: there it tells what is wrong. It goes into the next prompt. */
const MAX_OUTPUT_BYTES = 4096;
const CUT = "[only the end of it]";

export interface CommandCheck {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The step's answer: the command has it on standard input. */
  readonly answer: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of the run that asks. */
  readonly mark?: string | undefined;
}

/**
 * The check of a step by a program, of a trusted definition.
 *
 * @output passed where it ends with 0
 * @effect the program's; one that takes too long is ended, with all it started
 * @error  none
 */
export async function checkByCommand(world: World, check: CommandCheck): Promise<StepCheckResult> {
  const { words, cwd, answer, timeoutMs, signal, mark } = check;
  const [program = "", ...args] = words;
  let said = new Uint8Array(0);
  let isCut = false;
  const end = await runProgram(world, {
    program,
    args,
    cwd,
    env: {},
    marker: queryMarker(world, mark),
    stdin: answer,
    timeoutMs,
    signal,
    onOutput: (bytes) => {
      isCut ||= said.length + bytes.length > MAX_OUTPUT_BYTES;
      said = Buffer.concat([said, bytes]).subarray(-MAX_OUTPUT_BYTES);
    },
  });
  const stdout = fromLine(new TextDecoder().decode(said), isCut);
  const output = "stderr" in end ? `${stdout}\n${endOf(end.stderr)}` : "";
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

function endOf(text: string): string {
  return fromLine(text.slice(-MAX_OUTPUT_BYTES), text.length > MAX_OUTPUT_BYTES);
}

/** What was cut begins in the middle of a line. */
function fromLine(text: string, isCut: boolean): string {
  if (!isCut) return text;
  const at = text.trimEnd().indexOf("\n");
  return `${CUT}\n${text.slice(at + 1)}`;
}
