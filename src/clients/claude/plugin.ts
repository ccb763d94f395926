import { join } from "node:path";
import { directoryOfRoot, userDirectoriesOf } from "../../config/user-directories.ts";
import { insertPart, removePart, renderFile, takeBack, type Find } from "../../lib/edit/json.ts";
import type { LocatedTable } from "../../lib/edit/located.ts";
import { isTable, valueAt, type Table } from "../../lib/table.ts";
import type { Edited } from "../settings/install.ts";
import type { ExpectedHooks } from "../settings/expected.ts";
import type { ChannelSetting, Companion, HookEvent, Scope, SettingsEnvironment } from "../settings/model.ts";
import { readSettingsText } from "../settings/text.ts";
import { MOD_LINES } from "./mod-text.ts";

// The plugin that `install` gives Claude Code, in a directory of the user's own that the client's settings name as a
// marketplace: nothing is downloaded, and the client loads it from there.

const MARKETPLACE = "codelia-local";
const NAME = "codelia";
const KEY = `${NAME}@${MARKETPLACE}`;
/** The client's name for a plugin's server. */
export const PLUGIN_SERVER = `plugin:${NAME}:hooks`;
const DESCRIPTION = "Written by 'codelia install claude'; 'codelia uninstall claude' removes it";
const VERSION = "1.0.0";

/** The directory of a scope's plugin: projects don't share their plugins. */
export function pluginDirectory(scope: Scope, { env, home, root }: SettingsEnvironment): string {
  const { state } = userDirectoriesOf(env, home);
  return join(scope === "user" ? state : directoryOfRoot(state, root), "claude");
}

/** The files of the plugin: each is entirely ours, and exists only while a channel needs it. */
export function pluginCompanions(scope: Scope, places: SettingsEnvironment): readonly Companion[] {
  const directory = pluginDirectory(scope, places);
  return FILES.map((name) => ({
    path: join(directory, name),
    isUsers: true,
    edit: (_before, setting) => ({ kind: "text", text: setting && filesFor(setting)[name] }),
    isOurs: (text) => text !== undefined,
  }));
}

const FILES = [
  ".claude-plugin/marketplace.json",
  `${NAME}/.claude-plugin/plugin.json`,
  `${NAME}/.mcp.json`,
  `${NAME}/hooks/hooks.json`,
  `${NAME}/hooks/register.ts`,
] as const;

/** By path; undefined: the channel has no such file. */
function filesFor({ channel, words, hooks: expected }: ChannelSetting): Readonly<Record<string, string | undefined>> {
  const [command = "", ...args] = words;
  const isMod = channel === "mod";
  const isPlugin = isMod || channel === "mcp";
  const whole = (data: object) => (isPlugin ? renderFile(data) : undefined);
  const server = { command, args: [...args, "mcp", "--hooks"] };
  const hooks = groupsOf(expected);
  const plugins = [{ name: NAME, source: `./${NAME}`, description: DESCRIPTION }];
  return {
    ".claude-plugin/marketplace.json": whole({ name: MARKETPLACE, owner: { name: "codelia" }, plugins }),
    [`${NAME}/.claude-plugin/plugin.json`]: whole({ name: NAME, version: VERSION, description: DESCRIPTION }),
    [`${NAME}/.mcp.json`]: whole({ mcpServers: { hooks: server } }),
    [`${NAME}/hooks/hooks.json`]: whole(isMod ? { modules: ["./register.ts"], hooks } : { hooks }),
    [`${NAME}/hooks/register.ts`]: isMod ? moduleFor(words) : undefined,
  };
}

function moduleFor(words: readonly string[]): string {
  const program = `const PROGRAM = ${JSON.stringify(words)};`;
  return MOD_LINES.map((line) => (line === 'const PROGRAM = ["codelia"];' ? program : line)).join("\n");
}

function groupsOf({ groups }: ExpectedHooks): object {
  return Object.fromEntries([...groups].map(([event, group]) => [event, [group]]));
}

/** What a hook sends to the server: every value as text, and missing fields as empty text. */
export function pluginInput({ name }: HookEvent): Table | undefined {
  // At the start of a session there is no server yet, and at its end none any more.
  if (name === "SessionStart" || name === "SessionEnd") return undefined;
  const names = ["hook_event_name", "session_id", "cwd", "agent_id", "agent_type"];
  if (name === "UserPromptSubmit") names.push("prompt");
  if (name === "Stop") names.push("last_assistant_message", "stop_hook_active");
  if (name.includes("ToolUse")) names.push("tool_name", "tool_input", "tool_use_id", "transcript_path");
  if (name === "PostToolUse") names.push("tool_response");
  if (name === "PostToolUseFailure") names.push("error");
  return Object.fromEntries(names.map((each) => [each, `\${${each}}`]));
}

/** The entries of a settings file that make the client load the plugin from a directory. */
function entriesFor(directory: string): readonly (readonly [table: string, key: string, value: unknown])[] {
  return [
    ["extraKnownMarketplaces", MARKETPLACE, { source: { source: "directory", path: directory } }],
    ["enabledPlugins", KEY, true],
  ];
}

/** The settings with the plugin. */
export function addPlugin(text: string | undefined, directory: string): Edited {
  if (hasPlugin(text, directory)) return { kind: "text", text };
  const removed = removePlugin(text, directory);
  if (removed.kind === "problem") return removed;
  let current = removed.text;
  for (const [table, key, value] of entriesFor(directory)) {
    if (current === undefined) {
      current = renderFile({ [table]: { [key]: value } });
      continue;
    }
    const present = tableIn(current, table);
    const root = tableIn(current);
    if (root === undefined) return { kind: "problem", problem: "it holds no JSON object" };
    current =
      present === undefined
        ? insertPart(current, root, { key: table, value: { [key]: value } })
        : insertPart(current, present, { key, value });
  }
  return hasPlugin(current, directory) ? { kind: "text", text: current } : { kind: "problem", problem: ODD };
}

const ODD = "its plugins are written in a way that only you can change";

/** The settings without it; undefined if nothing else was in the file. */
export function removePlugin(text: string | undefined, directory: string): Edited {
  if (text === undefined || !isNamed(text)) return { kind: "text", text };
  let current: string = text;
  for (const [table, key, value] of entriesFor(directory).toReversed()) {
    const present = tableIn(current, table);
    const at = present?.entries.findIndex((entry) => entry.key === key) ?? -1;
    if (present === undefined || at < 0) continue;
    const data = { [table]: { [key]: value } };
    if (current === renderFile(data)) return { kind: "text", text: undefined };
    const root = tableIn(current);
    // A table that we added is the last one: later additions have been removed by now.
    const isAlone = present.entries.length === 1 && root?.entries.at(-1)?.key === table;
    const find: Find = (candidate) => tableIn(candidate, ...(isAlone ? [] : [table]));
    const part = isAlone ? { key: table, value: data[table] } : { key, value };
    const container = isAlone ? root : present;
    const isLast = container !== undefined && container.entries.at(-1)?.key === part.key;
    const before = isLast ? takeBack(current, container, part, find) : undefined;
    const index = isAlone ? (root?.entries.findIndex((entry) => entry.key === table) ?? -1) : at;
    current = before ?? (container && removePart(current, container, index)) ?? current;
  }
  return isNamed(current) ? { kind: "problem", problem: ODD } : { kind: "text", text: current };
}

/** Whether a settings file names the plugin, wherever it is. */
export function isNamed(text: string): boolean {
  const { data } = readSettingsText(text);
  return entriesFor("").some(([table, key]) => valueAt(data, table, key) !== undefined);
}

/** Whether it names the plugin of this directory, and it is on. */
export function hasPlugin(text: string | undefined, directory: string): boolean {
  const data = text === undefined ? undefined : readSettingsText(text).data;
  const isPlace = valueAt(data, "extraKnownMarketplaces", MARKETPLACE, "source", "path") === directory;
  return isPlace && valueAt(data, "enabledPlugins", KEY) === true;
}

/** The data of a settings file without the plugin, and without tables that this leaves empty. */
export function withoutPlugin(data: unknown): unknown {
  if (!isTable(data)) return data;
  let rest = data;
  for (const [table, key] of entriesFor("")) {
    const { [table]: inner, ...others } = rest;
    if (!isTable(inner)) continue;
    const { [key]: _, ...kept } = inner;
    rest = Object.keys(kept).length === 0 ? others : { ...others, [table]: kept };
  }
  return rest;
}

function tableIn(text: string, key?: string): LocatedTable | undefined {
  const { located } = readSettingsText(text);
  if (located?.kind !== "table") return undefined;
  if (key === undefined) return located;
  const value = located.entries.find((entry) => entry.key === key)?.value;
  return value?.kind === "table" ? value : undefined;
}
