import { mentionedPaths, type CodePath, type CodeSpan, type PathMentions } from "../lib/markdown/paths.ts";

export const MAX_REFERENCES = 500;

/** The directories that the specification names: a path that begins with one of them is meant to be in the skill. */
export const SKILL_DIRECTORIES: ReadonlySet<string> = new Set(["scripts", "references", "assets"]);

/**
 * The files that the text of a skill refers to.
 *
 * @param text the whole file
 * @param from where its body begins
 */
export function skillReferences(text: string, from: number): PathMentions {
  return mentionedPaths(text, from, MAX_REFERENCES, pathsInCode);
}

/** The first name in a path, after a leading `./`. */
export function firstSegment(path: string): string {
  return (path.startsWith("./") ? path.slice(2) : path).split("/", 1)[0] ?? "";
}

const MAX_SPAN = 1024;

/**
 * The whole of a code span where it looks like a file (`references/checklist.md`), else the words of a command that begin
 * in a directory that the specification names (`python scripts/run.py --fast`).
 */
function pathsInCode({ written, at }: CodeSpan): CodePath[] {
  if (written.length > MAX_SPAN || !written.includes("/")) return [];
  const words = [...written.matchAll(/\S+/g)].map((match) => ({ path: match[0], at: at + match.index }));
  const files = words.filter(({ path }) => isPlainFile(path));
  return words.length === 1 ? files : files.filter(({ path }) => SKILL_DIRECTORIES.has(firstSegment(path)));
}

/** Characters of command lines and patterns, which plain file names don't have. */
const NOT_PLAIN = /[\s*?[\]{}<>$|"'`:;,=()!^~#%&\\…\0]|\.\.\./;
const EXTENSION = /[^/]\.[A-Za-z0-9]{1,10}$/;

function isPlainFile(word: string): boolean {
  return (
    word.includes("/") &&
    !/^[/@-]/.test(word) &&
    !NOT_PLAIN.test(word) &&
    EXTENSION.test(word) &&
    !word.split("/").includes("..")
  );
}
