import { escapeText } from "../lib/escape.ts";
import type { Capacity } from "./delivery.ts";
import { framed } from "./elements.ts";
import { pathLine, UNREAD, type ReminderElement } from "./tell.ts";
import { counted } from "../lib/words.ts";

type Room = Omit<Capacity, "count">;

export interface LeftOut {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Names what did not fit, with sizes. */
export function renderLeftOut(leftOut: readonly LeftOut[], room?: Room): string {
  const lines = leftOutLines(leftOut, room);
  return framed("agents_left_out", `Over the limit; read these files before working in their scope:\n${lines}`);
}

/** Names what comes later, with sizes. */
export function renderNotYet(files: readonly LeftOut[], room?: Room): string {
  if (files.length === 0) return "";
  const lines = leftOutLines(files, room);
  return framed(
    "agents_left_out",
    `To come with the next messages; read these files if you work in their scope before:\n${lines}`,
  );
}

/** Names what applies and can't be read. */
export function renderUnread(paths: readonly string[]): string {
  return paths.length === 0 ? "" : framed("agents_left_out", `${[UNREAD, ...paths.map(pathLine)].join("\n")}\n`);
}

/** The files nearest to the working directory, as many as there is room for, and the number of the others. */
function leftOutLines(files: readonly LeftOut[], room: Room = UNLIMITED): string {
  const lines = files.map(leftOutLine);
  let from = lines.length;
  for (let left = room.max; from > 0; from--) {
    left -= room.measure(lines[from - 1] ?? "");
    if (left < 0) break;
  }
  const bytes = files.slice(0, from).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const count = counted(from, from < lines.length ? "more file" : "file");
  const others = `- ${count} between the root and the working directory (${counted(bytes, "byte")})\n`;
  return lines.slice(from).join("") + (from === 0 ? "" : others);
}

const UNLIMITED: Room = { max: Number.POSITIVE_INFINITY, measure: () => 0 };

function leftOutLine({ path, sizeBytes }: LeftOut): string {
  return `- ${escapeText(path)} (${counted(sizeBytes, "byte")})\n`;
}

/** The situation in which the rules are given; they mention only what exists. */
export interface UsageSituation {
  /** Files follow the rules. */
  readonly below: boolean;
  /** The client gave files by itself. */
  readonly native: boolean;
  /** Some files are listed but not given. */
  readonly listed?: boolean;
  /** Some files can't be read. */
  readonly unread?: boolean;
  /** How the model learns of further files: by reminders with tool results, or not at all; or how it calls codelia. */
  readonly news: "reminders" | "none" | { readonly command: string };
}

/** How instruction files reach the model and how to follow them. */
export function renderAgentsUsage(element: ReminderElement, situation: UsageSituation): string {
  const rules = [
    `AGENTS.md files govern their directory and all below it; ${whereTheyAre(situation)}. Comply with each whose scope covers a file you change: deeper overrides higher, the user overrides all.`,
    `${newsRule(element, situation.news)}After a resume, a ${element} of type session.resume.diff prevails.`,
  ];
  return framed("agents_usage", rules.map((rule) => `- ${escapeText(rule)}\n`).join(""));
}

function whereTheyAre({ below, native, listed = false, unread = false }: UsageSituation): string {
  const places = [
    ...(native ? ["already in your context"] : []),
    ...(below ? ["below"] : []),
    ...(listed ? ["listed below, to be read"] : []),
    ...(unread ? ["not readable"] : []),
  ];
  if (places.length === 0) return "there is none for the working directory";
  return places.length === 1
    ? `those for the working directory are ${places.join("")}`
    : `of those for the working directory some are ${places.join(", some ")}`;
}

function newsRule(element: ReminderElement, news: UsageSituation["news"]): string {
  if (news === "none") return "";
  return news === "reminders"
    ? `Don't search for more: a ${element} with a tool's result names them, to be read before your next edit there; "changed" means read again. `
    : `Don't search for more: before you read or edit in another directory, run: ${news.command} resolve <path>. Read what it names once, before you work there. `;
}
