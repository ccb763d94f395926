import { join } from "node:path";
import type { ReachedFile } from "../report/reach.ts";
import type { UnusableReason } from "../instructions/chain.ts";
import type { Found, TreeFacts } from "./client-profile.ts";
import { lossyText } from "../lib/lossy-text.ts";
import { cut, leftOut, loaded, shadowed, skipped } from "./reached-file.ts";
import { isBlankInRust } from "./codex/rust-text.ts";

/** A name that exists. */
export interface Standing {
  readonly path: string;
  readonly what: Found;
}

/** More names than this are looked for among those that are there: a config can hold a hundred thousand. */
const MANY_NAMES = 64;

/** What exists of these names, best first, in each of these directories. */
export function standingIn(directories: readonly string[], names: readonly string[], facts: TreeFacts): Standing[][] {
  return directories.map((directory) =>
    namesIn(directory, names, facts).flatMap((name) => {
      const path = join(directory, name);
      const what = facts.at(path);
      return what === undefined ? [] : [{ path, what }];
    }),
  );
}

function namesIn(directory: string, names: readonly string[], facts: TreeFacts): readonly string[] {
  if (names.length <= MANY_NAMES) return names;
  const there = new Set(facts.list(directory));
  return names.filter((name) => there.has(name));
}

/** One file of each directory, the first first, until the budget is spent; the file that it ends in is cut. */
export function firstOfEach(
  rungs: readonly (readonly Standing[])[],
  maxBytes: number,
  facts: TreeFacts,
  failing = rungs.map(firstFailure).find((path) => path !== undefined),
): ReachedFile[] {
  let room = maxBytes;
  const files: ReachedFile[] = [];
  for (const rung of rungs) {
    let chosen: string | undefined;
    for (const { path, what } of rung) {
      const size = sizeOf(what);
      if (path === failing) files.push(skipped(path, "project", size, "unreadable"));
      // One failure ends the search, and what was found before is dropped with it.
      else if (failing !== undefined) files.push(skipped(path, "project", size, "other-failed", failing));
      else if (chosen !== undefined) files.push(shadowed(path, "project", size, "earlier-name", chosen));
      else if (what.kind !== "file") files.push(skipped(path, "project", size, whyUnusable(what)));
      else {
        // That it can't be opened is known once it is its turn.
        if (room > 0 && isUnread(facts.start(path, Math.min(size, room)), size)) {
          return firstOfEach(rungs, maxBytes, facts, path);
        }
        chosen = path;
        const file = share(path, size, room, facts);
        room -= file.bytesShown;
        files.push(file);
      }
    }
  }
  return files;
}

/** What is neither a file nor nothing at all ends the search where it is asked for. */
function firstFailure(rung: readonly Standing[]): string | undefined {
  for (const { path, what } of rung) {
    if (what.kind === "file") return undefined;
    if (what.kind === "loop" || (what.kind === "unusable" && what.reason === "unreadable")) return path;
  }
  return undefined;
}

function share(path: string, size: number, room: number, facts: TreeFacts): ReachedFile {
  if (size === 0) return skipped(path, "project", size, "blank");
  if (room === 0) return leftOut(path, "project", size);
  const shown = Math.min(size, room);
  // Only what would be shown is looked at, and a blank beginning costs nothing.
  if (isBlankInRust(lossyText(facts.start(path, shown)))) {
    return shown < size ? leftOut(path, "project", size) : skipped(path, "project", size, "blank");
  }
  return shown < size ? cut(path, "project", size, shown) : loaded(path, "project", size);
}

/** A file that has a size, and gives none of its bytes away. */
export function isUnread(bytes: Uint8Array, sizeBytes: number): boolean {
  return sizeBytes > 0 && bytes.length === 0;
}

export function whyUnusable(what: Exclude<Found, { kind: "file" }>): Exclude<UnusableReason, "link-outside-root"> {
  if (what.kind === "directory") return "not-a-regular-file";
  return what.kind === "loop" ? "dangling-link" : what.reason;
}

export function sizeOf(what: Found | undefined): number {
  return what?.kind === "file" ? what.version.sizeBytes : 0;
}
