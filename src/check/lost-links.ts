import { dirname, resolve } from "node:path";
import { isRegularFile, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { readStart } from "../lib/read-file.ts";
import { lossyText } from "../lib/text.ts";
import type { InstructionText } from "./instructions.ts";
import { MAX_LINKS } from "./narrow.ts";

export interface LostLink {
  readonly path: string;
  /** Where its text stands: another place where the path is a link itself. */
  readonly realPath: string;
  /** What its text says. */
  readonly target: string;
  readonly leadsTo: LinkEnd;
}

/** Where a link would lead in the end: to a text inside the root, to no such thing, or back to where it stands. */
export type LinkEnd = "text" | "nothing" | "itself";

/** What is longer is no path. */
const MAX_BYTES = 2048;

/**
 * Whether a file is what is left of a link.
 *
 * @input  root: canonical
 * @effect reads what the text names
 * @error  none
 */
export function lostLink(text: InstructionText, root: string): LostLink | undefined {
  const target = pathAlone(text);
  const { path, realPath } = text;
  if (target === undefined || resolve(dirname(realPath), target) === realPath) return undefined;
  return { path, realPath, target, leadsTo: linkEnd(realPath, target, root) };
}

/**
 * Where a link with this target would lead. What it leads to may be left of a link too, and is gone after.
 *
 * @input  path: where the link would stand, its directory canonical; root: canonical
 * @effect reads
 * @error  none
 */
export function linkEnd(path: string, target: string, root: string): LinkEnd {
  const passed = new Set([path]);
  let next: string | undefined = resolve(dirname(path), target);
  while (next !== undefined) {
    const place = filePlace(next, root);
    if (place === undefined) return "nothing";
    if (passed.has(place) || passed.size > MAX_LINKS) return "itself";
    passed.add(place);
    const further = targetIn(place);
    next = further === undefined ? undefined : resolve(dirname(place), further);
  }
  return "text";
}

/**
 * The relative path that is all a file says.
 *
 * @effect reads
 * @error  none
 */
export function targetIn(path: string): string | undefined {
  const read = readStart(path, MAX_BYTES);
  if (read.kind !== "read") return undefined;
  const { bytes, version } = read;
  return pathAlone({ text: lossyText(bytes), textBytes: bytes.length, sizeBytes: version.sizeBytes });
}

function filePlace(path: string, root: string): string | undefined {
  const place = realPathOf(path);
  return place !== undefined && isInside(root, place) && isRegularFile(place) ? place : undefined;
}

/** An at sign before it would make it an import. */
const PATH_ALONE = /^(?!@)(?:\.{1,2}\/)*(?:[\w.@-]+\/)*[\w.@-]+$/;

const MAX_LENGTH = 1024;

/**
 * The relative path that is all a file says. So a link looks where it was checked out by someone whose system has
 * none, or was committed by them.
 */
export function pathAlone({
  text,
  textBytes,
  sizeBytes,
}: Pick<InstructionText, "text" | "textBytes" | "sizeBytes">): string | undefined {
  if (sizeBytes > MAX_LENGTH || textBytes < sizeBytes) return undefined;
  const path = text.replace(/\r?\n$/, "");
  return PATH_ALONE.test(path) && path.includes(".") && /\.md$|\//i.test(path) ? path : undefined;
}
