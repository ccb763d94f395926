import type { ReachedFile, ReachReason } from "./reach.ts";

const REASONS: Readonly<Record<ReachReason, string>> = {
  "reads-it": "",
  budget: "the budget ends before its end",
  "file-limit": "the limit of files is reached before it",
  "earlier-name": "the directory has a file of a name that comes first",
  duplicate: "the same file was read already, by another name",
  silenced: "a CLAUDE.md that says something leaves no room for AGENTS.md",
  blank: "it says nothing",
  "not-a-regular-file": "it is not a regular file",
  "dangling-link": "it is a link that leads nowhere",
  "link-outside-root": "it is a link that leads outside the root",
  "no-permission": "it may not be read",
  unreadable: "it can't be read, and that ends the search",
  "other-failed": "the search failed at another file",
  untrusted: "the user has called the project untrusted",
  "switched-off": "the loading of such files is switched off",
  excluded: "the client's settings exclude it",
  "maybe-excluded":
    "the client's settings may exclude it: 'claudeMdExcludes' has a pattern that is not understood here, or too many",
  "ignored-directory": "its directory is one that is ignored",
  "outside-root": "it is outside the working directory, and the user has not allowed that",
  conditional: "it waits for files that its 'paths' name",
  "import-depth": "too many imports lead to it",
  "other-worktree": "it belongs to the working tree that this one was made from",
};

/** How much a model gets of a file, in a few words. */
export function extentOf({ status, bytesShown, bytesTotal }: ReachedFile): string {
  switch (status) {
    case "loaded":
      return bytesIn(bytesShown);
    case "cut":
      return `${count(bytesShown)} of ${bytesIn(bytesTotal)}`;
    case "left-out":
      return `0 of ${bytesIn(bytesTotal)}`;
    case "shadowed":
    case "skipped":
      return "";
  }
}

/** Why, in a sentence without names; "" where there is nothing to explain. */
export function reasonOf({ status, reason, bytesShown, bytesTotal }: ReachedFile): string {
  if (status === "loaded") {
    const lost = bytesTotal - bytesShown;
    return lost === 0 ? "" : `${bytesIn(lost)} of blanks, front matter or comments taken out`;
  }
  if (status === "left-out" && reason === "budget") return "the budget is spent before it";
  return REASONS[reason];
}

export function bytesIn(bytes: number): string {
  return `${count(bytes)} byte${bytes === 1 ? "" : "s"}`;
}

/** With a comma between thousands, wherever the program runs. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
