import type { UserDirectories } from "../../config/user-directories.ts";
import { runProgram } from "../../lib/process.ts";
import type { AgentCommand } from "../../trust/agent-commands.ts";
import type { World } from "../../world.ts";
import { assertTrusted, ownWord, type OpenDefinition } from "../definition/open.ts";
import { queryMarker } from "../engines/engine.ts";
import { judgeCommand, type StepCheckResult } from "../judge/answer.ts";

export interface CommandCheck {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The step's answer, passed to the command on standard input. */
  readonly answer: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The mark of the run. */
  readonly mark?: string | undefined;
}

/**
 * Runs the checks of a definition, each from its trusted copy, and only while the files it names are trusted.
 *
 * @error ExecutionError if they are not
 */
export function trustedChecks(
  world: World,
  userDirectories: UserDirectories,
  opened: OpenDefinition,
): (check: CommandCheck) => Promise<StepCheckResult> {
  return async (check) => {
    const words = check.words.map((word) => ownWord(opened.validated.directory, word));
    const command: AgentCommand = { key: "the check's command", words, behind: [], kind: "command" };
    assertTrusted(world, userDirectories, opened, [command], check.cwd);
    return checkByCommand(world, { ...check, words });
  };
}

/** The end of a command's output, where the error usually is; it goes into the next prompt. */
const MAX_OUTPUT_BYTES = 4096;

const CUT = "[only the end of it]";

/**
 * Checks a step with a program of a trusted definition: it passes if the program exits with 0.
 *
 * @effect the program's; one that takes too long is ended, with everything it started
 */
export async function checkByCommand(world: World, check: CommandCheck): Promise<StepCheckResult> {
  const { words, cwd, answer, timeoutMs, signal, mark } = check;
  const [program = "", ...args] = words;
  let kept = new Uint8Array(0);
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
      isCut ||= kept.length + bytes.length > MAX_OUTPUT_BYTES;
      kept = Buffer.concat([kept, bytes]).subarray(-MAX_OUTPUT_BYTES);
    },
  });
  const stdout = fromLine(new TextDecoder().decode(kept), isCut);
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

/** The cut text starts in the middle of a line. */
function fromLine(text: string, isCut: boolean): string {
  if (!isCut) return text;
  const at = text.trimEnd().indexOf("\n");
  return `${CUT}\n${text.slice(at + 1)}`;
}
