import { mentionedPaths, type CodePath, type CodeSpan, type PathMentions } from "../lib/markdown/paths.ts";
import { isSaidToBeGone, isSaidToBeMissing, withoutMade } from "./mention-context.ts";
import { plainPaths } from "./skill-plain-paths.ts";

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
  const made = new Set<string>();
  const found = mentionedPaths(text, from, MAX_REFERENCES, (span) => {
    const paths = pathsInCode(span);
    if (paths.length === 0 || !(isSaidToBeMissing(text, span) || isSaidToBeGone(text, span))) return paths;
    for (const { path } of paths) made.add(path);
    return [];
  });
  return { ...found, mentions: withoutMade([...found.mentions, ...plainPaths(text, from, made)], made) };
}

/** The first name in a path, after any `./`. */
export function firstSegment(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").split("/", 1)[0] ?? "";
}

const MAX_SPAN = 1024;

/**
 * A whole code span that looks like a file (`references/checklist.md`), otherwise the words of a command that begin
 * with a directory named by the specification (`python scripts/run.py --fast`).
 */
function pathsInCode({ written, at }: CodeSpan): CodePath[] {
  if (written.length > MAX_SPAN || !written.includes("/")) return [];
  const words = [...written.matchAll(/\S+/g)].map((match) => ({ path: match[0], at: at + match.index }));
  const files = words.filter(({ path }) => isPlainFile(path));
  return words.length === 1 ? files : files.filter(({ path }) => SKILL_DIRECTORIES.has(firstSegment(path)));
}

/** Characters of command lines and patterns, which plain file names don't contain. */
const NOT_PLAIN = /[\s*?[\]{}<>$|"'`:;,=()!^~#%&\\…\0]|\.\.\./;
/** Names in examples. */
const STAND_IN =
  /^(?:foo|bar|baz|qux|example|your|my)(?:[-_.].*)?$|^(?:file(?:name)?|name|path)(?:\.[a-z]+)?$|[-_](?:name|NN?)(?:\.[a-z]+)?$/i;
/** `phaseN.md` */
const NUMBERED = /^[a-z_-]*N\.[a-z]+$/;
/** Of words that lost the blanks between them. */
const GLUED = /\.md[a-z]/;
const EXTENSION = /[^/]\.[A-Za-z0-9]{1,10}$/;

function isPlainFile(word: string): boolean {
  return (
    word.includes("/") &&
    !/^[/@-]/.test(word) &&
    !NOT_PLAIN.test(word) &&
    EXTENSION.test(word) &&
    !GLUED.test(word) &&
    !word.split("/").some((name) => name === ".." || STAND_IN.test(name) || NUMBERED.test(name))
  );
}
