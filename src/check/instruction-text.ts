import { findFrameTags } from "../instructions/body.ts";
import { findInvisible, stripInvisible } from "../lib/invisible.ts";
import { textPositions, type Position } from "../lib/text-positions.ts";
import { keptFindings, type Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import { finding } from "./rules.ts";

/** The rules about one text, for any reader: blank, invisible characters, forged tags. */
export function checkText(file: InstructionText): Finding[] {
  const { path, text, textBytes, sizeBytes } = file;
  if (isBlank(file)) {
    const message = "it is blank";
    return [finding("instructions-blank", { path, message, remedy: "write something into it, or remove it" })];
  }
  const positionOf = textPositions(text);
  const forged = tagsBesideCode(text).map(({ at, tag }) =>
    finding("instructions-forged-tag", {
      path,
      ...positionOf(at),
      message: `the tag '${tag}' is one of those that instructions are printed in; its bracket is printed as '&lt;'`,
      remedy: "write it without brackets",
    }),
  );
  const findings = keptFindings([...invisibleCharacters(file, positionOf), ...forged]);
  if (sizeBytes <= textBytes) return findings;
  const message = `only its first ${textBytes} of ${sizeBytes} bytes are checked`;
  return [...findings, finding("check-limit", { path, message, about: "size" })];
}

/** The tags of a text, without those that it only names: alone between backticks. */
export function tagsBesideCode(text: string): { at: number; tag: string }[] {
  return findFrameTags(text).filter(({ at }) => {
    const end = text.indexOf(">", at);
    return text[at - 1] !== "`" || end < 0 || text[end + 1] !== "`";
  });
}

function isBlank({ text, textBytes, sizeBytes }: InstructionText): boolean {
  return textBytes >= sizeBytes && text.trim() === "";
}

/** One finding per line. */
function invisibleCharacters(file: InstructionText, positionOf: (offset: number) => Position): Finding[] {
  const { path, text, textBytes, sizeBytes } = file;
  const lines = findInvisible(text);
  if (lines.length === 0) return [];
  // Text that is not valid UTF-8 can't be written back unchanged.
  const isWhole = textBytes === sizeBytes && !text.includes("\uFFFD");
  const removable = isWhole ? [...stripInvisible(text).gone] : [];
  let next = 0;
  return lines.map(({ at, codes }) => {
    const end = text.indexOf("\n", at);
    while (next < removable.length && (removable[next] as number) < at) next++;
    const canStrip = next < removable.length && (end < 0 || (removable[next] as number) < end);
    return finding("instructions-invisible-characters", {
      path,
      ...positionOf(at),
      message: `invisible characters: ${codes.join(", ")}`,
      remedy: "remove them or write their names",
      ...(canStrip ? { fix: { kind: "strip", path } as const } : {}),
    });
  });
}
