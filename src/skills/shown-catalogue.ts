import type { Divided } from "../instructions/placing.ts";
import { framed } from "../instructions/elements.ts";
import { distinctForms, FORMS, inForm, lineOf, listLines, longestDescription, NAMES, type Form } from "./listing.ts";
import {
  catalogueRules,
  isTruncated,
  renderLoaded,
  renderSkillEntry,
  shorterCatalogues,
  type ShownCatalogue,
  type ShownSkill,
} from "./render.ts";

/*
 * The skill catalogue in the space that a client's channel has: every skill is named before any is described at length.
 * First with whole descriptions, then with shorter ones, then with the directory given once, then names alone, over as many
 * outputs as there are; only then are skills left out.
 */

/**
 * The texts for the catalogue that name every skill, in order of preference.
 *
 * @param before text that goes before it
 * @param loaded paths of skills whose text the context had before it was compacted
 */
export function* catalogueTexts(
  catalogue: ShownCatalogue,
  loaded: readonly string[],
  before: string,
): Generator<string | Divided> {
  const { skills } = catalogue;
  const longest = longestDescription(skills);
  const forms = catalogue.isGrouped === true ? FORMS.filter(({ isGrouped }) => isGrouped) : FORMS;
  for (const form of distinctForms(skills, forms)) {
    const shown = inForm(skills, form);
    const isShortened = catalogue.isShortened === true || form.length < longest;
    const own = { ...catalogue, isShortened, isGrouped: form.isGrouped };
    for (const most of isNamesAlone(shown, form) ? NAMES_IN_LINE : [LINES_IN_GROUP]) {
      yield divided(listLines(shown, form, most), own, loaded, before);
    }
  }
}

/** Those that leave skills out. */
export function* cutCatalogues(
  catalogue: ShownCatalogue,
  loaded: readonly string[],
  before: string,
): Generator<string | Divided> {
  const { skills } = catalogue;
  for (let count = Math.floor(KEPT * skills.length); count > 0; count = Math.floor(KEPT * count)) {
    const cut = { ...catalogue, truncated: true, isShortened: true, isGrouped: true };
    const names = inForm(skills.slice(0, count), NAMES);
    yield divided(listLines(names, NAMES, skills.length), cut, loaded, before);
  }
  for (const text of shorterCatalogues(catalogue, loaded)) yield [before, text].filter(Boolean).join("\n");
}

/** The share of a list that each step keeps. */
const KEPT = 0.8;

/** Short lines can be divided over outputs; long ones take less space. */
const NAMES_IN_LINE = [8, 2000] as const;
const LINES_IN_GROUP = 8;

function isNamesAlone(skills: readonly ShownSkill[], { isGrouped }: Form): boolean {
  return isGrouped && skills.length > 0 && longestDescription(skills) === 0;
}

/** Besides the entries: the frame of a further output. */
const LABEL = ' part="99 of 99"';

function divided(
  entries: readonly string[],
  catalogue: ShownCatalogue,
  loaded: readonly string[],
  before: string,
): Divided {
  const attributes = ` scope="initial" truncated="${isTruncated(catalogue)}"`;
  const usage = framed("skills_usage", catalogueRules(catalogue));
  const loadedText = renderLoaded(loaded, 0);
  const isEmpty = entries.length === 0 && loaded.length === 0 && !isTruncated(catalogue);
  const wrap = (head: string, lines: string, tail: string, label: string) => {
    const listed = framed("skills_catalog", lines, attributes);
    return framed("skills_context", head + (lines === "" && head === "" ? "" : listed) + tail, label);
  };
  return {
    pieces(rooms, measure) {
      if (isEmpty) return before === "" ? [] : undefined;
      const drafts: { room: number; from: number; to: number; hasTail: boolean }[] = [];
      let at = 0;
      let isDone = false;
      for (const [room, most] of rooms.entries()) {
        const isFirst = drafts.length === 0;
        const ahead = isFirst && before !== "" ? measure(`${before}\n`) : 0;
        let left = most - ahead - measure(wrap(isFirst ? usage : "", " ", "", LABEL));
        const from = at;
        while (at < entries.length) {
          const size = measure(entries[at] as string);
          if (size > left) break;
          left -= size;
          at++;
        }
        if (left < 0 || (at === from && entries.length > from)) continue;
        const hasTail = at === entries.length && measure(loadedText) <= left;
        drafts.push({ room, from, to: at, hasTail });
        isDone = hasTail;
        if (isDone) break;
      }
      if (!isDone) return undefined;
      const texts = rooms.map(() => "");
      for (const [index, { room, from, to, hasTail }] of drafts.entries()) {
        const label = drafts.length > 1 ? ` part="${index + 1} of ${drafts.length}"` : "";
        const lines = entries.slice(from, to).join("");
        const text = wrap(index === 0 ? usage : "", lines, hasTail ? loadedText : "", label);
        texts[room] = index === 0 && before !== "" ? `${before}\n${text}` : text;
      }
      return texts;
    },
  };
}

/** How many skills the texts name, and how many of them with their description in the catalogue. */
export function countShown(
  texts: readonly string[],
  skills: readonly ShownSkill[],
): { readonly named: number; readonly described: number } {
  // Texts from a clone can't open or close this frame.
  const frames = texts.flatMap((text) => within(text, "skills_catalog")).join("");
  const names = within(frames, "skill_names").flatMap((list) => list.split(", "));
  // Without the lines of the element itself.
  const lines = within(frames, "skill_list").flatMap((list) => list.split("\n").slice(1, -1));
  const listed = new Set(lines.map((line) => `${line}\n`));
  const entries = frames.split("  <skill>\n").length - 1;
  const whole = skills.filter((skill) => listed.has(lineOf(skill)) || frames.includes(renderSkillEntry(skill)));
  return { named: entries + names.length + lines.length, described: whole.length };
}

/** What elements hold, with the attributes of each. */
function within(text: string, element: string): string[] {
  const [start, end] = [`<${element} `, `</${element}>`];
  const found: string[] = [];
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, from)) {
    const to = text.indexOf(end, from);
    if (to < 0) break;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}
