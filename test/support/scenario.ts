import { CODELIA } from "./run-codelia.ts";
import { openShell } from "./shell-session.ts";
import { dir, tempTree, type Entry } from "./temp-tree.ts";
import { judgeShown, judgeStep, parseTranscript, type Step } from "./transcript.ts";

/**
 * A scenario is a file that a person can read from top to bottom: prose that says what it shows; then the files
 * (`-- path --`, `-- path/ --`, `-- path -> target --`); then, under `-- commands --`, the session. `{WORK}` is the
 * directory of all this, `{WORK}/home` the user's home.
 */
interface Scenario {
  readonly prose: string;
  readonly files: Readonly<Record<string, Entry>>;
  readonly steps: readonly Step[];
  /** Everything above the first command, as written. */
  readonly head: string;
}

interface PlayOptions {
  /** The directory that `{WORK}` stands for. */
  readonly work: string;
  /** Where it begins; default `work`. */
  readonly cwd?: string;
  readonly home: string;
  /** The steps show standard output and standard error without marks, either of them first. */
  readonly isTerminal?: boolean;
  readonly codelia?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Outcome {
  /** One text for each step whose output is not as written. */
  readonly mismatches: readonly string[];
  /** Every step as it should be written. */
  readonly corrected: readonly string[];
}

const HEADER = /^-- (.+) --$/;
const COMMANDS = "commands";

export function parseScenario(text: string): Scenario {
  const lines = text.replace(/\n$/, "").split("\n");
  const headers = lines.flatMap((line, index) => {
    const name = HEADER.exec(line)?.[1];
    return name === undefined ? [] : [{ name, index }];
  });
  const prose = lines.slice(0, headers[0]?.index).join("\n").trim();
  if (prose === "") throw new Error("a scenario must begin with prose that says what it shows");

  const session = headers.at(-1);
  if (session?.name !== COMMANDS) throw new Error(`a scenario must end with '-- ${COMMANDS} --' and a session`);
  const steps = parseTranscript(lines.slice(session.index + 1), session.index + 2);
  if (steps.length === 0) throw new Error("a scenario must have a command");

  const files: Record<string, Entry> = {};
  for (const [position, { name, index }] of headers.slice(0, -1).entries()) {
    const body = lines.slice(index + 1, headers[position + 1]?.index);
    const [path, entry] = parseFile(name, body.map((line) => `${line}\n`).join(""), index + 1);
    if (Object.hasOwn(files, path)) throw new Error(`line ${index + 1}: there are two files '${path}'`);
    files[path] = entry;
  }
  return { prose, files, steps, head: lines.slice(0, session.index + 1).join("\n") };
}

/** Plays a scenario in a directory of its own. `corrected` is the file's text as it should be. */
export async function playScenario(
  text: string,
  codelia?: string,
): Promise<{ mismatches: readonly string[]; corrected: string }> {
  const { files, steps, head } = parseScenario(text);
  using tree = tempTree({ home: dir, ...files });
  for (const [path, entry] of Object.entries(files)) {
    if (typeof entry === "string") tree.write(path, fillIn(entry, tree.root));
  }
  const options: PlayOptions = {
    work: tree.root,
    home: tree.path("home"),
    ...(codelia === undefined ? {} : { codelia }),
  };
  const { mismatches, corrected } = await playSteps(steps, options);
  return { mismatches, corrected: `${[head, ...corrected].join("\n")}\n` };
}

/** Plays all steps, even after one with another output. */
export async function playSteps(steps: readonly Step[], options: PlayOptions): Promise<Outcome> {
  const { work, cwd = work, home, codelia = CODELIA, env = {}, isTerminal = false } = options;
  using shell = openShell({ cwd, home, codelia, env });
  const mismatches: string[] = [];
  const corrected: string[] = [];
  for (const step of steps) {
    const { stdout, stderr, exitCode } = await shell.run(fillIn(step.command, work));
    const result = { stdout: withoutWork(stdout, work), stderr: withoutWork(stderr, work), exitCode };
    const verdict = isTerminal ? judgeShown(step, result) : judgeStep(step, result);
    corrected.push(verdict.corrected);
    if (verdict.agrees) continue;
    mismatches.push(
      [
        `line ${step.line}: not as written (- expected, + printed)`,
        verdict.difference,
        "as it is:",
        verdict.corrected,
      ].join("\n"),
    );
  }
  return { mismatches, corrected };
}

function parseFile(name: string, body: string, line: number): [path: string, entry: Entry] {
  const [path = "", target, ...rest] = name.split(" -> ");
  const isDirectory = path.endsWith("/");
  if (rest.length > 0) throw new Error(`line ${line}: '-- path -> target --' must have one arrow`);
  if (target === undefined && !isDirectory) return [path, body];
  if (body.trim() !== "") throw new Error(`line ${line}: '${path}' is not a file and can't have text`);
  return target === undefined ? [path, dir] : [path, { link: target }];
}

/** `${WORK}` stays: it is a variable of the shell. */
function fillIn(text: string, work: string): string {
  return text.replaceAll(/(?<!\$)\{WORK\}/g, work);
}

function withoutWork(text: string, work: string): string {
  return text.replaceAll(work, "{WORK}");
}
