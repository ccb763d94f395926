import { escapeText } from "../lib/escape.ts";
import { framed } from "./elements.ts";
import type { ReminderElement } from "./tell.ts";

export interface BundlePart {
  readonly path: string;
  /** What is shown of it. */
  readonly bytes: Uint8Array;
  readonly shownBytes: number;
  readonly sizeBytes: number;
}

export interface LeftOut {
  readonly path: string;
  readonly sizeBytes: number;
  /** What the reader has of it from elsewhere. */
  readonly givenBytes?: number;
}

/** What did not fit, by path and size. */
export function renderLeftOut(leftOut: readonly LeftOut[]): string {
  const lines = leftOut.map(leftOutLine).join("");
  return framed("agents_left_out", `Over the limit; read these files before working in their scope:\n${lines}`);
}

function leftOutLine({ path, sizeBytes, givenBytes = 0 }: LeftOut): string {
  const given = givenBytes === 0 ? "" : `, of which you were given the first ${givenBytes}`;
  return `- ${escapeText(path)} (${sizeBytes} bytes${given})\n`;
}

/** What comes later, by path and size. */
export function renderNotYet(files: readonly LeftOut[]): string {
  if (files.length === 0) return "";
  const lines = files.map(leftOutLine).join("");
  return framed(
    "agents_left_out",
    `To come with the next messages; read these files if you work in their scope before:\n${lines}`,
  );
}

/** What is so where the rules are given: they say nothing that does not hold. */
export interface UsageSituation {
  /** Files are given below the rules. */
  readonly below: boolean;
  /** The client has given files by itself. */
  readonly native: boolean;
  /** How further files become known: by reminders in tools' results, or by asking; not at all. */
  readonly news: "reminders" | "command" | "none";
}

/** How instruction files reach the model, and how they are to be followed. */
export function renderAgentsUsage(element: ReminderElement, situation: UsageSituation): string {
  const rules = [
    `AGENTS.md files govern their directory and everything below it. ${whereTheyAre(situation)} Comply with all whose scope covers a file that you change; deeper overrides higher, the user overrides all.`,
    NEWS_RULES[situation.news](element),
    `On resume, a <${element} type="session.resume.diff"> says what changed, and prevails.`,
  ];
  const lines = rules.filter((rule) => rule !== "").map((rule) => `- ${escapeText(rule)}\n`);
  return framed("agents_usage", lines.join(""));
}

function whereTheyAre({ below, native }: UsageSituation): string {
  if (!below)
    return native ? "Those for the working directory are in your context." : "None is for the working directory.";
  return native ? "Some are in your context, the others stand below." : "Those for the working directory stand below.";
}

const NEWS_RULES: Readonly<Record<UsageSituation["news"], (element: ReminderElement) => string>> = {
  reminders: (element) =>
    `Don't search for them every turn: a <${element} type="agents.resolve.paths"> in a tool's result names further ones, to be read before your next edit there ("changed": read again).`,
  command: () =>
    "Don't search for them every turn. Only before you read or edit where nothing was covered so far, ask: codelia resolve <path>. Read what it names, once, when you work in its scope.",
  none: () => "",
};
