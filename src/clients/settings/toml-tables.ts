import { isSameData } from "../../lib/edit/plan.ts";
import { isTable } from "../../lib/table.ts";
import { parseToml } from "../../lib/toml.ts";
import { settingsData } from "./data.ts";
import type { ExpectedHooks } from "./expected.ts";
import type { Edited } from "./install.ts";
import { readOwnCommand } from "./own-command.ts";
import { surveyHooks, whyTooMany, withoutOwn } from "./survey.ts";
import { withBlock, withoutBlock } from "./toml-lines.ts";

// Hooks as a list of tables in a client's TOML settings. Everything else in the file keeps its bytes.

const HEADER = "[[hooks]]";
const ANY_HEADER = /^\s*\[\[\s*hooks\s*\]\]/;
const EDITED = `its '${HEADER}' are written in a way that only you can change`;

export function installTables(text: string | undefined, expected: ExpectedHooks, force: boolean): Edited {
  if (text === undefined) return { kind: "text", text: blockOf(expected, [...expected.groups.keys()]) };
  const problem = shapeProblem(text, expected);
  if (problem !== undefined) return { kind: "problem", problem };
  const due = surveyHooks(settingsData(text, expected.layout), expected)
    .events.filter(({ state }) => state !== "current" && (state !== "edited" || force))
    .map(({ event }) => event);
  if (due.length === 0) return { kind: "text", text };
  const bare = withoutTables(text, expected, due);
  const wanted = due.filter((event) => expected.groups.has(event));
  return checked(text, wanted.length === 0 ? bare : withBlock(bare, blockOf(expected, wanted)), expected);
}

export function uninstallTables(text: string, expected: ExpectedHooks): Edited {
  const problem = shapeProblem(text, expected);
  if (problem !== undefined) return { kind: "problem", problem };
  const { events } = surveyHooks(settingsData(text, expected.layout), expected);
  const names = events.map(({ event }) => event);
  const after = withoutTables(text, expected, names);
  const rest = surveyHooks(settingsData(after ?? "", expected.layout), expected);
  return rest.state === "absent" ? checked(text, after, expected) : { kind: "problem", problem: EDITED };
}

function shapeProblem(text: string, { client, layout }: ExpectedHooks): string | undefined {
  const read = parseToml(text);
  if (read.kind === "error") return `line ${read.line}: ${read.message}`;
  const hooks = isTable(read.data) ? read.data["hooks"] : undefined;
  if (hooks !== undefined && !Array.isArray(hooks)) return "its 'hooks' is not a list of tables";
  return whyTooMany(settingsData(text, layout), client);
}

/** The text without our tables for some events; undefined if nothing else was in it. */
function withoutTables(text: string, expected: ExpectedHooks, events: readonly string[]): string | undefined {
  const read = parseToml(text);
  const hooks: readonly unknown[] =
    read.kind === "data" && isTable(read.data) ? ((read.data["hooks"] as []) ?? []) : [];
  const headers = text.split("\n").flatMap((line, index) => (ANY_HEADER.test(line) ? index : []));
  // A text may have such a line in it, and a list may be written without any: the caller sees the result.
  const earlier = Math.max(0, headers.length - hooks.length);
  let current: string | undefined = text;
  // From last to first, so that the lines before one stay where they are.
  for (const [index, hook] of [...hooks.entries()].toReversed()) {
    const isDue = isTable(hook) && events.includes(String(hook["event"])) && isOwn(hook["command"], expected);
    const header = headers[earlier + index];
    if (isDue && header !== undefined && current !== undefined)
      current = withoutBlock(current, header, markOf(expected));
  }
  return current;
}

function isOwn(command: unknown, { client }: ExpectedHooks): boolean {
  return typeof command === "string" && readOwnCommand(command, client) !== undefined;
}

function markOf({ client }: ExpectedHooks): string {
  return `# Written by 'codelia install ${client}'.`;
}

function blockOf(expected: ExpectedHooks, events: readonly string[]): string {
  const tables = events.map((event) => {
    const { matcher, hooks = [] } = expected.groups.get(event) ?? {};
    const [handler] = hooks;
    const { command, timeout } = handler?.type === "command" ? handler : {};
    const keys = Object.entries({ event, matcher, command, timeout }).filter(([, value]) => value !== undefined);
    // JSON's strings are valid in TOML.
    return [HEADER, ...keys.map(([key, value]) => `${key} = ${JSON.stringify(value)}`)].join("\n");
  });
  return `${[markOf(expected), ...tables].join("\n")}\n`;
}

/** A safeguard: whatever the edit did, everything that is not ours has the same data as before. */
function checked(before: string, after: string | undefined, { client, layout }: ExpectedHooks): Edited {
  const others = (text: string) => withoutOwn(settingsData(text, layout), client);
  return isSameData(others(before), others(after ?? ""))
    ? { kind: "text", text: after }
    : { kind: "problem", problem: EDITED };
}
