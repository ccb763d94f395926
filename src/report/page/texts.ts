import type { TreeFacts } from "../../clients/client.ts";
import { printable, visible } from "../../lib/escape.ts";
import { isInside } from "../../lib/paths.ts";
import { lossyText } from "../../lib/text.ts";

/** A page with all texts of a large project would be slow to open. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_ALL_BYTES = 4 * 1024 * 1024;

export interface PageTexts {
  readonly texts: Readonly<Record<string, string>>;
  /** Path → why its text is not in the page. */
  readonly unread: Readonly<Record<string, string>>;
}

/**
 * The texts of the project's files. A page is passed on, so it holds nothing from outside the project: neither the
 * user's own files nor what a link leads to.
 */
export function readTexts(paths: readonly string[], root: string, facts: TreeFacts): PageTexts {
  const texts: [string, string][] = [];
  const unread: [string, string][] = [];
  const realRoot = facts.realPath(root) ?? root;
  let room = MAX_ALL_BYTES;
  for (const path of paths) {
    const what = facts.at(path);
    const size = what?.kind === "file" ? what.version.sizeBytes : 0;
    const why = reasonToLeaveOut();
    if (why === "") {
      room -= size;
      texts.push([visible(path), printable(lossyText(facts.start(path, size)))]);
    } else unread.push([visible(path), why]);

    function reasonToLeaveOut(): string {
      if (what?.kind !== "file") return "It is not a file that can be read.";
      if (!isInside(realRoot, what.realPath)) return "It is outside the project, so its text is not in this page.";
      if (size > MAX_TEXT_BYTES || size > room) return "Its text is too long for this page.";
      return "";
    }
  }
  return { texts: Object.fromEntries(texts), unread: Object.fromEntries(unread) };
}
