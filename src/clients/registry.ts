import { MAIN_CONTEXT, SHELL_CONTEXT, type ClientSession } from "../ledger/contexts.ts";
import type { Client, NativeClient, NativeLoads, Part } from "./client.ts";
import type { RecordReader } from "./record.ts";
import type { ClientSettings } from "./settings/model.ts";

/** A client's parts, each in a file of the client's folder and loaded when it is needed. */
interface RegisteredClient {
  /** As in `codelia hook NAME`. */
  readonly name: string;
  readonly title: string;
  /** Other names that people type for it. */
  readonly aliases?: readonly string[];
  /** Without them, codelia only knows what it reads: its hooks can't speak, or it needs none of them. */
  events?(): Promise<{ readonly events: Part<Client> }>;
  settings?(): Promise<{ readonly settings: Part<ClientSettings> }>;
  /** For `explain`, `check --as` and `init-context --as`. */
  profile?(): Promise<{ readonly profile: Part<NativeClient> }>;
  /** The version that the profile was compared with. */
  readonly measured?: string;
  /** Directories that it has where it is used: in the project, or in the user's home. */
  readonly traces?: readonly string[];
  /** How its records of sessions are read, for `audit`. */
  record?(): Promise<{ readonly record: RecordReader }>;
}

/**
 * The coding agents that codelia supports, in display order: each has a folder and an entry here. A function, because most
 * calls ask for none of them and would pay for every function in it.
 */
const registeredClients = (): readonly RegisteredClient[] => [
  {
    name: "claude",
    title: "Claude Code",
    aliases: ["claude-code"],
    events: () => import("./claude/events.ts"),
    settings: () => import("./claude/settings.ts"),
    profile: () => import("./claude/profile.ts"),
    measured: "2.1.326",
    record: () => import("./claude/record.ts"),
  },
  {
    name: "codex",
    title: "Codex",
    events: () => import("./codex/events.ts"),
    settings: () => import("./codex/settings.ts"),
    profile: () => import("./codex/profile.ts"),
    measured: "0.169.0",
    record: () => import("./codex/record.ts"),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    aliases: ["gemini-cli"],
    events: () => import("./gemini/events.ts"),
    settings: () => import("./gemini/settings.ts"),
    profile: () => import("./gemini/profile.ts"),
    measured: "0.61.0",
    traces: [".gemini"],
  },
  {
    name: "qwen",
    title: "Qwen Code",
    aliases: ["qwen-code"],
    events: () => import("./qwen/events.ts"),
    settings: () => import("./qwen/settings.ts"),
    profile: () => import("./qwen/profile.ts"),
    measured: "0.24.4",
    traces: [".qwen"],
  },
  {
    name: "vscode",
    title: "VS Code",
    aliases: ["code", "vs-code"],
    events: () => import("./vscode/events.ts"),
    settings: () => import("./vscode/settings.ts"),
  },
  {
    name: "cursor",
    title: "Cursor",
    events: () => import("./cursor/events.ts"),
    settings: () => import("./cursor/settings.ts"),
  },
  {
    name: "opencode",
    title: "opencode",
    events: () => import("./opencode/events.ts"),
    settings: () => import("./opencode/settings.ts"),
    profile: () => import("./opencode/profile.ts"),
    measured: "1.18.33",
    traces: [".opencode", ".config/opencode"],
  },
  {
    name: "kilo",
    title: "Kilo Code",
    aliases: ["kilocode", "kilo-code"],
    events: () => import("./kilo/events.ts"),
    settings: () => import("./kilo/settings.ts"),
    profile: () => import("./kilo/profile.ts"),
    measured: "7.7.9",
    traces: [".kilo", ".kilocode", ".config/kilo"],
  },
  {
    name: "copilot",
    title: "Copilot CLI",
    aliases: ["copilot-cli"],
    events: () => import("./copilot/events.ts"),
    settings: () => import("./copilot/settings.ts"),
    profile: () => import("./copilot/profile.ts"),
    measured: "1.0.102",
    traces: [".copilot"],
  },
  {
    name: "cline",
    title: "Cline",
    events: () => import("./cline/events.ts"),
    settings: () => import("./cline/settings.ts"),
    profile: () => import("./cline/profile.ts"),
    measured: "3.0.65",
    traces: [".cline", ".clinerules"],
  },
  {
    name: "kimi",
    title: "Kimi Code",
    aliases: ["kimi-code"],
    events: () => import("./kimi/events.ts"),
    settings: () => import("./kimi/settings.ts"),
    profile: () => import("./kimi/profile.ts"),
    measured: "2.1.0",
    traces: [".kimi-code"],
  },
  {
    name: "pi",
    title: "pi",
    events: () => import("./pi/events.ts"),
    settings: () => import("./pi/settings.ts"),
    profile: () => import("./pi/profile.ts"),
    measured: "0.87.1",
    traces: [".pi"],
  },
  {
    name: "continue",
    title: "Continue CLI",
    aliases: ["cn"],
    profile: () => import("./continue/profile.ts"),
    measured: "1.5.47",
    traces: [".continue"],
  },
];

interface SessionVariables {
  readonly session: string;
  readonly context?: string;
}

/**
 * The environment variables in which clients tell the commands of their model the session and, if there is one, the
 * context: a sub-agent's id, or the session's in the main context.
 */
const SESSION_VARIABLES: readonly SessionVariables[] = [
  { session: "CLAUDE_CODE_SESSION_ID" },
  { session: "CODEX_SESSION_ID", context: "CODEX_THREAD_ID" },
];

/** Those that codelia answers, and can be installed in. */
export function clientNames(): string[] {
  return registeredClients()
    .filter(({ events }) => events)
    .map(({ name }) => name);
}

/** Those whose profiles `explain`, `check --as` and `init-context --as` show. */
export function profileNames(): string[] {
  return measuredClients().map(({ name }) => name);
}

/** The same, with the versions that the profiles were compared with. */
export function measuredClients(): {
  readonly name: string;
  readonly measured: string;
  readonly traces: readonly string[];
}[] {
  return registeredClients().flatMap(({ name, profile, measured = "", traces = [] }) =>
    profile ? [{ name, measured, traces }] : [],
  );
}

/** The names of profiles with these versions, as help texts list them. */
export function measuredText(): string {
  return measuredClients()
    .map(({ name, measured }) => `${name} (${measured})`)
    .join(", ");
}

/** A client's name for one that a user typed; any other word unchanged. */
export function clientNamed(typed: string): string {
  return registeredClients().find(({ name, aliases }) => name === typed || aliases?.includes(typed))?.name ?? typed;
}

/** The handler of a client's hooks; undefined for an unknown name. */
export async function loadClient(name: string): Promise<Client | undefined> {
  const client = registered(name);
  if (client?.events === undefined) return undefined;
  const { events } = await client.events();
  return { name, title: client.title, ...events };
}

/** What a client loads by itself, as far as that is known. */
export async function loadNative({ name, native }: Client): Promise<NativeLoads> {
  const profile = await registered(name)?.profile?.();
  return profile?.profile ?? native ?? { reach: () => ({ files: [] }), onTouch: () => [] };
}

export async function loadSettings(): Promise<ClientSettings[]> {
  const all = registeredClients().map(async ({ name, title, settings }) =>
    settings === undefined ? [] : [{ name, title, ...(await settings()).settings }],
  );
  return (await Promise.all(all)).flat();
}

export async function loadRecordReaders(): Promise<{ title: string; record: RecordReader }[]> {
  const readers = registeredClients().map(async ({ title, record }) =>
    record === undefined ? [] : [{ title, record: (await record()).record }],
  );
  return (await Promise.all(readers)).flat();
}

export async function loadProfiles(): Promise<NativeClient[]> {
  const profiles = registeredClients().map(async ({ name, title, profile }) =>
    profile === undefined ? [] : [{ name, title, ...(await profile()).profile }],
  );
  return (await Promise.all(profiles)).flat();
}

/** The sessions that clients name in the environment of the commands they run. */
export function clientSessions(env: Readonly<Record<string, string | undefined>>): ClientSession[] {
  const sessions: ClientSession[] = [];
  for (const { session: variable, context: contextVariable } of SESSION_VARIABLES) {
    const session = env[variable];
    if (!session) continue;
    // A sub-agent's shell has its parent's session; unless a variable names the sub-agent, it can't be identified.
    const context = contextVariable === undefined ? SHELL_CONTEXT : env[contextVariable];
    sessions.push({ session, context: context && context !== session ? context : MAIN_CONTEXT });
  }
  return sessions;
}

function registered(name: string): RegisteredClient | undefined {
  for (const client of registeredClients()) if (client.name === name) return client;
  return undefined;
}
