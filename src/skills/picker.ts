import { basename, dirname } from "node:path";
import type { Key, KeyName } from "../cli/keys.ts";
import { editLine, EMPTY_LINE, type TextEdit, type TextLine } from "../cli/line-editor.ts";
import { bookOf } from "./columns.ts";
import { rankSkills } from "./rank.ts";
import { SKILL_FILE, type Skill, type SkillProblem } from "./skill.ts";
import { fold } from "./tokens.ts";

/** Whose config disables a skill. */
export type OffPlace = "project" | "user";
/** A skill, or one that can't be used and why. */
export interface PickerSkill extends Skill {
  readonly broken?: string;
}

/** Unusable skills, under the names of their directories. */
export function brokenSkill({ path, message }: SkillProblem): PickerSkill {
  const dir = basename(path) === SKILL_FILE ? dirname(path) : path;
  const facts = { path, dir, scope: "repo", mtimeMs: 0, distance: 0 } as const;
  return { ...facts, name: basename(dir), description: message, broken: message };
}

/** The names that each of them disables. */
export type OffNames = Readonly<Record<OffPlace, ReadonlySet<string>>>;

/** The key that enables or disables a skill in a place. */
export const TOGGLE_KEYS = { project: "Ctrl-T", user: "Ctrl-G" } as const satisfies Record<OffPlace, string>;

/** The state of the picker: a list of skills and a search line. */
export interface PickerState {
  readonly skills: readonly PickerSkill[];
  /** For each of them, the text in which parts of words are searched. */
  readonly texts: readonly string[];
  readonly off: OffNames;
  readonly query: TextLine;
  /** The skills that match the query, best first; all of them, in the given order, if it is empty. */
  readonly matches: readonly PickerSkill[];
  /** An index into `matches`; 0 if there are none. */
  readonly selected: number;
  /** The first visible match, and how many are visible at once. */
  readonly top: number;
  readonly pageSize: number;
  /** One sentence about what was done last, or "". */
  readonly message: string;
}

export type PickerEffect = "toggle-project" | "toggle-user" | "print" | "copy" | "quit" | "interrupt";

export interface PickerStep {
  readonly state: PickerState;
  /** What the caller has to do; the state does not reflect it yet. */
  readonly effect: PickerEffect | undefined;
}

export function openPicker(
  skills: readonly PickerSkill[],
  off: OffNames,
  pageSize: number,
  message: string,
): PickerState {
  const texts = skills.map(({ name, description }) => fold(`${name} ${description}`));
  return { skills, texts, off, query: EMPTY_LINE, matches: skills, selected: 0, top: 0, pageSize, message };
}

export function selectedSkill({ matches, selected }: PickerState): PickerSkill | undefined {
  return matches[selected];
}

/** The places in which a skill of this name is disabled. */
export function placesOff(off: OffNames, name: string): OffPlace[] {
  return (["project", "user"] as const).filter((place) => off[place].has(name));
}

export function step(state: PickerState, pressed: Key): PickerStep {
  const quiet = { ...state, message: "" };
  if (pressed.kind === "text") return stay(search(quiet, { kind: "insert", text: pressed.text }));
  const { name } = pressed;
  const edit = Object.hasOwn(EDITS, name) ? EDITS[name] : undefined;
  if (edit !== undefined) return stay(search(quiet, { kind: edit }));
  switch (name) {
    case "up":
    case "ctrl-p":
      return stay(select(quiet, state.selected - 1));
    case "down":
    case "ctrl-n":
      return stay(select(quiet, state.selected + 1));
    case "page-up":
      return stay(select(quiet, state.selected - Math.max(1, state.pageSize)));
    case "page-down":
      return stay(select(quiet, state.selected + Math.max(1, state.pageSize)));
    case "home":
      return stay(select(quiet, 0));
    case "end":
      return stay(select(quiet, state.matches.length - 1));
    case "enter":
      return take(quiet, "print");
    case "ctrl-y":
      return take(quiet, "copy");
    case "ctrl-t":
      return toggle(quiet, "toggle-project");
    case "ctrl-g":
      return toggle(quiet, "toggle-user");
    case "escape":
      return { state: quiet, effect: "quit" };
    case "ctrl-c":
      return { state: quiet, effect: "interrupt" };
    default:
      return stay(state);
  }
}

/** After a config was written. */
export function setOff(state: PickerState, place: OffPlace, name: string, isOff: boolean): PickerState {
  const names = new Set(state.off[place]);
  if (isOff) names.add(name);
  else names.delete(name);
  return { ...state, off: { ...state.off, [place]: names } };
}

export function say(state: PickerState, message: string): PickerState {
  return { ...state, message };
}

/** After the terminal was resized. */
export function setPageSize(state: PickerState, pageSize: number): PickerState {
  return select({ ...state, pageSize }, state.selected);
}

const EDITS: Readonly<Partial<Record<KeyName, Exclude<TextEdit["kind"], "insert">>>> = {
  backspace: "delete-before",
  delete: "delete-after",
  left: "left",
  "ctrl-b": "left",
  right: "right",
  "ctrl-f": "right",
  "ctrl-a": "start",
  "ctrl-e": "end",
  "ctrl-u": "clear",
  "ctrl-w": "delete-word",
};

function search(state: PickerState, edit: TextEdit): PickerState {
  const query = editLine(state.query, edit);
  const text = query.text.trim();
  if (text === state.query.text.trim()) return { ...state, query };
  return select({ ...state, query, matches: text === "" ? state.skills : find(state, text), top: 0 }, 0);
}

/** The ranking matches words and their beginnings. While the user types, parts of words match too, and come last. */
function find({ skills, texts }: PickerState, text: string): PickerSkill[] {
  const ranked = rankSkills(bookOf(skills), { text, path: undefined }, skills.length).results.map(({ skill }) => skill);
  const found = new Set<PickerSkill>(ranked);
  const part = fold(text);
  for (const [index, skill] of skills.entries()) if (texts[index]?.includes(part) === true) found.add(skill);
  // `relnot` for release-notes: its letters in order, the closest match first.
  const letters = [...part].filter((letter) => letter !== " ");
  const spans = skills
    .map((skill) => ({ skill, span: spanOf(letters, fold(skill.name)) }))
    .filter(({ span }) => span !== undefined);
  const closest = spans.toSorted((left, right) => (left.span ?? 0) - (right.span ?? 0));
  for (const { skill } of closest) found.add(skill);
  return [...found];
}

/** The length of the part of a name that contains the letters in order; undefined if it doesn't. */
function spanOf(letters: readonly string[], name: string): number | undefined {
  const start = name.indexOf(letters[0] ?? "");
  let at = start - 1;
  for (const letter of letters) {
    at = name.indexOf(letter, at + 1);
    if (at < 0) return undefined;
  }
  return at - start;
}

function select(state: PickerState, index: number): PickerState {
  const selected = Math.max(0, Math.min(index, state.matches.length - 1));
  const lastTop = Math.max(0, state.matches.length - state.pageSize);
  const lowest = Math.max(0, selected - Math.max(1, state.pageSize) + 1);
  return { ...state, selected, top: Math.min(Math.max(state.top, lowest), selected, Math.max(lastTop, lowest)) };
}

function take(state: PickerState, effect: "print" | "copy"): PickerStep {
  const skill = selectedSkill(state);
  if (skill === undefined) return stay(say(state, NOTHING_SELECTED));
  if (skill.broken !== undefined) return stay(say(state, `'${skill.name}' can't be loaded: ${skill.broken}`));
  const places = placesOff(state.off, skill.name);
  if (places.length === 0) return { state, effect };
  const keys = places.map((place) => TOGGLE_KEYS[place]).join(" and ");
  const remedy = `${keys} ${places.length === 1 ? "enables" : "enable"} it`;
  return stay(say(state, `'${skill.name}' is disabled and can't be loaded; ${remedy}`));
}

function toggle(state: PickerState, effect: "toggle-project" | "toggle-user"): PickerStep {
  return selectedSkill(state) === undefined ? stay(say(state, NOTHING_SELECTED)) : { state, effect };
}

const NOTHING_SELECTED = "no skill matches; Ctrl-U clears the search";

function stay(state: PickerState): PickerStep {
  return { state, effect: undefined };
}
