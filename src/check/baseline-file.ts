import { readBaseline, renderBaseline, type Baseline } from "./baseline.ts";
import type { World } from "../world.ts";
import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export type BaselineRead =
  | { readonly kind: "baseline"; readonly baseline: Baseline; readonly lineOf: (fingerprint: string) => number }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * @output the baseline, and in which line an entry stands; or why it can't be used
 * @effect reads
 * @error  none
 */
export function loadBaseline(path: string): BaselineRead {
  const read = readText(path, MAX_BYTES);
  if (read.kind === "absent") return { kind: "unusable", reason: "it is not there; '--write-baseline' writes it" };
  if (read.kind === "too-large") return { kind: "unusable", reason: `it is larger than ${MAX_BYTES} bytes` };
  if (read.kind === "unusable") return { kind: "unusable", reason: "it can't be read" };
  const baseline = readBaseline(dataOf(read.text));
  if (typeof baseline === "string") return { kind: "unusable", reason: baseline };
  let lines: ReadonlyMap<string, number> | undefined;
  return { kind: "baseline", baseline, lineOf: (fingerprint) => (lines ??= linesOf(read.text)).get(fingerprint) ?? 1 };
}

/**
 * @output why it could not be written
 * @effect the file
 * @error  none
 */
export function saveBaseline(world: World, path: string, baseline: Baseline): string | undefined {
  if (!isFree(path)) return "it is not a regular file; name another one";
  const written = writeWhole(world, path, renderBaseline(baseline));
  return written.kind === "written" ? undefined : `it can't be written (${written.errno})`;
}

/** A pipe keeps its place, and so does a link: where it leads to, the clone decides. */
function isFree(path: string): boolean {
  try {
    return disk.look(path)?.isFile() !== false;
  } catch {
    // Writing says why.
    return true;
  }
}

/** In which line each string stands first. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    for (const [, word = ""] of line.matchAll(/"([^"\\]*)"/g)) if (!lines.has(word)) lines.set(word, index + 1);
  }
  return lines;
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
