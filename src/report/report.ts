import { ownProfile } from "../clients/choose.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import { readEvidence } from "../ledger/evidence-read.ts";
import { locateLedger } from "../ledger/location.ts";
import { readLedger } from "../ledger/read.ts";
import { visible } from "../lib/escape.ts";
import { statOf } from "../lib/path-facts.ts";
import { fitEnd, widthOf } from "../lib/text-width.ts";
import { counted, withThousands } from "../lib/words.ts";
import { discoverSkills } from "../skills/discover.ts";
import { disabledNames } from "../skills/permissions.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { surveyProject } from "./explain.ts";
import { shownPath } from "./explanation.ts";
import { ownFiles } from "./overview.ts";
import { placesWithSkills } from "./page/skills.ts";
import type { Report, Advice, ReportedFile } from "./schema.ts";
import { adviceFrom, usageOf, type PresentSkill } from "./usage.ts";

/**
 * How a project's instruction files and skills were used in its recorded sessions.
 *
 * @input  since: what is older does not count
 * @effect only reads
 */
export async function reportOn(world: World, workspace: Workspace, since: number): Promise<Report> {
  const { root, settings } = workspace;
  const own = ownProfile(world, workspace);
  const { places } = surveyProject(world, workspace, [own]);
  const files = [...new Set(ownFiles(places).map(({ path }) => path))];
  const present = files.map((path) => ({ path, sizeBytes: statOf(path)?.size ?? 0 }));
  const usage = usageOf(evidenceSince(world, workspace, since), present, await skillsOf(world, workspace));
  return { root: root.directory, since, ...usage, advice: adviceFrom(usage, settings.agents.resolver) };
}

function evidenceSince(world: World, { root, userDirectories }: Workspace, since: number) {
  const location = locateLedger(root.directory, userDirectories, world.home);
  const read = readLedger(location);
  const all = read.kind === "ledger" ? readEvidence(location, read.ledger.tree) : [];
  return all.filter(({ at }) => at >= since);
}

/** The project's own skills, in all its directories. */
async function skillsOf(world: World, workspace: Workspace): Promise<PresentSkill[]> {
  const { enabled, disabled } = workspace.settings.skills;
  if (!enabled) return [];
  const isDisabled = disabledNames(disabled);
  const places = placesWithSkills(workspace, [ownProfile(world, workspace)], world, diskFacts(world));
  const skills = new Map<string, PresentSkill>();
  for (const directory of new Set([workspace.root.directory, ...places])) {
    const { book } = await discoverSkills(world, { ...workspace, cwd: directory });
    for (const { name, path, scope } of book.all()) {
      if (scope === "repo" && !isDisabled(name)) skills.set(path, { name, path });
    }
  }
  return [...skills.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** Subjects of one piece of advice that are named. */
const MOST_SUBJECTS = 10;

/** @input  room: how many columns the reader's terminal has; without one there is no limit */
export function renderReport(report: Report, room = Number.POSITIVE_INFINITY): string {
  const { root, since, sessions, contexts, tokensPerSession, files, skills, advice } = report;
  const day = new Date(since).toISOString().slice(0, 10);
  const cost = sessions === 0 ? "" : `; about ${withThousands(tokensPerSession)} tokens of instructions in a session`;
  const fileRows = files.map((file) => rowOf(file, root));
  const skillRows = skills.map(({ path, name, found, loaded }) => [
    `${visible(name)}  ${shownPath(path, root)}`,
    withThousands(found),
    withThousands(loaded),
  ]);
  return [
    `${visible(root)}: ${counted(sessions, "session")}, ${counted(contexts, "context")} since ${day}${cost}\n`,
    ...(fileRows.length === 0 ? [] : ["\n", columns([FILE_HEADINGS, ...fileRows], room)]),
    ...(skillRows.length === 0 ? [] : ["\n", columns([["skill", "found", "loaded"], ...skillRows], room)]),
    ...(advice.length === 0 ? [] : ["\nadvice:\n", ...advice.map((each) => renderAdvice(each, root))]),
  ].join("");
}

/** One sentence about the files, and one about the skills. */
export function verdictsOf({ sessions, contexts, files, skills }: Report): { text: string; isGood: boolean }[] {
  if (sessions === 0) return [{ text: "No session of this project is recorded in this time.", isGood: false }];
  const own = files.filter(({ isGone }) => !isGone);
  const count = (isOne: (file: Report["files"][number]) => boolean) => own.filter(isOne).length;
  const reached = count(({ contexts: known }) => known.native + known.given + known.readAfter > 0);
  const never = count(({ contexts: known }) => known.all === 0);
  const named = own.length - reached - never;
  const rest = [
    ...(named === 0 ? [] : [`${named} only by name`]),
    ...(never === 0 ? [] : [`${never} applied in no context`]),
  ];
  const all = `${reached} of your ${counted(own.length, "instruction file")} reached a model`;
  const isAll = rest.length === 0;
  const where = `in ${counted(sessions, "session")} with ${counted(contexts, "context")}`;
  const verdicts = own.length === 0 ? [] : [{ text: `${[all, ...rest].join(", ")}, ${where}.`, isGood: isAll }];
  const loaded = skills.filter((skill) => skill.loaded > 0).length;
  if (skills.length === 0) return verdicts;
  const one = loaded === 0 ? "Your one skill was never loaded." : "Your one skill was loaded.";
  const several = `${loaded === 0 ? "None" : loaded} of your ${skills.length} skills ${loaded > 1 ? "were" : "was"} loaded.`;
  return [...verdicts, { text: skills.length === 1 ? one : several, isGood: loaded === skills.length }];
}

const FILE_HEADINGS = [
  "instruction file",
  "contexts",
  "by client",
  "by codelia",
  "named",
  "then read",
  "edit first",
  "not read",
  "tokens/session",
];

function rowOf({ path, isGone, contexts, tokensPerSession }: ReportedFile, root: string): string[] {
  const { all, native, given, named, readAfter, editFirst, unread } = contexts;
  const numbers = [all, native, given, named, readAfter, editFirst, unread, tokensPerSession];
  return [shownPath(path, root) + (isGone ? " (gone)" : ""), ...numbers.map(withThousands)];
}

/** The first column to the left, the others to the right. Without enough room headings stand in two lines. */
function columns(rows: readonly (readonly string[])[], room: number): string {
  const whole = widthsOf(rows);
  if (totalOf(whole) <= room) return aligned(rows, whole);
  const [headings = [], ...rest] = rows;
  const stacked = [headings.map((each) => halvesOf(each)[0]), headings.map((each) => halvesOf(each)[1]), ...rest];
  const widths = widthsOf(stacked);
  const first = Math.max(LEAST_NAME, (widths[0] ?? 0) - Math.max(0, totalOf(widths) - room));
  return aligned(stacked, [first, ...widths.slice(1)]);
}

const LEAST_NAME = 12;
const GAP = "  ";

function aligned(rows: readonly (readonly string[])[], [first = 0, ...others]: readonly number[]): string {
  return rows
    .map(([name = "", ...numbers]) => {
      const cells = numbers.map((cell, at) => cell.padStart(others[at] ?? 0));
      const shown = fitEnd(name, first);
      return `${[shown + " ".repeat(first - widthOf(shown)), ...cells].join(GAP)}\n`;
    })
    .join("");
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ""))));
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

/** `by client` as `by` and `client`, `named` as nothing and `named`. */
function halvesOf(heading: string): [upper: string, lower: string] {
  const end = heading.search(/[ /]/) + 1;
  return [heading.slice(0, end).trim(), heading.slice(end)];
}

function renderAdvice({ text, subjects, command }: Advice, root: string): string {
  const names = subjects.slice(0, MOST_SUBJECTS).map((path) => shownPath(path, root));
  const more = subjects.length > MOST_SUBJECTS ? [`and ${subjects.length - MOST_SUBJECTS} more`] : [];
  const what = command === undefined ? text : `${text} ('${command}')`;
  return `- ${subjects.length === 0 ? what : `${[...names, ...more].join(", ")}: ${what}`}\n`;
}
