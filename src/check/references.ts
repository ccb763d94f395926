import { textPositions } from "../lib/text-positions.ts";
import { proseBlocks } from "../lib/markdown/markdown-blocks.ts";
import { scanMentions, type Mention } from "../lib/markdown/inline.ts";
import { codePaths, linkedPath } from "./reference-target.ts";

/** A file that the text of a skill refers to. */
export interface Reference {
  /** A relative path, decoded; it may lead anywhere. */
  readonly target: string;
  /** From 1, in the whole file; the column in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly kind: Mention["kind"];
}

export interface References {
  readonly references: readonly Reference[];
  /** There are more than MAX_REFERENCES. */
  readonly isCut: boolean;
}

export const MAX_REFERENCES = 500;

/**
 * The files that a Markdown text refers to: the targets of links, images and definitions, and paths in code spans.
 *
 * Blocks of code are left out, fenced and indented ones: what stands in them is an example, in which files appear
 * that the reader is to make. So are raw HTML and autolinks.
 *
 * @param text the whole file
 * @param from where its body begins
 */
export function extractReferences(text: string, from: number): References {
  const references: Reference[] = [];
  const positionOf = textPositions(text);
  let isCut = false;

  function accept(mention: Mention): boolean {
    for (const { path, at } of pathsOf(mention)) {
      if (references.length === MAX_REFERENCES) {
        isCut = true;
        return false;
      }
      references.push({ target: path, kind: mention.kind, ...positionOf(at) });
    }
    return true;
  }

  for (const block of proseBlocks(text, from)) {
    if (isCut) break;
    scanMentions(text, block, accept);
  }
  return { references, isCut };
}

function pathsOf({ kind, written, at }: Mention): { path: string; at: number }[] {
  if (kind === "code") return codePaths(written).map((found) => ({ path: found.path, at: at + found.at }));
  const path = linkedPath(written);
  // `[note]: word` is a definition to Markdown, and a remark to its author.
  return path === undefined || (kind === "definition" && !/[/.]/.test(path)) ? [] : [{ path, at }];
}
