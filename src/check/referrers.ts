import { dirname, resolve } from "node:path";
import type { InstructionText } from "./instruction-text.ts";
import { writtenPaths } from "./written-paths.ts";
import { readStart } from "../lib/read-file.ts";
import { isLinked, realPathOf } from "../lib/same-place.ts";
import { MAX_TEXT_BYTES } from "./instruction-texts.ts";

export interface ReferrerGrounds {
  /** The files that are asked about, which may speak of each other; their names, and paths of links. */
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly links: readonly string[];
  readonly texts: readonly Pick<InstructionText, "path" | "text">[];
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Answers which file calls another one by its path: a link to it, or a text that imports or mentions it.
 *
 * @input  root: canonical
 * @effect reads what is asked about
 * @error  none: what can't be read refers to nothing
 */
export function referrers(root: string, grounds: ReferrerGrounds): (path: string) => string | undefined {
  const known = new Map<string, string>();
  for (const link of grounds.links) {
    const place = isLinked(link) ? realPathOf(link) : undefined;
    if (place !== undefined) known.set(place, link);
  }
  for (const { path, text } of [...grounds.texts, ...grounds.paths.flatMap(textOf)]) {
    for (const written of writtenPaths(text, grounds.names)) {
      for (const start of [dirname(path), root]) {
        const place = resolve(start, written);
        if (place !== path) known.set(place, path);
      }
    }
  }
  return (path) => known.get(path);
}

function textOf(path: string): { path: string; text: string }[] {
  const read = readStart(path, MAX_TEXT_BYTES);
  return read.kind === "read" ? [{ path, text: decoder.decode(read.bytes) }] : [];
}
