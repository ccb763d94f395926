import { framed } from "../instructions/elements.ts";
import { renderFile, renderLeftOut, type BundlePart, type LeftOut } from "../instructions/render.ts";
import { renderAgentsUsage } from "../instructions/render.ts";
import { cutToFit } from "../instructions/body-reminder.ts";
import type { ReminderElement } from "../instructions/tell.ts";
import { leastCatalogue, shorterCatalogues } from "../skills/render.ts";
import type { ShownSkill } from "../skills/render.ts";

/** What a context is told at its start. */
export interface ContextContent {
  readonly usage: ReminderElement | undefined;
  /** Root first. */
  readonly files: readonly BundlePart[];
  readonly leftOut: readonly LeftOut[];
  /** The most significant first; undefined where skills are off. */
  readonly skills: { readonly skills: readonly ShownSkill[]; readonly truncated: boolean } | undefined;
  /** Paths of skills that were loaded before. */
  readonly loaded: readonly string[];
}

export interface ContextParts {
  /** As many as were needed. */
  readonly texts: readonly string[];
  /** The files that are shown; the others are named by path and size. */
  readonly shown: ReadonlySet<string>;
}

/**
 * A context's start in several texts of limited length, each complete in itself. Files keep their order. Where not all
 * fit, the nearest are kept, whole; one that alone is too long for a text is cut, and says so. That there are skills is
 * said before a further file is: whoever is told of none looks for none.
 *
 * @param fits whether a text is within the limit
 */
export function renderContextParts(
  content: ContextContent,
  count: number,
  fits: (text: string) => boolean,
): ContextParts {
  const noSkills = { ...content, skills: undefined };
  const noTexts = { ...content, files: [], leftOut: [...content.files.map(asLeftOut), ...content.leftOut] };
  for (const attempt of [content, noSkills, noTexts]) {
    const parts = layOutNearest(attempt, count, fits);
    if (parts !== undefined) return parts;
  }
  return { texts: [], shown: new Set() };
}

/** With as many of the files as there is room for; undefined where there is none for the nearest, or for all else. */
function layOutNearest(
  content: ContextContent,
  count: number,
  fits: (text: string) => boolean,
): ContextParts | undefined {
  for (let dropped = 0; dropped < Math.max(1, content.files.length); dropped++) {
    const kept = content.files.slice(dropped);
    const out = [...content.files.slice(0, dropped).map(asLeftOut), ...content.leftOut];
    const nearest = kept.at(-1);
    const isLast = kept.length === 1 && nearest !== undefined;
    const texts =
      layOut(content, kept, out, count, fits) ?? (isLast ? layOutCut(content, nearest, out, count, fits) : undefined);
    if (texts !== undefined) return { texts: label(texts), shown: new Set(kept.map(({ path }) => path)) };
  }
  return undefined;
}

/** One text under way. */
interface Draft {
  readonly before: string;
  readonly files: readonly string[];
  readonly after: string;
}

const EMPTY: Draft = { before: "", files: [], after: "" };
/** Stands for the longest label that is put in its place. */
const LABEL = ' part="9 of 9"';

function textOf({ before, files, after }: Draft): string {
  const bundle = files.length === 0 ? "" : framed("agents_context", files.join("\n"), ` scope="initial"${LABEL}`);
  return [before, bundle, after].filter((text) => text !== "").join("\n");
}

/** Undefined where it takes more texts than there may be, or one file is too long for any. */
function layOut(
  content: ContextContent,
  files: readonly BundlePart[],
  leftOut: readonly LeftOut[],
  count: number,
  fits: (text: string) => boolean,
): Draft[] | undefined {
  const drafts: Draft[] = [];
  let draft: Draft = content.usage === undefined ? EMPTY : { ...EMPTY, before: renderAgentsUsage(content.usage) };
  if (!fits(textOf(draft))) return undefined;
  for (const file of files.map(renderFile)) {
    const more = { ...draft, files: [...draft.files, file] };
    if (fits(textOf(more))) {
      draft = more;
      continue;
    }
    const anew = { ...EMPTY, files: [file] };
    if (drafts.length + 1 >= count || !fits(textOf(anew))) return undefined;
    drafts.push(draft);
    draft = anew;
  }
  const named = leftOut.length === 0 ? "" : renderLeftOut(leftOut);
  const placed = place([...drafts, draft], named, count, fits);
  return placed && placeSkills(placed, content, count, fits)?.filter((one) => textOf(one) !== "");
}

/** Behind what one of the drafts has, the last that has the room, or in one of its own. */
function place(
  drafts: readonly Draft[],
  text: string,
  count: number,
  fits: (text: string) => boolean,
): readonly Draft[] | undefined {
  if (text === "") return drafts;
  const index = drafts.findLastIndex((draft) => fits(textOf(append(draft, text))));
  const draft = drafts[index];
  if (draft !== undefined) return drafts.with(index, append(draft, text));
  return drafts.length < count && fits(text) ? [...drafts, append(EMPTY, text)] : undefined;
}

function append(draft: Draft, text: string): Draft {
  return { ...draft, after: draft.after === "" ? text : `${draft.after}\n${text}` };
}

/** As many skills as fit; undefined where there is not even room to say that there are some. */
function placeSkills(
  drafts: readonly Draft[],
  { skills, loaded }: ContextContent,
  count: number,
  fits: (text: string) => boolean,
): readonly Draft[] | undefined {
  if (skills === undefined) return drafts;
  if (place(drafts, leastCatalogue(skills, loaded), count, fits) === undefined) return undefined;
  for (const text of shorterCatalogues(skills, loaded)) {
    const placed = place(drafts, text, count, fits);
    if (placed !== undefined) return placed;
  }
  return undefined;
}

/** As much of the file as fits. */
function layOutCut(
  content: ContextContent,
  file: BundlePart,
  leftOut: readonly LeftOut[],
  count: number,
  fits: (text: string) => boolean,
): Draft[] | undefined {
  return cutToFit(file.bytes, (bytes) =>
    layOut(content, [{ ...file, bytes, shownBytes: bytes.length }], leftOut, count, fits),
  );
}

function label(drafts: readonly Draft[]): string[] {
  return drafts.map((draft, index) =>
    textOf(draft).replace(LABEL, drafts.length === 1 ? "" : ` part="${index + 1} of ${drafts.length}"`),
  );
}

function asLeftOut({ path, sizeBytes }: BundlePart): LeftOut {
  return { path, sizeBytes };
}
