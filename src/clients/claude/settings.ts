import { join } from "node:path";
import { strictJson } from "../../lib/jsonc.ts";
import { wholeLadder } from "../../lib/paths.ts";
import { valueAt } from "../../lib/table.ts";
import type { Part, TreeFacts } from "../client.ts";
import {
  HOOK_EVENTS,
  type Channel,
  type HookEvent,
  type SettingsEnvironment,
  type ClientSettings,
  type InstalledAt,
  type Remark,
  type Scope,
} from "../settings/model.ts";
import { saysSomething } from "./memory.ts";
import {
  addPlugin,
  hasPlugin,
  isNamed,
  PLUGIN_SERVER,
  pluginCompanions,
  pluginDirectory,
  pluginInput,
  removePlugin,
  withoutPlugin,
} from "./plugin.ts";
import { configDirectory, LOADER_PLUGIN, LOCAL_MEMORY, MEMORIES } from "./files.ts";
import { ignoredFor, ignoredHooks } from "./refusals.ts";
import { readSettingsText } from "../settings/text.ts";

/** The settings of an organization, which nobody else can change. */
const MANAGED = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
];
const POLICIES = [["strictKnownMarketplaces"], ["blockedMarketplaces"], ["allowManagedHooksOnly"], ["prependPlugins"]];
const MODULE_POLICY = ["pluginConfigs", "sec-default@builtin", "options", "allowManagedModsOnly"];

/**
 * Tools that touch no file: a process for each of their calls would have nothing to tell. Every other tool counts,
 * including those of servers and of later versions.
 */
const PATHLESS = [
  "Agent",
  "AskUserQuestion",
  "BashOutput",
  "EnterPlanMode",
  "ExitPlanMode",
  "KillShell",
  "SendMessage",
  "Task",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskOutput",
  "TaskStop",
  "TaskUpdate",
  "TodoWrite",
  "ToolSearch",
  "WebFetch",
  "WebSearch",
];

const INSTRUCTION_GLOB = /(?:^|\/)AGENTS\.md$/;

export const settings: Part<ClientSettings> = {
  rootVariable: "CLAUDE_PROJECT_DIR",
  scopes: ["local", "project", "user"],
  // When a sub-agent is compacted, the client sends `SessionStart` too, followed by `PostCompact`.
  // The output of a failed command up to the failure was shown.
  events: HOOK_EVENTS.filter(({ name }) => name !== "PostCompact").flatMap((event) =>
    event.name === "PostToolUse"
      ? [withoutPathless(event), { ...event, name: "PostToolUseFailure", matcher: "Bash" }]
      : withoutPathless(event),
  ),
  sampled: "PreToolUse",
  layout: { kind: "groups" },
  takesArguments: true,
  settingsFile,
  channels: [
    { channel: "mod", program: "claude", since: "2.1.287" },
    { channel: "mcp", program: "claude", since: "2.1.287" },
  ],
  blocked: policyOf,
  server: { name: PLUGIN_SERVER, input: pluginInput },
  plugin: {
    channels: ["mod", "mcp"],
    directory: pluginDirectory,
    add: addPlugin,
    remove: removePlugin,
    has: hasPlugin,
    isNamed,
    without: withoutPlugin,
  },
  companions: pluginCompanions,
  refuses({ text }) {
    if (!isStrictJson(text)) {
      const why = "Claude Code ignores a settings file with a comment or a trailing comma";
      return { why, mended: strictJson(text) };
    }
    const ignored = ignoredFor(readSettingsText(text).data);
    return ignored === undefined ? undefined : { why: `Claude Code ignores a settings file with ${ignored}` };
  },
  ignores: ignoredHooks,
  afterInstall(scope, path) {
    return scope === "local" ? [`'${path}' names a program on this machine: keep it out of git`] : [];
  },
  remarks: (places, facts, installed) => [
    ...switchedOff(places, facts),
    loaderRemark(places, facts),
    ...reachRemarks(places, installed),
  ],
  sampleEvent: (directory, file) => ({
    session_id: "codelia-doctor",
    transcript_path: join(directory, "transcript.jsonl"),
    cwd: directory,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Read",
    tool_input: { file_path: file },
    tool_use_id: "toolu_codelia_doctor",
  }),
};

function withoutPathless(event: HookEvent): HookEvent {
  return event.matcher === undefined ? event : Object.assign({}, event, { matcher: `^(?!(?:${PATHLESS.join("|")})$)` });
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The things a plugin needs that an organization may forbid. */
function policyOf(channel: Channel, facts: TreeFacts): string | undefined {
  const fileWith = (keys: readonly string[][]) =>
    MANAGED.find((file) => keys.some((key) => valueAt(facts.data(file), ...key) !== undefined));
  const path = fileWith(POLICIES);
  if (path !== undefined) return `'${path}' restricts plugins or hooks`;
  const modules = channel === "mod" ? fileWith([MODULE_POLICY]) : undefined;
  return modules === undefined ? undefined : `'${modules}' restricts modules`;
}

function settingsFile(scope: Scope, places: SettingsEnvironment): string {
  const { root } = places;
  switch (scope) {
    case "local":
      return join(root, ".claude", "settings.local.json");
    case "project":
      return join(root, ".claude", "settings.json");
    case "user":
      return join(configDirectory(places), "settings.json");
  }
}

/** Highest precedence first. */
function settingsFiles(places: SettingsEnvironment): string[] {
  return (["local", "project", "user"] as const).map((scope) => settingsFile(scope, places));
}

function switchedOff(places: SettingsEnvironment, facts: TreeFacts): Remark[] {
  const path = settingsFiles(places).find((file) => valueAt(facts.data(file), "disableAllHooks") === true);
  return path === undefined ? [] : [{ kind: "attention", text: `'disableAllHooks' in '${path}' disables all hooks` }];
}

function loaderRemark(places: SettingsEnvironment, facts: TreeFacts): Remark {
  const files = settingsFiles(places);
  const isEnabled = (file: string) => valueAt(facts.data(file), "enabledPlugins", LOADER_PLUGIN);
  const deciding = files.find((file) => typeof isEnabled(file) === "boolean");
  if (deciding !== undefined && isEnabled(deciding) === false) {
    return loaderIsOff(`'${deciding}' switches its plugin off`);
  }
  const excluding = files.find((file) => {
    const globs = valueAt(facts.data(file), "claudeMdExcludes");
    return Array.isArray(globs) && globs.some((glob) => typeof glob === "string" && INSTRUCTION_GLOB.test(glob));
  });
  if (excluding !== undefined) return loaderIsOff(`'claudeMdExcludes' in '${excluding}' names AGENTS.md`);
  const memory = wholeLadder(places.cwd)
    .toReversed()
    .flatMap((directory) => [...MEMORIES, LOCAL_MEMORY].map((name) => join(directory, name)))
    .find((path) => saysSomething(path, facts));
  if (memory !== undefined) return loaderIsOff(`'${memory}' is there`);
  return { kind: "note", text: "its own loader of AGENTS.md is on: no CLAUDE.md and no setting switches it off here" };
}

function loaderIsOff(why: string): Remark {
  return { kind: "fine", text: `its own loader of AGENTS.md is off: ${why}` };
}

/** Whether sessions in sub-directories read what is installed. */
function reachRemarks({ cwd, root }: SettingsEnvironment, installed: readonly InstalledAt[]): Remark[] {
  const scopes = installed.filter(({ handlers }) => handlers.length > 0);
  const project = scopes.find(({ scope }) => scope === "project");
  if (project === undefined || scopes.length > 1) return [];
  return [
    {
      kind: cwd === root ? "note" : "attention",
      text: `a session started in a sub-directory does not read '${project.path}'; '--scope local' is read there too`,
    },
  ];
}
