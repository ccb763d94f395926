import { dirname } from "node:path";
import type { Finding } from "../findings.ts";
import { finding } from "../rules.ts";
import { textPositions } from "../text-positions.ts";
import type { InstructionText } from "./instruction-text.ts";

/** A paragraph that is shorter may well be said twice. */
const MIN_CHARACTERS = 200;

/** Lines such as `@AGENTS.md`: the same words, of another file in each directory. */
const IMPORTS_ALONE = /^(?:\s*@\S+)*$/;

/**
 * What a file repeats of one above it: whoever reads the one has read the other.
 *
 * @param areAlike whether both names are read by the same reader
 */
export function repeatedTexts(
  texts: readonly InstructionText[],
  areAlike: (left: string, right: string) => boolean,
): Finding[] {
  const byDirectory = new Map<string, InstructionText[]>();
  for (const text of texts) byDirectory.set(text.directory, [...(byDirectory.get(text.directory) ?? []), text]);
  const known = new Map<InstructionText, ReadonlyMap<string, number>>();

  function paragraphsOf(text: InstructionText): ReadonlyMap<string, number> {
    const paragraphs = known.get(text) ?? longParagraphs(text.text);
    known.set(text, paragraphs);
    return paragraphs;
  }

  return texts.flatMap((text) => {
    const above = textsAbove(text, byDirectory).filter(
      (other) => other.realPath !== text.realPath && areAlike(text.name, other.name),
    );
    const whole = text.text.trim();
    const same = IMPORTS_ALONE.test(whole) ? undefined : above.find((other) => other.text.trim() === whole);
    if (same !== undefined) return [repeats(text, same, 1, "its whole text")];
    if (above.length === 0) return [];
    let positionOf: ReturnType<typeof textPositions> | undefined;
    return [...paragraphsOf(text)].flatMap(([paragraph, at]) => {
      const other = above.find((higher) => paragraphsOf(higher).has(paragraph));
      return other === undefined
        ? []
        : [repeats(text, other, (positionOf ??= textPositions(text.text))(at).line, "this paragraph")];
    });
  });
}

function repeats({ path }: InstructionText, { path: other }: InstructionText, line: number, what: string): Finding {
  const message = `${what} stands in '${other}' too, which is read with it`;
  return finding("instructions-repeated", { path, line, message, remedy: "remove it here", concerns: [other] });
}

function textsAbove({ directory }: InstructionText, byDirectory: ReadonlyMap<string, InstructionText[]>) {
  const above: InstructionText[] = [];
  for (let place = directory; dirname(place) !== place;) {
    place = dirname(place);
    above.push(...(byDirectory.get(place) ?? []));
  }
  return above;
}

/** With the offset of each, white space made alike. */
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
