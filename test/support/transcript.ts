import { compareLines, linesOf, type ComparedLine } from "./expected-lines.ts";
import type { RunResult } from "./run-codelia.ts";

/**
 * A session at a prompt, as in a manual:
 *
 *     $ a command \
 *         continued after a backslash
 *     > or, as a shell shows it, after a second prompt
 *     its standard output
 *     2> its standard error
 *     [exit 1]
 */
export interface Step {
  /** Where the command stands, counted from 1. */
  readonly line: number;
  readonly command: string;
  /** The lines that make up the command, with their prompts. */
  readonly prompt: readonly string[];
  /** The lines below them, as written. */
  readonly body: readonly string[];
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly exitCode: number;
}

interface Verdict {
  readonly agrees: boolean;
  /** Lines that were expected and not printed (`-`), and lines that were printed and not expected (`+`). */
  readonly difference: string;
  /** The step as it should be written, keeping every placeholder that still holds. */
  readonly corrected: string;
}

const PROMPT = "$ ";
const SECOND_PROMPT = "> ";
const EXIT = /^\[exit (\d+)\]$/;
const MILLISECONDS_SINCE_1970 = /\b1\d{12}\b/g;

export function parseTranscript(lines: readonly string[], firstLine = 1): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < lines.length;) {
    if (!isPrompt(lines[index])) throw new Error(`line ${firstLine + index}: expected a command ('$ …')`);
    let bodyAt = index + 1;
    while (bodyAt < lines.length && continues(lines[bodyAt - 1], lines[bodyAt])) bodyAt++;
    let end = bodyAt;
    while (end < lines.length && !isPrompt(lines[end])) end++;
    const prompt = lines.slice(index, bodyAt);
    steps.push({
      line: firstLine + index,
      command: prompt.map(withoutPrompt).join("\n"),
      prompt,
      ...parseBody(lines.slice(bodyAt, end), firstLine + bodyAt),
    });
    index = end;
  }
  return steps;
}

/** Judges stdout, stderr and exit code together. */
export function judgeStep(step: Step, result: RunResult): Verdict {
  const stdout = compareLines(step.stdout, linesOf(result.stdout));
  const stderr = compareLines(step.stderr, linesOf(result.stderr)).map(asStderr);
  const exit: ComparedLine[] =
    step.exitCode === result.exitCode
      ? exitLines(step.exitCode).map((text) => ({ kind: "same", text }))
      : [
          ...exitLines(step.exitCode).map((text) => ({ kind: "missing" as const, text })),
          ...exitLines(result.exitCode).map((text) => ({ kind: "extra" as const, text })),
        ];
  const compared = [...stdout, ...stderr, ...exit];
  const agrees = step.exitCode === result.exitCode && compared.every(({ kind }) => kind === "same");
  const body = agrees ? step.body : compared.filter(({ kind }) => kind !== "missing").map(general);
  return {
    agrees,
    difference: [...step.prompt.map((line) => `  ${line}`), ...compared.map(marked)].join("\n"),
    corrected: [...step.prompt, ...body].join("\n"),
  };
}

/** Judges what a terminal shows, with either stream first, and the exit code. */
export function judgeShown(step: Step, { stdout, stderr, exitCode }: RunResult): Verdict {
  const verdict = judgeStep(step, { stdout: stdout + stderr, stderr: "", exitCode });
  if (verdict.agrees) return verdict;
  const otherOrder = judgeStep(step, { stdout: stderr + stdout, stderr: "", exitCode });
  return otherOrder.agrees ? otherOrder : verdict;
}

function isPrompt(line: string | undefined): boolean {
  return line === "$" || line?.startsWith(PROMPT) === true;
}

function continues(previous: string | undefined, line: string | undefined): boolean {
  return line?.startsWith(SECOND_PROMPT) === true || /(?<!\\)(\\\\)*\\$/.test(previous ?? "");
}

function withoutPrompt(line: string): string {
  return line.startsWith(PROMPT) || line.startsWith(SECOND_PROMPT) ? line.slice(2) : line;
}

function parseBody(body: readonly string[], firstLine: number): Pick<Step, "body" | "stdout" | "stderr" | "exitCode"> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  let exitCode: number | undefined;
  for (const [index, line] of body.entries()) {
    if (exitCode !== undefined) throw new Error(`line ${firstLine + index}: '[exit ${exitCode}]' must come last`);
    const exit = EXIT.exec(line)?.[1];
    if (exit !== undefined) exitCode = Number(exit);
    else if (line === "2>" || line.startsWith("2> ")) stderr.push(line.slice(3));
    else stdout.push(line);
  }
  return { body, stdout, stderr, exitCode: exitCode ?? 0 };
}

function exitLines(exitCode: number): string[] {
  return exitCode === 0 ? [] : [`[exit ${exitCode}]`];
}

function asStderr({ kind, text }: ComparedLine): ComparedLine {
  return { kind, text: text === "" ? "2>" : `2> ${text}` };
}

function marked({ kind, text }: ComparedLine): string {
  return `${{ same: "  ", missing: "- ", extra: "+ " }[kind]}${text}`;
}

/** A printed line, with placeholders for what will differ the next time. */
function general({ kind, text }: ComparedLine): string {
  return kind === "extra" ? text.replaceAll(MILLISECONDS_SINCE_1970, "{mtime}") : text;
}
