import { basename, dirname } from "node:path";
import { widthOf } from "../../lib/text-width.ts";
import { isTable, lastValue, valueAt, type Table } from "../../lib/table.ts";
import type { UserEnvironment } from "../client.ts";
import { textIn, type ListedSkill, type ShownSkill } from "../skill-listing.ts";

// The list of skills that Claude Code gives its model, as of 2.1.326.

/**
 * How wide the entries of its own skills are together, each with the end of its line. They keep their descriptions; its
 * own commands, which come last, may lose them.
 */
const OWN_SKILLS_WIDTH = 6040;
const OWN_COMMANDS: readonly (readonly [name: string, length: number])[] = [
  ["init", 59],
  ["security-review", 71],
];
const DEFAULT_FRACTION = 0.01;
const DEFAULT_MAX_DESCRIPTION = 1536;
/** The window of its default model has a million tokens, each counted as three characters. */
const DEFAULT_WINDOW = 3_000_000;
/** The smallest window of a model that it offers has 200,000 tokens, each counted as four. */
const SMALLEST_WINDOW = 800_000;

/** A name in a header that differs from the directory's is shown beside it, if it has no other characters. */
const SHOWN_NAME = /^[\p{L}\p{N}._:-]+$/u;

export const ROOM_SETTING = ["skillListingBudgetFraction", ".claude/settings.json"] as const;

/** What settings say about the list. */
export interface ListingOptions {
  /** Its width with the default model, and with that which has the least room for it. */
  readonly width: number;
  readonly leastWidth: number;
  readonly maxDescription: number;
  /** What is listed of a skill: `on`, `name-only`, `off` or `user-invocable-only`. */
  isSetTo(name: string, ...values: readonly string[]): boolean;
}

/** @param layers the data of all settings files, in the order in which they overrule each other */
export function listingOptions(layers: readonly unknown[], { env }: UserEnvironment): ListingOptions {
  const fixed = Number(
    lastValue(layers, ["env", "SLASH_COMMAND_TOOL_CHAR_BUDGET"]) ?? env["SLASH_COMMAND_TOOL_CHAR_BUDGET"],
  );
  const fraction = lastValue(layers, ["skillListingBudgetFraction"]);
  const share = typeof fraction === "number" && fraction > 0 && fraction <= 1 ? fraction : DEFAULT_FRACTION;
  const widthIn = (window: number) => (fixed > 0 ? fixed : Math.floor(window * share));
  const longest = lastValue(layers, ["skillListingMaxDescChars"]);
  const settings = Object.assign({}, ...layers.map((layer) => valueAt(layer, "skillOverrides")).filter(isTable));
  return {
    width: widthIn(DEFAULT_WINDOW),
    leastWidth: widthIn(SMALLEST_WINDOW),
    maxDescription: typeof longest === "number" && longest > 0 ? longest : DEFAULT_MAX_DESCRIPTION,
    isSetTo: (name, ...values) => values.includes(String(valueAt(settings, name) ?? "on")),
  };
}

/** How wide the entries of a project's skills may be together so that none loses its description. */
export function roomFor({ leastWidth }: ListingOptions): number {
  return leastWidth - OWN_SKILLS_WIDTH - widthOfLines(OWN_COMMANDS.map(([name, length]) => ownEntry(name, length)));
}

/**
 * What Claude Code lists of a project's skills: whole, if all have room. Else it takes the names of all, and gives each in
 * turn its description if that still fits. The order is that of the names in each directory, with the nearest directory
 * first, for a user who has used none of them; those used most come before.
 */
export function shownInClaude(
  skills: readonly ListedSkill[],
  directories: readonly string[],
  { width, maxDescription, isSetTo }: ListingOptions,
): ShownSkill[] {
  const byName = new Intl.Collator("en").compare;
  const sorted = skills
    .map((skill) => ({ ...skill, key: basename(dirname(skill.path)), rank: directories.indexOf(skill.place) }))
    .toSorted((left, right) => right.rank - left.rank || byName(left.key, right.key));
  const names = new Set(sorted.map(({ key }) => key));
  const entries = sorted.map(({ path, key, header }) => {
    const name = textIn(header, "name");
    const isNew = SHOWN_NAME.test(name) && !names.has(name);
    if (isNew) names.add(name);
    const label = `- ${key}${isNew ? ` (${name})` : ""}`;
    const text = isSetTo(key, "name-only") ? "" : cut(descriptionIn(header), maxDescription);
    return { path, label, whole: text === "" ? label : `${label}: ${text}`, length: text.length };
  });
  const own = OWN_COMMANDS.map(([name, length]) => {
    return { path: undefined, label: `- ${name}`, whole: ownEntry(name, length), length };
  });
  const all = [...entries, ...own];
  const others = OWN_SKILLS_WIDTH - 1;
  const isRoomy = others + widthOfLines(all.map(({ whole }) => whole)) <= width;
  let left = width - others - widthOfLines(all.map(({ label }) => label));
  return all.flatMap(({ path, label, whole, length }): ShownSkill[] => {
    const more = widthOf(whole) - widthOf(label);
    const isWhole = isRoomy || more <= left;
    if (isWhole) left -= more;
    return path === undefined
      ? []
      : [{ path, entry: isWhole ? whole : label, shown: isWhole ? length : 0, wanted: length }];
  });
}

function ownEntry(name: string, length: number): string {
  return `- ${name}: ${"x".repeat(length)}`;
}

function descriptionIn(header: Table): string {
  const [description, when] = [textIn(header, "description"), textIn(header, "when_to_use")].map(inOneLine);
  return when === "" || description === "" ? `${description}${when}` : `${description} - ${when}`;
}

function inOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .join(" ")
    .replaceAll("\t", " ")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function widthOfLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + widthOf(line) + 1, 0);
}
