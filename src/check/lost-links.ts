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
 * The rule `instructions-lost-link`: an instruction file that contains only a path. That is what a link becomes when it
 * is checked out, or committed, on a system without links.
 */

/** Where the link would lead in the end: to a text inside the root, to nothing usable, or back to itself. */
export type LinkEnd = "text" | "nothing" | "itself";

const REMEDIES: Readonly<Record<LinkEnd, string>> = {
  text: "make it one",
  nothing: "no file has that path; write instructions, or link to a file that has them",
  itself: "that path leads back to it; write instructions into one of them",
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
 * Where a link with this target would lead. The file there may be a lost link too, and is followed as if it were
 * repaired.
 *
 * @param path where the link would be, its directory canonical
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

/** A longer file contains more than a path. */
const MAX_BYTES = 2048;

/** The relative path that a file consists of, if any. */
export function targetIn(path: string): string | undefined {
  const read = readStart(path, MAX_BYTES);
  if (read.kind !== "read") return undefined;
  const { bytes, version } = read;
  return pathAlone({ text: lossyText(bytes), textBytes: bytes.length, sizeBytes: version.sizeBytes });
}

/** A leading at sign would make it an import. */
const PATH_ALONE = /^(?!@)(?:\.{1,2}\/)*(?:[\w.@-]+\/)*[\w.@-]+$/;
const MAX_LENGTH = 1024;

function pathAlone(file: Pick<InstructionText, "text" | "textBytes" | "sizeBytes">): string | undefined {
  if (file.sizeBytes > MAX_LENGTH || file.textBytes < file.sizeBytes) return undefined;
  const path = file.text.replace(/\r?\n$/, "");
  return PATH_ALONE.test(path) && path.includes(".") && /\.md$|\//i.test(path) ? path : undefined;
}
