import { keptFindings } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import { findInvisible } from "../lib/invisible.ts";
import { stripInvisible } from "../lib/invisible.ts";
import { textPositions } from "../lib/text-positions.ts";
import type { InstructionText } from "./instructions.ts";
import { MAX_MENTIONS, type PathMention } from "./missing-paths.ts";

/** All that is known of one instruction file's text. */
export interface TextFacts extends InstructionText {
  /** What it mentions and what is not there, with the paths at which it would be. */
  readonly missing: readonly { readonly mention: PathMention; readonly places: readonly string[] }[];
  readonly moreMentions: boolean;
  /** Tags of the elements that bodies are printed in. */
  readonly frameTags: readonly { readonly at: number; readonly tag: string }[];
}

/** What can be said of one text, whoever reads it. */
export function judgeText(facts: TextFacts): Finding[] {
  const { path, text, textBytes, sizeBytes } = facts;
  if (isBlankText(facts)) {
    const message = "it says nothing";
    return [finding("instructions-blank", { path, message, remedy: "write something into it, or remove it" })];
  }
  const positionOf = textPositions(text);
  const invisible = unseen(facts, positionOf);
  const forged = facts.frameTags.map(({ at, tag }) =>
    finding("instructions-forged-tag", {
      path,
      ...positionOf(at),
      message: `the tag '${tag}' is one of those that instructions are printed in; its bracket is shown as '&lt;'`,
      remedy: "write it without brackets",
    }),
  );
  const missing = facts.missing.map(({ mention, places }) =>
    finding("instructions-missing-path", {
      path,
      line: mention.line,
      column: mention.column,
      message: `'${mention.path}' is not there`,
      remedy: "add it or correct the path",
      concerns: places,
    }),
  );
  const limits: Finding[] = [];
  if (sizeBytes > textBytes) {
    limits.push(limit(path, `only its first ${textBytes} of ${sizeBytes} bytes are checked`, "size"));
  }
  if (facts.moreMentions) limits.push(limit(path, `only its first ${MAX_MENTIONS} paths are looked up`, "paths"));
  return [...keptFindings([...invisible, ...forged, ...missing]), ...limits];
}

/** One finding for each line. */
function unseen(facts: TextFacts, positionOf: ReturnType<typeof textPositions>): Finding[] {
  const { path, text, textBytes, sizeBytes } = facts;
  const lines = findInvisible(text);
  if (lines.length === 0) return [];
  // What is no UTF-8 can't be written back as it was.
  const isWhole = textBytes === sizeBytes && !text.includes("\uFFFD");
  const gone = isWhole ? [...stripInvisible(text).gone] : [];
  let next = 0;
  return lines.map(({ at, codes }) => {
    const end = text.indexOf("\n", at);
    while (next < gone.length && (gone[next] as number) < at) next++;
    const canStrip = next < gone.length && (end < 0 || (gone[next] as number) < end);
    return finding("instructions-invisible-characters", {
      path,
      ...positionOf(at),
      message: `characters that can't be seen: ${codes.join(", ")}`,
      remedy: "remove or spell them",
      ...(canStrip ? { fix: { kind: "strip", path } as const } : {}),
    });
  });
}

function limit(path: string, message: string, about: string): Finding {
  return finding("check-limit", { path, message, about });
}

export function isBlankText({ text, textBytes, sizeBytes }: InstructionText): boolean {
  return textBytes >= sizeBytes && text.trim() === "";
}
