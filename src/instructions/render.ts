import { escapeText } from "../lib/escape.ts";
import { framed } from "./elements.ts";
import type { ReminderElement } from "./tell.ts";
import { counted } from "../lib/words.ts";

export interface LeftOut {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Names what did not fit, with sizes. */
export function renderLeftOut(leftOut: readonly LeftOut[]): string {
  const lines = leftOut.map(leftOutLine).join("");
  return framed("agents_left_out", `Over the limit; read these files before working in their scope:\n${lines}`);
}

function leftOutLine({ path, sizeBytes }: LeftOut): string {
  return `- ${escapeText(path)} (${counted(sizeBytes, "byte")})\n`;
}

/** Names what comes later, with sizes. */
export function renderNotYet(files: readonly LeftOut[]): string {
  if (files.length === 0) return "";
  const lines = files.map(leftOutLine).join("");
  return framed(
    "agents_left_out",
    `To come with the next messages; read these files if you work in their scope before:\n${lines}`,
  );
}

/** The situation in which the rules are given; they mention only what exists. */
export interface UsageSituation {
  /** Files follow the rules. */
  readonly below: boolean;
  /** The client gave files by itself. */
  readonly native: boolean;
  /** Some files are listed but not given. */
  readonly listed?: boolean;
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

function whereTheyAre({ below, native, listed = false }: UsageSituation): string {
  const places = [
    ...(native ? ["already in your context"] : []),
    ...(below ? ["below"] : []),
    ...(listed ? ["listed below, to be read"] : []),
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
