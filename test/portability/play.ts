import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CALLS, FILES } from "./calls.ts";

export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Something that runs codelia: a build, or a runtime with the bundle. */
export interface Subject {
  readonly name: string;
  /** What it really runs on here. */
  readonly how: string;
  /** Where the tree is made, as this machine names it. */
  readonly base: string;
  /** A path of the tree as the target's system writes it. */
  readonly at: (path: string) => string;
  /** Runs in `repo/` of the tree, with `home/` as the home directory. */
  readonly run: (args: readonly string[], stdin: string) => Promise<Answer>;
  /** Texts that stand for the program, however the target names it. */
  readonly programs: readonly string[];
}

/** Mtimes are printed. */
const MADE_AT_S = 1_700_000_000;

/** Paths that are printed as they stand in the tree. */
const RELATIVE = [...Object.keys(FILES).map((path) => path.replace(/^\w+\//, "")), "no/such/file"];

/** Plays all calls in a fresh tree; the answers without what differs from run to run. */
export async function play(subject: Subject): Promise<readonly Answer[]> {
  rmSync(subject.base, { recursive: true, force: true });
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(subject.base, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, MADE_AT_S, MADE_AT_S);
  }
  const answers: Answer[] = [];
  for (const { args, stdin } of CALLS) {
    const { stdout, stderr, exitCode } = await subject.run(args, stdin?.(subject.at) ?? "");
    answers.push({ stdout: plain(stdout, subject), stderr: plain(stderr, subject), exitCode });
  }
  return answers;
}

/** Without paths of the machine, times and random names. */
export function plain(text: string, { at, programs }: Pick<Subject, "at" | "programs">): string {
  let result = text;
  for (const program of programs) result = result.replaceAll(written(program), "<PROGRAM>");
  for (const name of ["home", "repo"]) {
    result = result.replaceAll(written(at(name)), `<${name}>`);
    if (at(name).includes("\\")) result = result.replaceAll(below(name), (path) => path.replaceAll(/\\+/g, "/"));
  }
  if (at("").includes("\\")) {
    for (const path of RELATIVE) result = result.replaceAll(written(path.replaceAll("/", "\\")), path);
    // A directory on a line of its own.
    result = result.replaceAll("\\\n", "/\n");
  }
  return (
    result
      // A runtime and its script; and some paths need no quotes.
      .replaceAll(/(?:'?<PROGRAM>'? ?){2}/g, "<PROGRAM> ")
      .replaceAll("'<PROGRAM>'", "<PROGRAM>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<TIME>")
      .replaceAll(/\b[0-9a-f]{16}\b/g, "<HASH>")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<UUID>")
      .replaceAll(/\b1[789](?!00000000000)\d{11}\b/g, "<MS>")
      .replaceAll(/\b\d+(?:\.\d+)? ms\b/g, "<N> ms")
      // Paths count.
      .replaceAll(/[\d,]+ characters\b/g, "<N> characters")
  );
}

/** A path as any text may have it: as it is, in JSON, in JSON in JSON, as an address. */
function written(path: string): RegExp {
  const parts = path.split(/[\\/]/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(
    path.includes("\\") ? `${parts[0] === "C:" ? "/?" : ""}${parts.join("[\\\\/]+")}` : parts.join("/"),
    "g",
  );
}

/** What follows such a path, to its end. In JSON `\\n` ends a line; no name here begins so. */
function below(name: string): RegExp {
  const part = String.raw`(?:sp ace|[^\\/\s"'<>()]+)`;
  return new RegExp(String.raw`<${name}>(?:\\+(?!n)${part}|/${part})*(?:\\+(?=\s))?`, "g");
}

/** For each call that was answered otherwise: the call, and the first lines that differ. */
export function differences(expected: readonly Answer[], actual: readonly Answer[]): readonly string[] {
  return expected.flatMap((answer, index) => {
    const other = actual[index];
    if (other === undefined) return [`${CALLS[index]?.args.join(" ")}: not played`];
    const found = [
      ...(answer.exitCode === other.exitCode ? [] : [`exit code ${other.exitCode}, not ${answer.exitCode}`]),
      ...firstDifference("stdout", answer.stdout, other.stdout),
      ...firstDifference("stderr", answer.stderr, other.stderr),
    ];
    return found.length === 0
      ? []
      : [`${CALLS[index]?.args.join(" ")}\n${found.map((line) => `    ${line}`).join("\n")}`];
  });
}

function firstDifference(stream: string, expected: string, actual: string): string[] {
  if (expected === actual) return [];
  const [left, right] = [expected.split("\n"), actual.split("\n")];
  const at = left.findIndex((line, index) => line !== right[index]);
  const index = at === -1 ? left.length : at;
  const [one, other] = [left[index] ?? "", right[index] ?? ""];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const shown = (line: string | undefined) =>
    line === undefined ? "nothing" : JSON.stringify(line.slice(Math.max(0, same - 60), same + 120));
  return [`${stream}, line ${index + 1}: ${shown(right[index])}, not ${shown(left[index])}`];
}
