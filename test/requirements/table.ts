import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nearest } from "../../src/lib/words.ts";

/*
 * What the program was asked to do, one sentence of a specification after the other, each with the tests that prove it.
 * A file is a specification:
 *
 *     Its title
 *
 *     4.2.1  A sentence, after the number of its section.
 *            acceptance/root.test.ts: the title of a test, as the source has it
 *            acceptance/root.test.ts: the title of a test with a table # the row in the table, or another string in the file
 *            scenarios/told-once.txt: a line of the scenario
 */

export interface Requirement {
  /** Of its section. */
  readonly number: string;
  readonly sentence: string;
  readonly proofs: readonly string[];
}

export interface Specification {
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

const DIRECTORY = import.meta.dirname;
const TESTS = join(DIRECTORY, "..");

export function readSpecifications(): Map<string, Specification> {
  const names = readdirSync(DIRECTORY).filter((name) => name.endsWith(".txt"));
  return new Map(names.map((name) => [name, readSpecification(readFileSync(join(DIRECTORY, name), "utf8"))]));
}

export function readSpecification(text: string): Specification {
  const [title = "", ...lines] = text.split("\n").filter((line) => line.trim() !== "");
  const requirements: { number: string; sentence: string; proofs: string[] }[] = [];
  for (const line of lines) {
    const [, number, sentence] = /^([\d.]+) +(.+)$/.exec(line) ?? [];
    if (number !== undefined && sentence !== undefined) requirements.push({ number, sentence, proofs: [] });
    else if (line.startsWith(" ")) requirements.at(-1)?.proofs.push(line.trim());
    else throw new Error(`neither a requirement nor a test: '${line}'`);
  }
  return { title, requirements };
}

/** Why a test that is named is not there; undefined if it is. */
export function missingProof(proof: string, sourceOf: (file: string) => string | undefined): string | undefined {
  const [, file, named] = /^(\S+\.(?:ts|txt)): (.+)$/.exec(proof) ?? [];
  if (file === undefined || named === undefined) return `'${proof}' is not of the form 'file: test'`;
  const source = sourceOf(file);
  if (source === undefined) return `there is no file '${file}'`;
  if (file.endsWith(".txt")) {
    return source.split("\n").some((line) => line.trim() === named) ? undefined : `'${file}' has no line '${named}'`;
  }
  const [title = "", row] = named.split(" # ");
  const titles = titlesIn(source);
  if (!titles.includes(title)) {
    const close = nearest(title, titles);
    return `'${file}' has no test '${title}'${close === undefined ? "" : `; did it become '${close}'?`}`;
  }
  if (row === undefined || ['"', "'", "`"].some((quote) => source.includes(quote + row + quote))) return undefined;
  return `'${file}' has no row '${row}'`;
}

/** The source of a test file. */
export function sourceAt(file: string): string | undefined {
  try {
    return readFileSync(join(TESTS, file), "utf8");
  } catch {
    return undefined;
  }
}

/** The titles of the tests that run, as the source has them; one that is always skipped proves nothing. */
const TITLE =
  /\b(?:test\w*|\w+Test)(?:\.(?:each|skipIf|if)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs;

export function titlesIn(source: string): string[] {
  return [...source.matchAll(TITLE)].map((match) => match[2] ?? "");
}
