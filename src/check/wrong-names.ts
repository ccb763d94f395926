import { readBlocks } from "../lib/markdown/blocks.ts";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import { scanMentions } from "../lib/markdown/inline.ts";
import { entriesOf } from "../lib/path-facts.ts";
import { textPositions } from "../lib/text-positions.ts";
import { keptFindings, type Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import { finding } from "./rules.ts";

/*
 * The rule `instructions-wrong-name`: `ActivityEditor.tsx`, where only `ActivitiesEditor.tsx` exists.
 */

/** The names of all files of a repository, read when the first is asked for. */
export interface FileNames {
  has(name: string): boolean;
  /** The only file whose name has the same words. */
  meantBy(name: string): string | undefined;
}

/** @param directories all that are checked */
export function fileNames(directories: readonly string[]): FileNames {
  let byWords: Map<string, Set<string>> | undefined;
  const names = new Set<string>();

  function read(): Map<string, Set<string>> {
    if (byWords !== undefined) return byWords;
    byWords = new Map();
    for (const directory of directories) {
      for (const { name } of entriesOf(directory)) {
        if (names.has(name)) continue;
        names.add(name);
        const key = wordsOf(name);
        const alike = byWords.get(key);
        if (alike === undefined) byWords.set(key, new Set([name]));
        else alike.add(name);
      }
    }
    return byWords;
  }

  return {
    has: (name) => read() !== undefined && names.has(name),
    meantBy(name) {
      const alike = read().get(wordsOf(name));
      return alike?.size === 1 ? [...alike][0] : undefined;
    },
  };
}

/** The words of a name without case, separators and plurals: `ActivitiesEditor.tsx` is `activity editor tsx`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (word.length < 4 ? word : word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "")))
    .join(" ")
    .trim();
}

/** A name of a source file that consists of several words: others are everywhere. */
const SOURCE =
  /^[A-Za-z][\w-]*(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kt|swift|cs|php|md|mdx|ya?ml|toml|sh)$/;
const SEVERAL_WORDS = /[a-z0-9][A-Z]|[A-Za-z0-9][-_][A-Za-z0-9]/;
const NO_ADVICE =
  /\b(?:(?:no|not|never|avoid|n't|instead of|rather than|legacy|old|add(?:s|ed|ing)?|new|e\.?g|examples?|such as|like|bad|wrong|good|pattern|→|->|becomes?|vs|exact)\b|(?:replac|remov|delet|deprecat|renam|creat|generat|writ)\w|former|previous|convention|naming)|[❌✅]/i;

/** "in PascalCase" */
const OF_CASE = /case\b/i;

export function wrongNames({ path, text }: InstructionText, files: FileNames): Finding[] {
  const positionOf = textPositions(text);
  const findings: Finding[] = [];
  // A line can have very many names: it is read once.
  let end = -1;
  let isNoAdvice = false;
  for (const block of readBlocks(text, frontMatterOf(text).bodyStart).prose) {
    scanMentions(text, block, ({ kind, written, at }) => {
      if (kind !== "code" || written.length > 80 || !SOURCE.test(written) || !hasSeveralWords(written)) return true;
      if (at > end) {
        end = endOfLine(text, at);
        const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, end).replaceAll(/`[^`]*`/g, "");
        isNoAdvice = NO_ADVICE.test(line) || OF_CASE.test(line);
      }
      if (isNoAdvice || files.has(written)) return true;
      const meant = files.meantBy(written);
      if (meant === undefined) return true;
      const message = `no file is called '${written}'`;
      const remedy = `correct it: there is '${meant}'`;
      findings.push(
        finding("instructions-wrong-name", { path, ...positionOf(at), message, remedy, concerns: [meant, written] }),
      );
      return true;
    });
  }
  return keptFindings(findings);
}

function hasSeveralWords(name: string): boolean {
  return SEVERAL_WORDS.test(name.slice(0, name.indexOf(".")));
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
