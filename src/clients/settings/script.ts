import { settingsData } from "./data.ts";
import type { ExpectedHooks } from "./expected.ts";
import type { Edited } from "./install.ts";
import { inSingleQuotes } from "../../lib/shell-quote.ts";
import { readOwnCommand, simpleCommands } from "./own-command.ts";
import { surveyHooks, type EventSurvey } from "./survey.ts";

/** A placeholder for the call, to find the text around it in a script. */
const ANY_CALL = "CODELIA_CALL";

/** A script that is not ours always stays; one of ours that was edited stays unless `force`. */
export function installScript(
  text: string | undefined,
  expected: ExpectedHooks,
  event: string,
  force: boolean,
): Edited {
  const script = scriptOf(expected, event);
  if (text === undefined) return { kind: "text", text: script };
  const { state } = surveyScript(text, expected, event);
  if (state === "absent") return { kind: "problem", problem: "it belongs to another program; move it away first" };
  return { kind: "text", text: state === "edited" && !force ? text : script };
}

/** A script that is not ours stays; one of ours is removed, unless it was edited. */
export function uninstallScript(text: string, expected: ExpectedHooks, event: string): Edited {
  const { state } = surveyScript(text, expected, event);
  if (state === "absent") return { kind: "text", text };
  if (state === "edited") return { kind: "problem", problem: "it was edited by hand; remove it yourself" };
  return { kind: "text", text: undefined };
}

/** Our hooks in a file of either layout; a script has one event. */
export function surveyFile(
  text: string | undefined,
  expected: ExpectedHooks,
  event: string | undefined,
): readonly EventSurvey[] {
  return event === undefined
    ? surveyHooks(text === undefined ? undefined : settingsData(text, expected.layout), expected).events
    : [surveyScript(text, expected, event)];
}

/** Compares a script with the expected one. */
export function surveyScript(text: string | undefined, expected: ExpectedHooks, event: string): EventSurvey {
  const call = text === undefined ? undefined : callIn(text, expected);
  if (text === undefined || call === undefined) {
    const isOurs = text !== undefined && text.includes(markOf(expected));
    return isOurs
      ? { event, state: "edited", why: "its text was changed", found: [] }
      : { event, state: "absent", why: "not registered", found: [] };
  }
  const own = readOwnCommand(call, expected.client);
  const found = own === undefined ? [] : [{ group: 0, index: 0, command: call, own }];
  if (own === undefined || !own.isPlain) return { event, state: "edited", why: "its command was changed", found };
  return text === scriptOf(expected, event)
    ? { event, state: "current", why: undefined, found }
    : { event, state: "stale", why: `runs '${own.program}'`, found };
}

/** The line, in a comment, that marks a script as ours. */
function markOf({ client }: ExpectedHooks): string {
  return `Written by 'codelia install ${client}'`;
}

function scriptOf(expected: ExpectedHooks, event: string): string {
  const handler = expected.groups.get(event)?.hooks[0];
  const call = handler?.type === "command" ? handler.command : "";
  const { layout } = expected;
  return render(expected, layout.kind === "scripts" && layout.hasWords === true ? wordsOf(call) : call);
}

function render(expected: ExpectedHooks, call: string): string {
  const { layout } = expected;
  return layout.kind === "scripts" ? layout.script(call, markOf(expected)) : "";
}

/** The call in a script, if everything around it is as we wrote it. */
function callIn(text: string, expected: ExpectedHooks): string | undefined {
  const [before = "", after = ""] = render(expected, ANY_CALL).split(ANY_CALL);
  if (!text.startsWith(before) || !text.endsWith(after) || text.length < before.length + after.length) return undefined;
  const middle = text.slice(before.length, text.length - after.length);
  if (middle.includes("\n")) return undefined;
  if (expected.layout.kind !== "scripts" || expected.layout.hasWords !== true) return middle;
  try {
    const words: unknown = JSON.parse(`[${middle}]`);
    return Array.isArray(words) ? words.map((word) => inSingleQuotes(String(word))).join(" ") : undefined;
  } catch {
    return undefined;
  }
}

/** The program and its arguments, without the words that only a shell needs. */
function wordsOf(call: string): string {
  const words = simpleCommands(call)?.at(-1)?.words ?? [];
  return words
    .slice(words[0] === "exec" ? 1 : 0)
    .map((word) => JSON.stringify(word))
    .join(", ");
}
