import { visible } from "../lib/escape.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
import { fill, fit, fitEnd, widthOf, wrap } from "../lib/text-width.ts";
import { placesOff, TOGGLE_KEYS, type OffPlace, type PickerState } from "./picker.ts";
import type { ShownSkill } from "./render.ts";
import { skillsOrDirectories } from "./skill.ts";

/** The parts of the picker's state that are shown. */
export interface ShownPicker extends Omit<PickerState, "skills" | "matches" | "texts"> {
  readonly skills: readonly unknown[];
  readonly matches: readonly (ShownSkill & { readonly broken?: string })[];
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

export interface PickerPicture {
  /** At most as many lines as the screen has rows, none wider than its columns. */
  readonly lines: readonly string[];
  /** From 0. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The search above the list, the status and the keys below it. */
const LINES_AROUND = 3;
/** Smaller screens have room for the list only. */
const MIN_ROWS_FOR_DETAILS = 9;
const MAX_DETAILS = 6;
const PROMPT = "> ";
const MAX_NAME = 32;

const HELP = [
  "Enter print  Ctrl-Y copy  Ctrl-T on/off here  Ctrl-G on/off for you  Esc quit",
  "Enter print  ^Y copy  ^T here  ^G for you  Esc quit",
  "Enter  ^Y  ^T  ^G  Esc",
] as const;

/** How many matches fit on a screen with this many rows. */
export function pageSizeOf(rows: number): number {
  return Math.max(0, rows - LINES_AROUND - detailsOf(rows));
}

export function renderPicker(state: ShownPicker, screen: Screen): PickerPicture {
  const { columns, rows } = screen;
  const page = Math.max(0, Math.min(state.pageSize, rows - LINES_AROUND));
  const prompt = renderPrompt(state.query, columns);
  const list = renderList(state, page, screen);
  const details = renderDetails(state.matches[state.selected], rows - LINES_AROUND - page, columns);
  const status = fit(statusOf(state), columns);
  const help = HELP.find((line) => line.length <= columns) ?? fit(HELP[2], columns);
  return {
    lines: [prompt.line, ...list, ...details, status, paint(help, "2", screen)].slice(0, Math.max(0, rows)),
    cursor: { row: 0, column: Math.max(0, Math.min(prompt.column, columns - 1)) },
  };
}

function detailsOf(rows: number): number {
  return rows < MIN_ROWS_FOR_DETAILS ? 0 : Math.min(MAX_DETAILS, Math.floor(rows / 3));
}

/** For a query longer than the line, shows the end of what is before the cursor. */
function renderPrompt({ text, cursor }: ShownPicker["query"], columns: number): { line: string; column: number } {
  const prompt = fit(PROMPT, columns);
  const room = Math.max(0, columns - prompt.length);
  const before = fitEnd(visible(text.slice(0, cursor)), room - 1);
  const column = prompt.length + widthOf(before);
  return { line: prompt + before + fit(visible(text.slice(cursor)), columns - column), column };
}

function renderList(state: ShownPicker, page: number, screen: Screen): string[] {
  const shown = state.matches.slice(state.top, state.top + page);
  const names = shown.map(({ name }) => visible(name));
  const most = Math.min(MAX_NAME, Math.floor(screen.columns / 2));
  const width = Math.min(most, Math.max(0, ...names.map(widthOf)));
  const lines = shown.map((skill, index) => {
    const isSelected = state.top + index === state.selected;
    const places = placesOff(state.off, skill.name).map((place) => `off: ${place}`);
    const off = skill.broken === undefined ? places.join(", ") : "broken";
    const start = `${isSelected ? ">" : " "} ${fill(names[index] ?? "", width)} ${skill.scope}${off && `  ${off}`}`;
    const line = fit(
      `${fill(start, Math.max(widthOf(start), width + 7))}  ${oneLine(skill.description)}`,
      screen.columns,
    );
    if (isSelected) return paint(line, "7", screen);
    return off === "" ? line : paint(line, "2", screen);
  });
  return [...lines, ...Array.from({ length: page - lines.length }, () => "")];
}

/** The description and path of the selected skill. */
function renderDetails(skill: ShownSkill | undefined, count: number, columns: number): string[] {
  if (count <= 0) return [];
  const blank = Array.from({ length: count }, () => "");
  if (skill === undefined) return blank;
  const path = fitEnd(visible(skill.path), columns);
  if (count < 3) return [...wrap(oneLine(skill.description), columns, count), ...blank].slice(0, count);
  return ["", ...wrap(oneLine(skill.description), columns, count - 2), path, ...blank].slice(0, count);
}

function statusOf({ matches, skills, message }: ShownPicker): string {
  const count = `${matches.length} of ${skills.length}`;
  return message === "" ? count : `${count}  ${oneLine(message)}`;
}

/** Line ends and runs of spaces in a description have no meaning. */
function oneLine(text: string): string {
  return visible(text.trim().replaceAll(/[\t\n\r ]+/g, " "));
}

function paint(line: string, code: string, { colour }: Screen): string {
  return colour && line !== "" ? `\u001B[${code}m${line}\u001B[0m` : line;
}

export interface Toggled {
  readonly name: string;
  readonly place: OffPlace;
  readonly isOff: boolean;
  readonly path: string;
  /** Where else the name is disabled. */
  readonly elsewhere: { readonly place: OffPlace; readonly path: string | undefined } | undefined;
}

const FOR = { project: "for this project", user: "for you" } as const;

/** After a skill was enabled or disabled in one place; the other place may disable it too. */
export function toggledMessage({ name, place, isOff, path, elsewhere }: Toggled): string {
  const done = `'${name}' is ${isOff ? "disabled" : "enabled"} ${FOR[place]}`;
  if (elsewhere === undefined) return `${done}: ${path}`;
  const where = elsewhere.path === undefined ? "" : ` in ${elsewhere.path}`;
  const still = isOff ? "it was already" : "but still";
  return `${done}, ${still} disabled ${FOR[elsewhere.place]}${where} (${TOGGLE_KEYS[elsewhere.place]})`;
}

export function notToggledMessage(name: string, wouldBeOff: boolean, path: string, reason: string): string {
  return `'${name}' can't be ${wouldBeOff ? "disabled" : "enabled"} in '${path}': ${reason}`;
}

export function copiedMessage(command: string): string {
  return `asked the terminal to copy: ${command}`;
}

/** Shown before the first key. */
export function openingMessage(skills: number, broken: number): string {
  if (broken > 0) return `${skillsOrDirectories(broken)} can't be used; 'codelia skills list' says why`;
  return skills === 0 ? "there are no skills here; put one into .agents/skills/NAME/SKILL.md" : "";
}

/**
 * Draws a screen over the previous one. Each line is erased before it is drawn: erasing it afterwards would remove its
 * last column.
 */
export function renderFrame({ lines, cursor }: PickerPicture): string {
  const drawn = lines.map((line, row) => `\u001B[${row + 1};1H\u001B[K${line}`);
  return `\u001B[?25l${drawn.join("")}\u001B[${cursor.row + 1};${cursor.column + 1}H\u001B[?25h`;
}

/** Asks the terminal to put a text on the clipboard (OSC 52); there is no answer. */
export function renderCopy(text: string): string {
  const bytes = String.fromCodePoint(...new TextEncoder().encode(text));
  return `\u001B]52;c;${btoa(bytes)}\u0007`;
}

/** The command line that loads a skill, with the flags needed to find it again. */
export function renderLoadCommand(path: string, flags: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteForShell(value)}`],
  );
  return ["codelia skills load", quoteForShell(path), ...given].join(" ");
}
