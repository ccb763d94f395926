import type { Table } from "../../lib/table.ts";
import type { ProfilePlace, TreeFacts } from "../client.ts";

/** Whose settings: this user's in this project, those of everyone who works on it, this user's everywhere. */
export type Scope = "local" | "project" | "user";

export const SCOPES: readonly Scope[] = ["local", "project", "user"];

/** An event that a client's settings register a command for. */
export interface HookEvent {
  readonly name: string;
  /** Which tools, for an event of tools. */
  readonly matcher?: string;
  /** In the client's unit. */
  readonly timeout: number;
  /** How many entries: the output of one is limited, so each gives a part. */
  readonly parts: number;
  /** One entry may say anything, for the client lifts its limit where that is asked. */
  readonly isWhole?: true;
}

/** How a client's settings hold hooks. */
export type Layout =
  /** By event a list of groups, each with a matcher and its handlers. */
  | { readonly kind: "groups" }
  /** By event a list of handlers. `frame`: what a new file has besides. */
  | { readonly kind: "flat"; readonly isTyped: boolean; readonly frame: Table }
  /** A file for each event, in one directory. All of it is ours, as the line `mark` in it says. */
  | { readonly kind: "scripts"; readonly mode: number | undefined; script(call: string, mark: string): string };

/** Where a client's files stand. */
export interface ClientPlaces extends ProfilePlace {
  readonly cwd: string;
  readonly root: string;
}

/** What is installed at one scope. */
export interface InstalledAt {
  readonly scope: Scope;
  readonly path: string;
  /** With links resolved; a client may know the file by either path. */
  readonly realPath: string;
  /** Where our handlers stand in it. */
  readonly handlers: readonly { readonly event: string; readonly group: number; readonly index: number }[];
}

export interface Remark {
  readonly kind: "fine" | "note" | "attention";
  readonly text: string;
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
  /** The settings file, or the directory of scripts. */
  settingsFile(scope: Scope, places: ClientPlaces): string;
  /** What the user should know after an installation. */
  afterInstall?(scope: Scope, path: string): readonly string[];
  /** What decides whether the hooks work, and what the client does by itself, for `doctor`. */
  remarks?(places: ClientPlaces, facts: TreeFacts, installed: readonly InstalledAt[]): Remark[];
  /** A tool call on a file, as the client reports it to its hooks. */
  sampleEvent(directory: string, file: string): object;
}

const TIMEOUT = 10;

/** In a guided run a step may be checked by a command that takes minutes. */
const STOP_TIMEOUT = 600;

/**
 * A context begins with more text than one output may hold: so many hold the longest chain of instruction files that was
 * seen in a public repository, 134 KB. Sub-agents begin more often; what is left comes with the results of their tools.
 */
const START_PARTS = 16;
const AGENT_PARTS = 8;

/** The hooks of the clients that work like Claude Code. */
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
