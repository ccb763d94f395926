import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Entry } from "../support/temp-tree.ts";

// The trees are data, so that others can use them: README.md beside this file describes them.

/** A file's text, or what stands there instead. */
export type TreeEntry =
  | string
  | { readonly link: string }
  | { readonly dir: true }
  /** Lines of twenty characters, each with the label and its number, so that what is cut can be counted. */
  | { readonly numbered: string; readonly lines: number };

export type Step =
  | { readonly read: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly shell: string }
  | { readonly agent: string }
  /** The model says to have read so much that the client compacts. */
  | { readonly compact: true }
  /** A new process goes on with the session; before that, these files are written. */
  | { readonly resume: Readonly<Record<string, string>> };

export interface Watch {
  /** What stands in the table. */
  readonly label: string;
  /** What the model gets to read if the client gives it this file or skill. */
  readonly text: string;
  /** The file that holds it, as far as naming its path alone is an answer. */
  readonly path?: string;
  /** A skill's, as far as naming it without its description is an answer. */
  readonly name?: string;
  /** What the convention or the specification expects; left out where neither says anything. */
  readonly expect?: boolean;
}

/** One row: a project, what the model is made to do in it, and what is looked for in what it was sent. */
export interface Tree {
  readonly name: string;
  readonly group: string;
  readonly title: string;
  readonly about: string;
  readonly files: Readonly<Record<string, TreeEntry>>;
  readonly home?: Readonly<Record<string, TreeEntry>>;
  /** Where the session begins, below the tree. */
  readonly cwd?: string;
  readonly steps?: readonly Step[];
  readonly watch: readonly Watch[];
  /** Count these numbered lines, or these skills, instead. */
  readonly count?: { readonly numbered: string } | { readonly skills: number };
  /** Only what a sub-agent is sent. */
  readonly inAgent?: true;
}

const FOLDER = join(import.meta.dirname, "trees");

/** In the order of their file names. */
export function loadTrees(): readonly Tree[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((file): Tree => {
      const data = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
      // The number before it is its place.
      return Object.assign(data, { name: basename(file, ".json").replace(/^\d+-/, "") });
    });
}

/** What a run does not depend on. */
const WORDS: ReadonlySet<string> = new Set(["name", "title", "about", "group"]);

export function hashOf(tree: Tree): string {
  const parts = Object.fromEntries(Object.entries(tree).filter(([key]) => !WORDS.has(key)));
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/** As a temporary tree takes them. */
export function entriesOf(table: Readonly<Record<string, TreeEntry>> = {}): Record<string, Entry> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([path, entry]): [string, Entry][] => {
      if (typeof entry === "object" && "numbered" in entry) return [[path, numberedText(entry.numbered, entry.lines)]];
      return [[path, entry]];
    }),
  );
}

export const LINE_BYTES = 20;

function numberedText(label: string, lines: number): string {
  return Array.from({ length: lines }, (_, index) => `${numberedLine(label, index + 1)}\n`).join("");
}

export function numberedLine(label: string, number: number): string {
  return `${label} ${String(number).padStart(LINE_BYTES - label.length - 3, "0")}.`;
}

/** Skills with descriptions of 300 characters, which end with their number. */
export function manySkills(count: number): Record<string, Entry> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index): [string, Entry] => {
      const name = skillName(index);
      const description = `Use it to ${"do this and that and ".repeat(20)}`.slice(0, 280);
      return [
        `.agents/skills/${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: ${description} End of ${name}\n---\nText.\n`,
      ];
    }),
  );
}

export function skillName(index: number): string {
  return `many-${String(index + 1).padStart(3, "0")}`;
}
