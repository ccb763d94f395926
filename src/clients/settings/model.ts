import type { Table } from "../../lib/table.ts";
import type { ProfilePlace, TreeFacts } from "../client.ts";

/** Who reads a settings file: only this user in this project, all who work on it, this user everywhere. */
export type Scope = "local" | "project" | "user";

export const SCOPES: readonly Scope[] = ["local", "project", "user"];

/** An event that a client's settings register a command for. */
export interface HookEvent {
  readonly name: string;
  /** Which tools, where the event has one. */
  readonly matcher?: string;
  /** In the client's own unit. */
  readonly timeout: number;
  /** How many entries: what one may say is capped, and each says a part. */
  readonly parts: number;
}

/** How a client holds what is registered. */
export type Layout =
  /** Lists of groups by event, each with a matcher and its handlers. */
  | { readonly kind: "groups" }
  /** Lists of handlers by event. `frame`: what a file has beside them. */
  | { readonly kind: "flat"; readonly isTyped: boolean; readonly frame: Table }
  /** A file of its own for each event, in one directory; all of it is ours. `mark` is the line that says so. */
  | { readonly kind: "scripts"; readonly mode: number | undefined; script(call: string, mark: string): string };

/** Where a client's files stand. */
export interface ClientPlaces extends ProfilePlace {
  readonly cwd: string;
  readonly root: string;
}

/** What one scope's file says, for `doctor`. */
export interface InstalledAt {
  readonly scope: Scope;
  readonly path: string;
  /** The same with its links resolved; a client may know it by either. */
  readonly realPath: string;
  /** Our handlers in it, by where they stand. */
  readonly handlers: readonly { readonly event: string; readonly group: number; readonly index: number }[];
}

export interface Remark {
  readonly kind: "fine" | "note" | "attention";
  readonly text: string;
}

/** All that the program knows of a client's settings. */
export interface ClientSettings {
  /** As in `codelia install NAME`, and in `codelia hook NAME`. */
  readonly name: string;
  readonly title: string;
  /** The variable in which it tells its hooks the root of the project. */
  readonly rootVariable?: string;
  /** The first is the default. */
  readonly scopes: readonly Scope[];
  readonly events: readonly HookEvent[];
  /** The event that `sampleEvent` is one of. */
  readonly sampled: string;
  readonly layout: Layout;
  /** For scripts their directory. */
  settingsFile(scope: Scope, places: ClientPlaces): string;
  /** What its user has to know after an installation. */
  afterInstall?(scope: Scope, path: string): readonly string[];
  /** What decides whether the hooks work, and what the client does by itself. */
  remarks?(places: ClientPlaces, facts: TreeFacts, installed: readonly InstalledAt[]): Remark[];
  /** A call of a tool on a file, as the client tells it. */
  sampleEvent(directory: string, file: string): object;
}

const TIMEOUT = 10;

/** A guided run may have a step checked by a command of minutes; without one the answer is there at once. */
const STOP_TIMEOUT = 600;

/** What a session begins with is more than one output may hold. */
const START_PARTS = 4;

/** What is registered with every client of this shape. */
export const HOOK_EVENTS: readonly HookEvent[] = [
  { name: "SessionStart", timeout: TIMEOUT, parts: START_PARTS },
  { name: "SubagentStart", timeout: TIMEOUT, parts: START_PARTS },
  { name: "PostCompact", timeout: TIMEOUT, parts: 1 },
  { name: "UserPromptSubmit", timeout: TIMEOUT, parts: 1 },
  { name: "PreToolUse", matcher: "*", timeout: TIMEOUT, parts: 1 },
  { name: "PostToolUse", matcher: "*", timeout: TIMEOUT, parts: 1 },
  { name: "Stop", timeout: STOP_TIMEOUT, parts: 1 },
  { name: "SubagentStop", timeout: TIMEOUT, parts: 1 },
  // Claude Code gives it a second and a half, Codex three.
  { name: "SessionEnd", timeout: 1, parts: 1 },
];
