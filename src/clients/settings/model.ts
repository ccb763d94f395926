import type { Table } from "../../lib/table.ts";
import type { ExpectedHooks } from "./expected.ts";
import type { Edited } from "./install.ts";
import type { UserEnvironment, TreeFacts } from "../client.ts";

/** Whose settings: this user's in this project, those of everyone who works on it, this user's everywhere. */
export type Scope = "local" | "project" | "user";

export const SCOPES: readonly Scope[] = ["local", "project", "user"];

/** An event for which a client's settings register a command. */
export interface HookEvent {
  readonly name: string;
  /** Which tools, for tool events. */
  readonly matcher?: string;
  /** In the client's unit. */
  readonly timeout: number;
  /** How many entries: the output of each is limited, so each gives one part. */
  readonly parts: number;
  /** One entry may print any amount: the client has no limit for it, or lifts it on request. */
  readonly isWhole?: true;
}

/**
 * How a client and codelia communicate: by a process for each event, or by messages to a running server, with or
 * without a module in the client for what hooks can't give.
 */
export type Channel = "mod" | "mcp" | "command";

export const CHANNELS: readonly Channel[] = ["mod", "mcp", "command"];

/** The server's tool for hooks. It is in no list of tools, so no model sees it. */
export const HOOK_TOOL = "hook_event";

/** A channel that only newer versions of a client have. */
export interface ClientChannel {
  readonly channel: Channel;
  /** The client's program, which reports its version. */
  readonly program: string;
  /** The first version that has it; an earlier one may reject all its hooks because of it. */
  readonly since: string;
}

/** Hooks that call a tool of a running server. */
export interface ServerHooks {
  /** Its name in the client's hooks. */
  readonly name: string;
  /** What an event's hook sends, as the client fills it in; undefined for an event that only a command can answer. */
  input(event: HookEvent): Table | undefined;
}

/** How a channel is set up: with the words that call codelia, and the hooks that start it. */
export interface ChannelSetting {
  readonly channel: Channel;
  readonly words: readonly string[];
  readonly hooks: ExpectedHooks;
}

/** A file beside the settings that a channel needs. */
export interface Companion {
  readonly path: string;
  /** It is the user's own, wherever the settings are. */
  readonly isUsers?: true;
  /** Its text with what the channel needs; without anything of ours if there is no channel. */
  edit(before: string | undefined, setting: ChannelSetting | undefined): Edited;
  /** Whether anything of ours is in it. */
  isOurs(text: string | undefined): boolean;
}

/** Instead of hooks, the settings file names a plugin that has them. */
export interface PluginSetting {
  directory(scope: Scope, places: SettingsEnvironment): string;
  readonly channels: readonly Channel[];
  add(text: string | undefined, directory: string): Edited;
  remove(text: string | undefined, directory: string): Edited;
  has(text: string | undefined, directory: string): boolean;
  isNamed(text: string): boolean;
  without(data: unknown): unknown;
}

/** How a client's settings contain hooks. */
export type Layout =
  /** For each event a list of groups, each with a matcher and its handlers. */
  | { readonly kind: "groups" }
  /** For each event a list of handlers. `frame`: what a new file has besides. */
  | { readonly kind: "flat"; readonly isTyped: boolean; readonly frame: Table }
  /** In TOML, a list `hooks` of tables, each of which names its event. */
  | { readonly kind: "tables" }
  /** A file for each event, in one directory. Each is ours if it contains the line `mark`. */
  | {
      readonly kind: "scripts";
      readonly mode: number | undefined;
      /** The call is given as a JSON list of words, for a script that uses no shell. */
      readonly hasWords?: true;
      script(call: string, mark: string): string;
    };

/** What decides where a client's files are. */
export interface SettingsEnvironment extends UserEnvironment {
  readonly cwd: string;
  readonly root: string;
}

/** What is installed at one scope. */
export interface InstalledAt {
  readonly scope: Scope;
  readonly path: string;
  /** With links resolved; a client may know the file by either path. */
  readonly realPath: string;
  /** Where our handlers are in it. */
  readonly handlers: readonly { readonly event: string; readonly group: number; readonly index: number }[];
}

export interface Remark {
  readonly kind: "fine" | "note" | "attention";
  readonly text: string;
}

/** A config of the project, in TOML, that can keep the client from starting. */
export interface ProjectConfig {
  path(places: SettingsEnvironment): string;
  /** The mistakes with which the client does not start, each with the keys that lead to it. */
  mistakesIn(data: unknown): readonly { readonly keys: readonly string[]; readonly why: string }[];
}

/** Hooks that the client never runs, though it reads the file. */
export interface IgnoredHooks {
  readonly keys: readonly (string | number)[];
  readonly why: string;
  readonly remedy: string;
}

export interface Refusal {
  readonly why: string;
  /** The text that the client accepts, without a byte order mark; undefined if only the user can change the file. */
  readonly mended?: string | undefined;
}

/** What `install` and `doctor` know of a client. */
export interface ClientSettings {
  /** As in `codelia install NAME`, and in `codelia hook NAME`. */
  readonly name: string;
  readonly title: string;
  /** The variable that gives its hooks the root of the project. */
  readonly rootVariable?: string;
  /** The first is the default. */
  readonly scopes: readonly Scope[];
  readonly events: readonly HookEvent[];
  /** The event of `sampleEvent`. */
  readonly sampled: string;
  readonly layout: Layout;
  /** Besides commands, best first. */
  readonly channels?: readonly ClientChannel[];
  /** Why one of them can't be used here, for instance because of an organization's policy. */
  blocked?(channel: Channel, facts: TreeFacts): string | undefined;
  /** An entry may have `args`: the client then starts the program without a shell. */
  readonly takesArguments?: true;
  /** An entry may have another command for Windows. */
  readonly hasWindowsCommand?: true;
  readonly server?: ServerHooks;
  readonly plugin?: PluginSetting;
  companions?(scope: Scope, places: SettingsEnvironment): readonly Companion[];
  /** The settings file, or the directory of scripts. */
  settingsFile(scope: Scope, places: SettingsEnvironment): string;
  /** Why the client itself ignores or rejects a settings file that we can read; undefined if it accepts it. */
  refuses?(file: { readonly text: string; readonly bom: string }): Refusal | undefined;
  /** The hooks that the client itself ignores in a settings file that it accepts. */
  ignores?(data: unknown): readonly IgnoredHooks[];
  readonly projectConfig?: ProjectConfig;
  /** What the user should know after an installation. */
  afterInstall?(scope: Scope, path: string): readonly string[];
  /** For `doctor`: what decides whether the hooks work, and what the client does by itself. */
  remarks?(places: SettingsEnvironment, facts: TreeFacts, installed: readonly InstalledAt[]): Remark[];
  /** A tool call on a file, as the client reports it to its hooks. */
  sampleEvent(directory: string, file: string): object;
}

const TIMEOUT = 10;

/** In a guided run, a step's check may be a command that takes minutes. */
const STOP_TIMEOUT = 600;

/**
 * A context may begin with more text than one output holds. This many parts hold the longest chain of instruction files
 * that was seen in a public repository, 134 KB. Sub-agents begin more often; the rest comes with the results of their
 * tools.
 */
const START_PARTS = 16;
const AGENT_PARTS = 8;

/** The hooks of clients that work like Claude Code. */
export const HOOK_EVENTS: readonly HookEvent[] = [
  { name: "SessionStart", timeout: TIMEOUT, parts: START_PARTS },
  { name: "SubagentStart", timeout: TIMEOUT, parts: AGENT_PARTS },
  { name: "PostCompact", timeout: TIMEOUT, parts: 1 },
  { name: "UserPromptSubmit", timeout: TIMEOUT, parts: 1 },
  { name: "PreToolUse", matcher: "*", timeout: TIMEOUT, parts: 1 },
  { name: "PostToolUse", matcher: "*", timeout: TIMEOUT, parts: 1 },
  { name: "Stop", timeout: STOP_TIMEOUT, parts: 1 },
  { name: "SubagentStop", timeout: TIMEOUT, parts: 1 },
  // Claude Code waits for it a second and a half, Codex three seconds.
  { name: "SessionEnd", timeout: 1, parts: 1 },
];
