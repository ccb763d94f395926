import { basename, dirname } from "node:path";
import { escapeAttribute, escapeText } from "../lib/escape.ts";
import { inOneLine, renderSkillEntry, type ShownSkill } from "./render.ts";

/* How skills are listed in the space that there is: the fullest form first, names alone last. */

export interface Form {
  /** The most characters of a description; 0 leaves it out. */
  readonly length: number;
  /** Skills that are side by side are told their directory once. */
  readonly isGrouped: boolean;
}

const WHOLE = Number.POSITIVE_INFINITY;

/** All four fields of each skill. */
export const ENTRY_FORMS: readonly Form[] = [WHOLE, 500, 250, 120, 60, 20].map((length) => ({
  length,
  isGrouped: false,
}));

/** Four fields say little if the description is short: then a directory given once leaves room for a longer one. */
export const FORMS: readonly Form[] = [
  ...ENTRY_FORMS.filter(({ length }) => length >= 250),
  ...[250, 120, 60, 20, 0].map((length) => ({ length, isGrouped: true })),
];

/** Names alone. */
export const NAMES: Form = { length: 0, isGrouped: true };

/** Those of the forms in which the skills look different, in order. */
export function distinctForms(skills: readonly ShownSkill[], forms: readonly Form[]): Form[] {
  const longest = longestDescription(skills);
  return forms.filter(({ length, isGrouped }, index) => length < longest || forms[index - 1]?.isGrouped !== isGrouped);
}

export function longestDescription(skills: readonly ShownSkill[]): number {
  return skills.reduce((longest, { description }) => Math.max(longest, description.length), 0);
}

/** The skills as a form has them. One that loses nothing stays the same object. */
export function inForm<Skill extends ShownSkill>(skills: readonly Skill[], { length }: Form): Skill[] {
  return skills.map((skill) => {
    const description = shortened(skill.description, length);
    return description === skill.description ? skill : { ...skill, description };
  });
}

/** A description of at most this many characters and a mark, cut between words if possible. */
function shortened(description: string, length: number): string {
  if (description.length <= length || length === 0) return length === 0 ? "" : description;
  const start = description.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  const blank = start.lastIndexOf(" ");
  return `${(blank > length / 2 ? start.slice(0, blank) : start).trimEnd()}…`;
}

/**
 * What is printed for skills that are in a form already: an element for each, or for each group.
 *
 * @param most how many skills a group may have
 */
export function listLines(skills: readonly ShownSkill[], { isGrouped }: Form, most: number): string[] {
  if (!isGrouped) return skills.map((skill) => renderSkillEntry(skill));
  const groups: ShownSkill[][] = [];
  for (const skill of skills) {
    const open = groups.at(-1);
    const first = open?.[0];
    const isSame = first?.scope === skill.scope && placeOf(first) === placeOf(skill) && open?.length !== most;
    if (open !== undefined && isSame) open.push(skill);
    else groups.push([skill]);
  }
  return groups.map(renderGroup);
}

/** Where the directory of a skill is. */
function placeOf({ path }: ShownSkill): string {
  return dirname(dirname(path));
}

function renderGroup(group: readonly ShownSkill[]): string {
  const [first] = group as [ShownSkill];
  const attributes = ` scope="${first.scope}" directory="${escapeAttribute(placeOf(first))}"`;
  if (group.every(({ description }) => description === "")) {
    return `  <skill_names${attributes}>${group.map(labelOf).join(", ")}</skill_names>\n`;
  }
  return `  <skill_list${attributes}>\n${group.map(lineOf).join("")}  </skill_list>\n`;
}

/** A skill in a group. */
export function lineOf(skill: ShownSkill): string {
  return `    ${labelOf(skill)}: ${escapeText(inOneLine(skill.description))}\n`;
}

/** Its name, and that of its directory if it differs: one behind a link, or one that was read leniently. */
function labelOf({ name, path }: ShownSkill): string {
  const own = basename(dirname(path));
  return escapeText(own === name ? name : `${name} (in ${own})`);
}
