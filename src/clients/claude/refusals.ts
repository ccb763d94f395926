import { isTable, type Table } from "../../lib/table.ts";
import type { IgnoredHooks } from "../settings/model.ts";
import { misnamedEvents } from "../settings/event-names.ts";
import { hooksOf } from "../settings/survey.ts";

/** What the settings that people write by hand must be. */
const KINDS: Readonly<Record<string, "table" | "text">> = {
  permissions: "table",
  env: "table",
  hooks: "table",
  enabledPlugins: "table",
  statusLine: "table",
  model: "text",
  outputStyle: "text",
};

const EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "PermissionRequest",
  "PermissionDenied",
  "Setup",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "WorktreeCreate",
  "WorktreeRemove",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "MessageDisplay",
];

/** Their hooks may be what protects something: with one that it can't load, the client applies nothing of the file. */
const GUARDS: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest"]);

/** The field that each type of hook must have, as text. A type that is not here may be one of a newer version. */
const REQUIRED: Readonly<Record<string, string>> = {
  command: "command",
  http: "url",
  prompt: "prompt",
  agent: "prompt",
};

/**
 * What makes Claude Code ignore a settings file as a whole, without a word, as of 2.1.326: only what was seen with the
 * client.
 */
export function ignoredFor(data: unknown): string | undefined {
  if (!isTable(data)) return undefined;
  for (const [key, kind] of Object.entries(KINDS)) {
    const value = data[key];
    if (value === undefined || value === null) continue;
    if (kind === "table" ? !isTable(value) : typeof value !== "string") {
      return `'${key}' that ${key.endsWith("s") ? "are" : "is"} not ${kind === "table" ? "a table" : "text"}`;
    }
  }
  const allowed = isTable(data["permissions"]) ? data["permissions"]["allow"] : undefined;
  if (allowed !== undefined && allowed !== null && !Array.isArray(allowed))
    return "'permissions.allow' that is not a list";
  for (const { event, what } of mistakesIn(data)) if (GUARDS.has(event)) return `${what} for '${event}'`;
  return undefined;
}

/** The hooks that Claude Code never runs, though it reads the file, as of 2.1.326: only what was seen with the client. */
export function ignoredHooks(data: unknown): IgnoredHooks[] {
  const mistaken: IgnoredHooks[] = [];
  for (const { event, keys, what } of mistakesIn(data)) {
    if (GUARDS.has(event)) continue;
    mistaken.push({ keys, why: `Claude Code ignores ${what} for '${event}'`, remedy: "correct or remove it" });
    if (mistaken.length >= MAX_MISTAKES) break;
  }
  return [...misnamedEvents(data, EVENTS, "Claude Code"), ...mistaken];
}

/** A file may have any number. */
const MAX_MISTAKES = 1_000;

interface Mistake {
  readonly event: string;
  readonly keys: readonly (string | number)[];
  readonly what: string;
}

function* mistakesIn(data: unknown): Generator<Mistake> {
  const hooks = hooksOf(data);
  for (const event of EVENTS) {
    if (!Object.hasOwn(hooks, event)) continue;
    const groups = hooks[event];
    const keys = ["hooks", event];
    if (Array.isArray(groups)) {
      for (const [at, group] of groups.entries()) yield* inGroup(group, event, [...keys, at]);
    } else if (groups !== null) yield { event, keys, what: "something other than a list" };
  }
}

function* inGroup(group: unknown, event: string, keys: Mistake["keys"]): Generator<Mistake> {
  if (!isTable(group)) return yield { event, keys, what: "an entry that is not a table" };
  const { matcher, hooks } = group;
  if (matcher !== undefined && typeof matcher !== "string") {
    return yield { event, keys, what: "an entry with a 'matcher' that is not text" };
  }
  if (!Array.isArray(hooks)) return yield { event, keys, what: "an entry without a list of 'hooks'" };
  for (const [at, handler] of hooks.entries()) {
    const what = isTable(handler) ? mistakeOf(handler) : "a hook that is not a table";
    if (what !== undefined) yield { event, keys: [...keys, "hooks", at], what };
  }
}

function mistakeOf({ type, timeout, ...fields }: Table): string | undefined {
  if (type === undefined || type === null) return "a hook without a type";
  if (typeof type !== "string") return "a hook with a type that is not text";
  if (!Object.hasOwn(REQUIRED, type)) {
    const meant = Object.keys(REQUIRED).find((name) => name === type.trim().toLowerCase());
    return meant === undefined ? undefined : `a hook of type '${type}' instead of '${meant}'`;
  }
  const field = REQUIRED[type] as string;
  if (typeof fields[field] !== "string") return `a hook without a ${field}`;
  const isTime = timeout === undefined || (typeof timeout === "number" && timeout > 0);
  return isTime ? undefined : "a hook with a 'timeout' that is not a number of seconds";
}
