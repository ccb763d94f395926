import { basename, dirname, join } from "node:path";
import { readMemory } from "../instructions/memory-text.ts";
import { startsWithBom } from "../lib/bytes.ts";
import { isInside } from "../lib/paths.ts";
import type { Table } from "../lib/table.ts";
import { lossyText } from "../lib/text.ts";
import type { TreeFacts } from "./client.ts";

// Which skills a client lists to its model by itself: they need no entry in the catalogue.

/** How a client lists skills. */
export interface SkillListing {
  /** The directories that it searches. */
  readonly directories: readonly string[];
  /** How many levels below such a directory a skill may be. */
  readonly levels: number;
  /** The traits of skills that it skips. */
  readonly skips: readonly Trait[];
  /** Whether it skips a skill for another reason. */
  isSkipped?(seen: SeenSkill): boolean;
  /** It lists only one of several skills with the same name. */
  readonly isByName?: boolean;
  /** How many characters its own listing may have, if that is limited. */
  readonly room?: number;
  /** How long a description may be that it does not shorten. */
  readonly longest?: number;
  /** What it does beyond the limit: shorten the longest descriptions, or drop any of them. */
  readonly over?: "shortens" | "drops";
  /** What it lists of a project's skills, with its default model. */
  show?(skills: readonly ListedSkill[]): readonly ShownSkill[];
  /** The setting of a project that gives the listing more room, and the file it stands in. */
  readonly setting?: readonly [key: string, file: string];
}

/** A skill that a client lists. */
export interface ListedSkill {
  /** Of its SKILL.md, by the client's path to it. */
  readonly path: string;
  /** That of the client's directories of skills in which it is. */
  readonly place: string;
  /** What its header says. */
  readonly header: Table;
}

/** What a client lists of a skill. */
export interface ShownSkill {
  readonly path: string;
  /** Its entry, byte for byte; undefined if the skill is left out. */
  readonly entry: string | undefined;
  /** How many characters of its description the listing has, and how many it would have with more room. */
  readonly shown: number;
  readonly wanted: number;
}

/**
 * `dotted`: in a directory whose name begins with a dot; `linked`: its SKILL.md is a link; `marked`: its text begins with
 * a byte order mark; `user-only`: the model may not use it unasked, `user-only-loosely`: also if the header says so by a
 * text; `conditional`: it is for some files only.
 */
export type Trait = "dotted" | "linked" | "marked" | "user-only" | "user-only-loosely" | "conditional";

/** A skill where the client finds it. */
export interface SeenSkill {
  /** Of its SKILL.md, by the client's path to it. */
  readonly path: string;
  readonly realPath: string;
  /** That of the client's directories of skills in which it is. */
  readonly place: string;
  readonly isLink: boolean;
  /** It is in a directory whose name begins with a dot. */
  readonly isDotted: boolean;
  /** The beginning of its text. */
  start(): Uint8Array;
}

/** A skill that codelia would list. */
export interface ListableSkill {
  readonly name: string;
  readonly description: string;
  /** Of its SKILL.md, with links resolved. */
  readonly path: string;
}

const SKILL_FILE = "SKILL.md";
/** With more skills than this, no client has room for every description. */
const MAX_SKILLS = 500;
const MAX_ENTRIES_A_SKILL = 10;
const HEADER_BYTES = 16 * 1024;
/**
 * What an entry takes besides the name, its share of the path, and the description; and what a skill takes that only
 * the client knows.
 */
const ENTRY_SIZE = 40;
const OTHER_ENTRY_SIZE = 400;

/** The paths of the skills that the client certainly lists with their whole descriptions. */
export function listedSkills<Skill extends ListableSkill>(
  skills: readonly Skill[],
  listing: SkillListing,
  facts: TreeFacts,
): ReadonlySet<string> {
  const leadsToKnown = (real: string) => skills.some(({ path }) => isInside(real, path));
  const found = seenSkills(leadsToKnown, listing, facts, MAX_SKILLS);
  if (found === undefined) return new Set();
  const { seen, unseen } = found;
  const shown = new Map(seen.map((skill) => [skill.realPath, skill]));
  const count = new Map<string, number>();
  for (const { name } of skills) count.set(name, (count.get(name) ?? 0) + 1);
  const isAmbiguous = ({ name }: Skill) => listing.isByName === true && (count.get(name) ?? 0) > 1;
  const listed = skills.filter((skill) => shown.has(skill.path) && !isAmbiguous(skill));
  const longest = wholeUpTo(listed, shown.size - listed.length + unseen, listing);
  return new Set(listed.filter(({ description }) => description.length <= longest).map(({ path }) => path));
}

/** How long a description may be to be certainly listed whole. */
function wholeUpTo(
  listed: readonly ListableSkill[],
  others: number,
  { room = Number.POSITIVE_INFINITY, longest = Number.POSITIVE_INFINITY, over }: SkillListing,
): number {
  const sizeOf = ({ name }: ListableSkill) => 2 * name.length + ENTRY_SIZE;
  let left = room - others * OTHER_ENTRY_SIZE - listed.reduce((sum, skill) => sum + sizeOf(skill), 0);
  const lengths = listed.map(({ description }) => description.length).toSorted((short, long) => short - long);
  if (lengths.reduce((sum, length) => sum + length, 0) <= left) return longest;
  if (over !== "shortens") return -1;
  // All have equal room, and the others share what short ones leave.
  for (const [index, length] of lengths.entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * The skills that a client lists; undefined if there are too many to know.
 *
 * @param isFollowed whether a link is followed to there. A client follows any, but some lead out of the clone
 * @output `unseen`: how many links were not followed
 */
export function seenSkills(
  isFollowed: (realPath: string) => boolean,
  listing: SkillListing,
  facts: TreeFacts,
  most: number,
): { readonly seen: readonly SeenSkill[]; readonly unseen: number } | undefined {
  const { directories, levels } = listing;
  const skills: SeenSkill[] = [];
  let listed = 0;
  let unseen = 0;
  function look(place: string, directory: string, level: number, isDotted: boolean): boolean {
    for (const name of facts.list(directory)) {
      const child = join(directory, name);
      listed++;
      if (listed > MAX_ENTRIES_A_SKILL * most || skills.length > most) return false;
      const there = facts.at(child);
      if (there?.kind !== "directory") continue;
      if (basename(there.realPath) !== name || dirname(there.realPath) !== facts.realPath(directory)) {
        if (!isFollowed(there.realPath)) {
          unseen++;
          continue;
        }
      }
      const path = join(child, SKILL_FILE);
      const file = facts.at(path);
      const isBelowDotted = isDotted || name.startsWith(".");
      if (file?.kind === "file") {
        const { realPath, isLink } = file;
        const start = () => facts.start(path, HEADER_BYTES);
        skills.push({ path, realPath, place, isLink, isDotted: isBelowDotted, start });
      } else if (level < levels && !look(place, child, level + 1, isBelowDotted)) return false;
    }
    return true;
  }
  for (const directory of new Set(directories)) {
    const real = facts.realPath(directory);
    if (real === undefined || (hasLink(directory, real, facts) && !isFollowed(real))) continue;
    if (!look(directory, directory, 1, false)) return undefined;
  }
  return { seen: skills.filter((skill) => !isSkipped(skill, listing)), unseen };
}

/** Whether a link is in the last two names of a path: `.claude/skills`. */
function hasLink(path: string, realPath: string, facts: TreeFacts): boolean {
  const place = facts.realPath(dirname(dirname(path)));
  return place === undefined || join(place, basename(dirname(path)), basename(path)) !== realPath;
}

function isSkipped(skill: SeenSkill, listing: SkillListing): boolean {
  return listing.skips.some((trait) => HAS[trait](skill)) || listing.isSkipped?.(skill) === true;
}

const HAS: Readonly<Record<Trait, (skill: SeenSkill) => boolean>> = {
  dotted: ({ isDotted }) => isDotted,
  linked: ({ isLink }) => isLink,
  marked: ({ start }) => startsWithBom(start()),
  "user-only": ({ start }) => /^disable-model-invocation:[ \t]*true\b/m.test(headerOf(lossyText(start()))),
  "user-only-loosely": ({ start }) => isUserOnly(lossyText(start())),
  conditional: ({ start }) => readMemory(lossyText(start())).paths.length > 0,
};

/** A value of a header as text; "" if there is none. */
export function textIn(header: Table, key: string): string {
  const value = Object.hasOwn(header, key) ? header[key] : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value).trim()
    : "";
}

/** Whether only the user may have a skill used, in any spelling of true. @param text of its SKILL.md, from the start */
export function isUserOnly(text: string): boolean {
  return /^disable-model-invocation:[ \t]*["']?(?:true|yes)\b/im.test(headerOf(text));
}

function headerOf(text: string): string {
  const end = text.indexOf("\n---", 3);
  return end < 0 ? text : text.slice(0, end);
}
