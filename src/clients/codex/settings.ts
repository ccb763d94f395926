import { dirname, join } from "node:path";
import { removePart } from "../../lib/edit/json.ts";
import { ladder } from "../../lib/paths.ts";
import { inSingleQuotes } from "../../lib/shell-quote.ts";
import { valueAt, type Table } from "../../lib/table.ts";
import type { Part } from "../client.ts";
import {
  HOOK_EVENTS,
  type SettingsEnvironment,
  type ClientSettings,
  type HookEvent,
  type InstalledAt,
  type Remark,
  type Scope,
} from "../settings/model.ts";
import { SERVER, serverFile } from "../settings/server-table.ts";
import { readSettingsText } from "../settings/text.ts";
import { codexHome } from "./profile.ts";
import { misnamedEvents } from "../settings/event-names.ts";
import { mistakesIn } from "./config-refusals.ts";
import { rejectedIn } from "./refusals.ts";
import { counted } from "../../lib/words.ts";

const APPROVE = "run codex and approve once ('/hooks')";

/** It accepts text of any length if an entry asks for that. */
const events = HOOK_EVENTS.map((event): HookEvent => {
  return event.parts === 1 ? event : Object.assign({}, event, { parts: 1, isWhole: true });
});

const EVENT_NAMES = [...HOOK_EVENTS.map(({ name }) => name), "PermissionRequest", "PreCompact"];

/**
 * The fields of every event, and for each event those that we read. A field that an event does not have would make the
 * hook fail, so only the end of a sub-agent names one; elsewhere the call's own data has the thread.
 */
const EVENT = fields("hook_event_name", "session_id", "cwd");
const TOOL = { ...EVENT, ...fields("tool_name", "tool_input") };
const CALLS: Readonly<Record<string, Table>> = {
  PostCompact: EVENT,
  UserPromptSubmit: { ...EVENT, ...fields("prompt") },
  PreToolUse: TOOL,
  PostToolUse: { ...TOOL, ...fields("tool_response") },
  Stop: { ...EVENT, ...fields("last_assistant_message", "stop_hook_active") },
  SubagentStop: { ...EVENT, ...fields("agent_id") },
};

function fields(...names: readonly string[]): Table {
  return Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
}

export const settings: Part<ClientSettings> = {
  channels: [{ channel: "mcp", program: "codex", since: "0.169.0" }],
  server: { name: SERVER, input: ({ name }) => CALLS[name] },
  companions: (scope, places) => [
    serverFile(join(scope === "user" ? codexHome(places) : join(places.root, ".codex"), "config.toml")),
  ],
  scopes: ["project", "user"],
  events,
  sampled: "PreToolUse",
  layout: { kind: "groups" },
  hasWindowsCommand: true,
  settingsFile,
  refuses({ text, bom }) {
    const { data, located } = readSettingsText(text);
    const rejected = rejectedIn(data, new Set(events.map(({ name }) => name)));
    if (rejected !== undefined) return { why: `Codex rejects a settings file with ${rejected}` };
    const at = located?.kind === "table" ? located.entries.findIndex(({ key }) => key === "$schema") : -1;
    const mended = located?.kind === "table" && at >= 0 ? removePart(text, located, at) : text;
    if (bom !== "") return { why: "Codex rejects a settings file with a byte order mark", mended };
    return at < 0 ? undefined : { why: "Codex rejects a settings file with '$schema'", mended };
  },
  ignores: (data) => misnamedEvents(data, EVENT_NAMES, "Codex"),
  projectConfig: { path: ({ root }) => join(root, ".codex", "config.toml"), mistakesIn },
  afterInstall: () => [`codex skips hooks that are not approved: ${APPROVE}`],
  remarks(places, facts, installed) {
    const found = installed.filter(({ handlers }) => handlers.length > 0);
    if (found.length === 0) return [];
    const config = facts.data(configFile(places));
    return [
      ...switchedOff(places, config),
      ...found.filter(({ scope }) => scope === "project").map((at) => trustRemark(places, at, config)),
      ...found.map((at) => approvalRemark(at, config)),
    ];
  },
  sampleEvent: (directory, file) => ({
    session_id: "codelia-doctor",
    turn_id: "1",
    transcript_path: null,
    cwd: directory,
    hook_event_name: "PreToolUse",
    model: "codelia-doctor",
    permission_mode: "default",
    tool_name: "Bash",
    tool_input: { command: `cat ${inSingleQuotes(file)}` },
    tool_use_id: "call_codelia_doctor",
  }),
};

function settingsFile(scope: Scope, places: SettingsEnvironment): string {
  return join(scope === "user" ? codexHome(places) : join(places.root, ".codex"), "hooks.json");
}

function configFile(places: SettingsEnvironment): string {
  return join(codexHome(places), "config.toml");
}

function switchedOff(places: SettingsEnvironment, config: unknown): Remark[] {
  const isOff = ["hooks", "codex_hooks"].some((name) => valueAt(config, "features", name) === false);
  return isOff ? [{ kind: "attention", text: `'features.hooks' in '${configFile(places)}' disables all hooks` }] : [];
}

/** The nearest entry counts, from the working directory up to the root. */
function trustRemark(places: SettingsEnvironment, { realPath }: InstalledAt, config: unknown): Remark {
  for (const directory of [...ladder(places.root, places.cwd).toReversed(), dirname(dirname(realPath))]) {
    const level = valueAt(config, "projects", directory, "trust_level");
    if (level === "trusted") return { kind: "fine", text: `codex trusts '${directory}'` };
    if (level === undefined) continue;
    const text = `codex does not trust '${directory}' ('trust_level' in '${configFile(places)}'), so it reads no '.codex' in it`;
    return { kind: "attention", text };
  }
  const text = `codex does not trust '${places.root}' yet, so it reads no '.codex' in it: run codex there and trust it`;
  return { kind: "attention", text };
}

/** Only Codex knows whether an approval is for the present text: it compares a hash of its own. */
function approvalRemark({ path, realPath, handlers }: InstalledAt, config: unknown): Remark {
  const states = handlers.map(({ event, group, index }) => {
    const place = `${snakeCase(event)}:${group}:${index}`;
    const stateOf = (file: string) => valueAt(config, "hooks", "state", `${file}:${place}`);
    return stateOf(path) ?? stateOf(realPath);
  });
  const off = states.filter((state) => valueAt(state, "enabled") === false).length;
  if (off > 0) {
    return {
      kind: "attention",
      text: `${off} of ${counted(states.length, "hook")} in '${path}' are disabled in codex ('/hooks')`,
    };
  }
  const approved = states.filter((state) => typeof valueAt(state, "trusted_hash") === "string").length;
  if (approved === states.length) {
    return { kind: "fine", text: `an approval is recorded for ${counted(approved, "hook")} in '${path}'` };
  }
  const count =
    approved === 0 ? "" : ` for ${states.length - approved} of ${counted(states.length, "hook")} in '${path}'`;
  return { kind: "attention", text: `approval not found${count}: ${APPROVE}` };
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
}
