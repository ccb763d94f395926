import { dirname, resolve } from "node:path";
import { isRegularFile, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { readStart } from "../lib/read-file.ts";
import { lossyText } from "../lib/text.ts";
import type { Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import { MAX_LINKS } from "../lib/links.ts";
import { finding } from "./rules.ts";

/*
 * The rule `instructions-lost-link`: an instruction file whose whole text is a path. That is what a link looks like where
 * it was checked out, or committed, on a system without links.
 */

/** Where a link would lead in the end: to a text inside the root, to no such thing, or back to where it stands. */
export type LinkEnd = "text" | "nothing" | "itself";

const REMEDIES: Readonly<Record<LinkEnd, string>> = {
  text: "make it one",
  nothing: "no file is there; write instructions, or make it a link to some",
  itself: "what is there leads back to it; write instructions into one of them",
};

/** @param root canonical */
export function checkLostLink(file: InstructionText, root: string): Finding | undefined {
  const { path, realPath } = file;
  const target = pathAlone(file);
  if (target === undefined || resolve(dirname(realPath), target) === realPath) return undefined;
  const end = linkEnd(realPath, target, root);
  return finding("instructions-lost-link", {
    path,
    message: `its whole text is the path '${target}': it should be a link`,
    remedy: REMEDIES[end],
    ...(end === "text" ? { fix: { kind: "link", path: realPath, target } as const } : {}),
  });
}

/**
 * Where a link with this target would lead. The file there may be a lost link too: it is followed as if it were repaired.
 *
 * @param path where the link would stand, its directory canonical
 * @param root canonical
 */
export function linkEnd(path: string, target: string, root: string): LinkEnd {
  const passed = new Set([path]);
  let next: string | undefined = resolve(dirname(path), target);
  while (next !== undefined) {
    const place = realPathOf(next);
    if (place === undefined || !isRegularFile(place) || !isInside(root, place)) return "nothing";
    if (passed.has(place) || passed.size > MAX_LINKS) return "itself";
    passed.add(place);
    const further = targetIn(place);
    next = further === undefined ? undefined : resolve(dirname(place), further);
  }
  return "text";
}

/** A longer file holds more than a path. */
const MAX_BYTES = 2048;

/** The relative path that is a file's whole text. */
export function targetIn(path: string): string | undefined {
  const read = readStart(path, MAX_BYTES);
  if (read.kind !== "read") return undefined;
  const { bytes, version } = read;
  return pathAlone({ text: lossyText(bytes), textBytes: bytes.length, sizeBytes: version.sizeBytes });
}

/** An at sign before it would make it an import. */
const PATH_ALONE = /^(?!@)(?:\.{1,2}\/)*(?:[\w.@-]+\/)*[\w.@-]+$/;
const MAX_LENGTH = 1024;

function pathAlone(file: Pick<InstructionText, "text" | "textBytes" | "sizeBytes">): string | undefined {
  if (file.sizeBytes > MAX_LENGTH || file.textBytes < file.sizeBytes) return undefined;
  const path = file.text.replace(/\r?\n$/, "");
  return PATH_ALONE.test(path) && path.includes(".") && /\.md$|\//i.test(path) ? path : undefined;
}
