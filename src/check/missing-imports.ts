import { basename, dirname, resolve } from "node:path";
import { importsIn } from "../instructions/memory-text.ts";
import { isThere, namesIn } from "../lib/path-facts.ts";
import { isInside, ladder } from "../lib/paths.ts";
import { groupBy } from "../lib/sorting.ts";
import { nearest } from "../lib/words.ts";
import { textPositions } from "../lib/text-positions.ts";
import { keptFindings, type Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import { isNoImport } from "./mention-context.ts";
import { finding } from "./rules.ts";
import { isBeginning, type TextPaths } from "./text-paths.ts";

/*
 * The rule `instructions-missing-import`: `@path` of a file that does not exist, which a client passes over without a
 * word.
 */

/** Ends of a sentence, which a reader does not take for a part of the path. */
const PUNCTUATION = `.,;:!?)]}>"'”’`;
/** An import that a comment or a code span interrupts is not found as written, and each search goes to the end. */
const MAX_LOST = 100;
/** To compare a name with all that are there takes long, and only the first findings are printed. */
const MAX_GUESSES = 100;
/** Of more in one file nobody is told: each costs a look at the disk and at the words around it. */
const MAX_JUDGED = 10_000;
/** What people import. `@types/node` and `@someone` are no files. */
const IMPORTED = /\.(?:md|mdx|mdc|txt|json|ya?ml|toml)$/i;
/** In these an at sign is an import. Elsewhere it may be a mention, for a client that starts from the root. */
export const IMPORTING = /^(?:CLAUDE(?:\.local)?|GEMINI|QWEN)\.md$/;

/** Whether what an import names is looked for, as a file of the project. */
export function isPage(bare: string): boolean {
  return IMPORTED.test(bare) && !/^[~/]/.test(bare) && !/[*<>{}$…]/.test(bare);
}

/** An import that leads nowhere. */
interface LostImport {
  readonly bare: string;
  readonly at: number;
  readonly target: string;
}

/**
 * @param root canonical
 * @param mentioned the other paths that it names
 */
export function missingImports(
  file: InstructionText,
  root: string,
  isIgnored: (path: string) => boolean,
  mentioned: TextPaths,
): Finding[] {
  const { path, text } = file;
  const { lost, found } = importsOf(file, root, isIgnored);
  const targets = groupBy(lost, ({ target }) => target);
  if (isBeginning(mentioned, { lost: targets.size, found })) return [];
  const positionOf = textPositions(text);
  let guesses = 0;
  const findings = [...targets.values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { bare, at, target } = first;
    // What is missing in one directory that is not there has one cause, and so has what several files import.
    const where = dirname(target);
    const cause = isThere(where)
      ? { key: bare, noun: "more file", where: " that imports it" }
      : { key: `${path}\0${where}`, noun: "more import", where: " from its directory" };
    return finding("instructions-missing-import", {
      path,
      ...positionOf(at),
      message: `the import '@${bare}' leads nowhere, so that its text is not read`,
      remedy: remedyFor(first, root, guesses++ < MAX_GUESSES),
      ...severityOf(first, file, root),
      cause,
      concerns: [target],
    });
  });
  return keptFindings(findings);
}

/**
 * What is there from the root is no import, but whoever wrote so often means a path that the agent looks up. (Among other
 * words it surely is one: some projects mention all their files in this way.)
 */
function severityOf(
  { bare, at }: LostImport,
  { name, text }: InstructionText,
  root: string,
): Pick<Finding, "severity"> | {} {
  if (isThere(resolve(root, bare))) return { severity: "note" };
  return IMPORTING.test(name) || isAlone(text, at) ? {} : { severity: "warning" };
}

/** Whether an import is all that its line says. */
function isAlone(text: string, at: number): boolean {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*(?:[-*+][ \t]+)?$/.test(text.slice(start, at)) && /^\S+[ \t]*(?:\r?\n|$)/.test(text.slice(at));
}

function importsOf(
  { name, directory, realPath, text }: InstructionText,
  root: string,
  isIgnored: (path: string) => boolean,
): { readonly lost: readonly LostImport[]; readonly found: number } {
  let from = 0;
  let unplaced = 0;
  let found = 0;
  const imports = importsIn(text).slice(0, MAX_JUDGED);
  const lost = imports.flatMap((written): LostImport[] => {
    const at = unplaced < MAX_LOST ? text.indexOf(`@${written.replaceAll(" ", String.raw`\ `)}`, from) : -1;
    if (at >= 0) from = at + 1;
    else unplaced++;
    const bare = withoutPunctuation(written);
    if (!isPage(bare)) return [];
    const target = resolve(dirname(realPath), bare);
    const isMention =
      (!IMPORTING.test(name) || !isAlone(text, at)) &&
      ladder(root, directory).some((start) => isThere(resolve(start, bare)));
    if (isThere(target) || isMention) found++;
    else if (
      isInside(root, target) &&
      !isIgnored(target) &&
      !/\.local\./.test(bare) &&
      !isNoImport(text, Math.max(0, at))
    )
      return [{ bare, at: Math.max(0, at), target }];
    return [];
  });
  return { lost, found };
}

function remedyFor({ bare, target }: LostImport, root: string, mayGuess: boolean): string {
  if (isThere(resolve(root, bare))) return "an import starts from its file, not from the root";
  const names = mayGuess ? namesIn(dirname(target)).filter((name) => IMPORTED.test(name)) : [];
  const meant = nearest(basename(bare), names);
  return meant === undefined ? "correct or remove it" : `correct it: there is '${meant}'`;
}

function withoutPunctuation(written: string): string {
  let end = written.length;
  while (end > 0 && PUNCTUATION.includes(written[end - 1] as string)) end--;
  return written.slice(0, end);
}
