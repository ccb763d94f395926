import { dirname } from "node:path";
import { groupBy } from "../lib/sorting.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import { readBlocks } from "../lib/markdown/blocks.ts";
import { textPositions } from "../lib/text-positions.ts";
import { withoutEnd } from "../lib/text.ts";
import type { InstructionText } from "./instruction-files.ts";
import { blank, withoutComments } from "./own-text.ts";

/** Shorter paragraphs are often repeated for good reasons. */
const MIN_CHARACTERS = 200;

/** Words that may name a file: an import, the target of a link, a plain name. */
const WORD = /[^\s`'"()[\]<>{}|,;:!?*#]+/g;
const MAX_WORD = 512;

/** Said where files are kept the same on purpose. */
const IN_STEP =
  /\b(?:equivalent (?:maintained|agent|instruction|guidance)|(?:kept|keep|stay|stays) (?:in sync|equivalent|identical|mirrored)|mirrors? of)\b/i;

export interface RepetitionGrounds {
  /** Whether the same client reads both names. */
  readonly areAlike: (left: string, right: string) => boolean;
  readonly namesIn: (directory: string) => readonly string[];
}

/** The rules `instructions-repeated` and `instructions-repeated-paragraph`. */
export function repeatedTexts(texts: readonly InstructionText[], { areAlike, namesIn }: RepetitionGrounds): Finding[] {
  const byDirectory = groupBy(texts, ({ directory }) => directory);
  const known = new Map<InstructionText, ReadonlyMap<string, number>>();
  const namesAt = new Map<string, ReadonlySet<string>>();

  /** In another directory the same words mean another file. */
  function namesItsOwn(directory: string, words: string): boolean {
    const names = namesAt.get(directory) ?? new Set(namesIn(directory));
    namesAt.set(directory, names);
    return namesFileOf(names, words);
  }

  function paragraphsOf(text: InstructionText): ReadonlyMap<string, number> {
    const paragraphs = known.get(text) ?? longParagraphs(withoutCode(withoutComments(text.text)));
    known.set(text, paragraphs);
    return paragraphs;
  }

  return texts.flatMap((text) => {
    const above = textsAbove(text, byDirectory).filter(
      (other) => other.realPath !== text.realPath && areAlike(text.name, other.name),
    );
    const whole = text.text.trim();
    const same = whole === "" ? undefined : above.find((other) => other.text.trim() === whole);
    if (same !== undefined && !namesItsOwn(text.directory, whole)) return [isCopyOf(text, same)];
    if (above.length === 0) return [];
    let positionOf: ReturnType<typeof textPositions> | undefined;
    return [...paragraphsOf(text)].flatMap(([paragraph, at]) => {
      const other = above.find((higher) => paragraphsOf(higher).has(paragraph) && !IN_STEP.test(higher.text));
      return other === undefined || namesItsOwn(text.directory, paragraph)
        ? []
        : [repeatsParagraph(text, other, (positionOf ??= textPositions(text.text))(at).line)];
    });
  });
}

function isCopyOf({ path }: InstructionText, { path: other }: InstructionText): Finding {
  const message = `its whole text is also in '${other}', which is read with it`;
  const cause = { key: other, noun: "more file" };
  return finding("instructions-repeated", { path, line: 1, message, remedy: "remove it", cause, concerns: [other] });
}

function repeatsParagraph({ path }: InstructionText, { path: other }: InstructionText, line: number): Finding {
  const message = `this paragraph is also in '${other}', which is read with it`;
  const cause = { key: `${path}\0${other}`, noun: "more paragraph" };
  const remedy = "remove it here";
  return finding("instructions-repeated-paragraph", { path, line, message, remedy, cause, concerns: [other] });
}

function textsAbove({ directory }: InstructionText, byDirectory: ReadonlyMap<string, InstructionText[]>) {
  const above: InstructionText[] = [];
  for (let place = directory; dirname(place) !== place;) {
    place = dirname(place);
    above.push(...(byDirectory.get(place) ?? []));
  }
  return above;
}

function namesFileOf(names: ReadonlySet<string>, words: string): boolean {
  for (const [word] of words.matchAll(WORD)) {
    if (word.length > MAX_WORD || !/[./]/.test(word)) continue;
    const path = word.replace(/^@/, "").replace(/^(?:\.\/)+/, "");
    if (path.startsWith("../")) return true;
    // A full stop may also end the sentence.
    const [name = ""] = path.split("/", 1);
    if (names.has(name) || names.has(withoutEnd(name, "."))) return true;
  }
  return false;
}

/** A command that is to be run here, too. */
const COMMAND =
  /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+`(?:make|just|task|npm|pnpm|yarn|bun|deno|cargo|go|uv|poetry|pytest|ruff|gradle|mvn|dotnet|bundle|mix|\.\/)[^`\n]*`[^\n]*$/gm;

/** With blanks in place of code and of lists of commands, which are repeated to be at hand. */
function withoutCode(text: string): string {
  let plain = "";
  let at = 0;
  for (const { start, end } of readBlocks(text, 0).code) {
    plain += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return (plain + text.slice(at)).replaceAll(COMMAND, blank);
}

/** With their offsets; white space is normalised. */
function longParagraphs(text: string): Map<string, number> {
  const paragraphs = new Map<string, number>();
  let at = 0;
  for (const paragraph of text.split(/(\n[ \t\r]*\n)/)) {
    if (paragraph.length >= MIN_CHARACTERS) {
      const plain = paragraph.replaceAll(/\s+/g, " ").trim();
      if (plain.length >= MIN_CHARACTERS && !paragraphs.has(plain)) paragraphs.set(plain, at);
    }
    at += paragraph.length;
  }
  return paragraphs;
}
