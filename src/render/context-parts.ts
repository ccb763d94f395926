import { renderFile, renderLeftOut, type BundlePart, type LeftOut } from "./agents-context.ts";
import { renderAgentsUsage } from "./agents-usage.ts";
import { cutToFit } from "./cut-to-fit.ts";
import type { ReminderElement } from "./reminder.ts";
import type { ShownSkill } from "./skill-entry.ts";
import { renderSkillsContext } from "./skills-context.ts";

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
 * fit, the nearest are kept, whole; one that alone is too long for a text is cut, and says so.
 *
 * @param fits whether a text is within the limit
 */
export function renderContextParts(
  content: ContextContent,
  count: number,
  fits: (text: string) => boolean,
): ContextParts {
  for (let dropped = 0; dropped <= content.files.length; dropped++) {
    const kept = content.files.slice(dropped);
    const out = [...content.files.slice(0, dropped).map(asLeftOut), ...content.leftOut];
    const nearest = kept.at(-1);
    const isLast = kept.length === 1 && nearest !== undefined;
    const texts =
      layOut(content, kept, out, count, fits) ?? (isLast ? layOutCut(content, nearest, out, count, fits) : undefined);
    if (texts !== undefined) return { texts: label(texts), shown: new Set(kept.map(({ path }) => path)) };
  }
  return { texts: [], shown: new Set() };
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
  const bundle =
    files.length === 0 ? "" : `<agents_context scope="initial"${LABEL}>\n${files.join("\n")}</agents_context>\n`;
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

  /** Adds to the draft, or begins another one with it. */
  function add(change: (draft: Draft) => Draft): boolean {
    const more = change(draft);
    if (fits(textOf(more))) {
      draft = more;
      return true;
    }
    const anew = change(EMPTY);
    if (textOf(draft) === "" || !fits(textOf(anew)) || drafts.length + 1 >= count) return false;
    drafts.push(draft);
    draft = anew;
    return true;
  }

  if (!fits(textOf(draft))) return undefined;
  for (const file of files) if (!add((to) => ({ ...to, files: [...to.files, renderFile(file)] }))) return undefined;
  const named = leftOut.length === 0 ? "" : renderLeftOut(leftOut);
  if (named !== "" && !add((to) => append(to, named))) return undefined;
  addSkills(content, add);
  return textOf(draft) === "" ? drafts : [...drafts, draft];
}

function append(draft: Draft, text: string): Draft {
  return { ...draft, after: draft.after === "" ? text : `${draft.after}\n${text}` };
}

/** As many skills as fit: the catalogue says when it is not all of them. */
function addSkills({ skills, loaded }: ContextContent, add: (change: (draft: Draft) => Draft) => boolean): void {
  if (skills === undefined) return;
  for (let shown = skills.skills.length; shown >= 0; shown = shown === 0 ? -1 : Math.floor(shown * 0.8)) {
    const truncated = skills.truncated || shown < skills.skills.length;
    const text = renderSkillsContext({ skills: skills.skills.slice(0, shown), truncated }, loaded);
    if (text === "" || add((to) => append(to, text))) return;
  }
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
