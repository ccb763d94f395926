import { lossyText } from "../lib/text.ts";
import type { ReachedFile, ReachReason } from "../report/schema.ts";
import type { ClientReach, TreeFacts } from "./client.ts";
import { isUnread, loaded, shadowed, sizeOf, skipped, whyUnusable } from "./reached.ts";

// What several clients do: they go through places, read one file or all of each, and give the model the texts.

/** Files for one place in what the model reads. */
export interface Slot {
  readonly paths: readonly string[];
  readonly origin: "home" | "project";
  /** `first`: the first that can be used, and none of the others. */
  readonly takes: "first" | "all";
  /** They are not read because of this file. */
  readonly shadowedBy?: string;
}

export interface SlotRules {
  /** The model's text of a file that was read; "" if the client leaves it out. As it is, if this is not given. */
  textOf?(whole: string): string;
  /** Why the client has found a file and gives nothing of it, nor of those after it; undefined if it gives it. */
  refuses?(file: FileOfSlot, text: string): ReachReason | undefined;
  /** A blank file is used instead of those after it. */
  readonly countsBlank?: true;
  /** A file that comes again by another name is left out. */
  readonly readsOnce?: true;
  /** The files that a text imports, by their absolute paths; their texts are the client's affair. */
  importsOf?(text: string, path: string, facts: TreeFacts): readonly Import[];
}

export interface FileOfSlot {
  readonly path: string;
  readonly realPath: string;
  readonly origin: Slot["origin"];
}

export interface Import {
  readonly path: string;
  /** Of the file that imports it. */
  readonly by: string;
}

/** What becomes of the files, in the order in which the model reads them. */
export function reachSlots(slots: readonly Slot[], rules: SlotRules, facts: TreeFacts): ReachedFile[] {
  const { textOf = (whole) => whole, refuses, countsBlank, readsOnce, importsOf = () => [] } = rules;
  const seen = new Map<string, string>();
  return slots.flatMap(({ paths, origin, takes, shadowedBy }) => {
    let chosen: string | undefined;
    return paths.flatMap((path): ReachedFile[] => {
      const what = facts.at(path);
      if (what === undefined) return [];
      const size = sizeOf(what);
      const instead = shadowedBy ?? (takes === "first" ? chosen : undefined);
      if (instead !== undefined) return [shadowed(path, origin, size, "earlier-name", instead)];
      if (what.kind !== "file") return [skipped(path, origin, size, whyUnusable(what))];
      const twin = readsOnce === true ? seen.get(what.identity) : undefined;
      if (twin !== undefined) return [shadowed(path, origin, size, "duplicate", twin)];
      seen.set(what.identity, path);
      const bytes = facts.start(path, size);
      if (isUnread(bytes, size)) return [skipped(path, origin, size, "no-permission")];
      const whole = lossyText(bytes);
      const refused = refuses?.({ path, realPath: what.realPath, origin }, whole);
      if (refused !== undefined) {
        chosen ??= path;
        return [skipped(path, origin, size, refused)];
      }
      const text = textOf(whole);
      if (text === "") {
        if (countsBlank === true) chosen ??= path;
        return [skipped(path, origin, size, "blank")];
      }
      chosen ??= path;
      const imported = importsOf(whole, path, facts).map(({ path: name, by }): ReachedFile => {
        const bytesTotal = sizeOf(facts.at(name));
        return Object.assign(loaded(name, "import", bytesTotal), { by });
      });
      return [loaded(path, origin, size, Math.min(size, new TextEncoder().encode(text).length)), ...imported];
    });
  });
}

/** The texts that the model gets, with their paths, in order. */
export function textsOf(
  { files }: Pick<ClientReach, "files">,
  rules: SlotRules,
  facts: TreeFacts,
): { readonly path: string; readonly origin: ReachedFile["origin"]; readonly text: string }[] {
  const { textOf = (whole) => whole } = rules;
  return files
    .filter(({ bytesShown, origin }) => bytesShown > 0 && origin !== "import")
    .map(({ path, origin, bytesTotal }) => ({ path, origin, text: textOf(lossyText(facts.start(path, bytesTotal))) }));
}
