import { MAIN_CONTEXT, SHELL_CONTEXT, type ClientSession } from "../ledger/contexts.ts";
import type { Client, NativeClient, NativeLoads, Part } from "./client.ts";
import type { ClientSettings } from "./settings/model.ts";

/** A client's parts, each in a file of the client's folder and loaded where it is asked for. */
interface RegisteredClient {
  /** As in `codelia hook NAME`. */
  readonly name: string;
  readonly title: string;
  events(): Promise<{ readonly events: Part<Client> }>;
  settings(): Promise<{ readonly settings: Part<ClientSettings> }>;
  /** What `explain`, `check --as` and `init-context --as` know of it. */
  profile?(): Promise<{ readonly profile: Part<NativeClient> }>;
  /**
   * The variables in which the commands that its model runs find the session and, where there is one, the context: a
   * sub-agent's id, or the session's in the main context.
   */
  readonly variables?: { readonly session: string; readonly context?: string };
}

/** The coding agents that codelia works with, in the order in which they are shown: for each a folder, and a line here. */
const CLIENTS: readonly RegisteredClient[] = [
  {
    name: "claude",
    title: "Claude Code",
    events: () => import("./claude/events.ts"),
    settings: () => import("./claude/settings.ts"),
    profile: () => import("./claude/profile.ts"),
    variables: { session: "CLAUDE_CODE_SESSION_ID" },
  },
  {
    name: "codex",
    title: "Codex",
    events: () => import("./codex/events.ts"),
    settings: () => import("./codex/settings.ts"),
    profile: () => import("./codex/profile.ts"),
    variables: { session: "CODEX_SESSION_ID", context: "CODEX_THREAD_ID" },
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    events: () => import("./gemini/events.ts"),
    settings: () => import("./gemini/settings.ts"),
  },
  {
    name: "qwen",
    title: "Qwen Code",
    events: () => import("./qwen/events.ts"),
    settings: () => import("./qwen/settings.ts"),
  },
  {
    name: "vscode",
    title: "VS Code",
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
  },
  {
    name: "cline",
    title: "Cline",
    events: () => import("./cline/events.ts"),
    settings: () => import("./cline/settings.ts"),
  },
];

export const CLIENT_NAMES: readonly string[] = CLIENTS.map(({ name }) => name);

/** Those whose profiles `explain`, `check --as` and `init-context --as` show. */
export const PROFILE_NAMES: readonly string[] = CLIENTS.flatMap(({ name, profile }) => (profile ? name : []));

/** What answers a client's hooks; undefined for a name that no client has. */
export async function loadClient(name: string): Promise<Client | undefined> {
  const client = CLIENTS.find((each) => each.name === name);
  if (client === undefined) return undefined;
  const { events } = await client.events();
  return { name, title: client.title, ...events };
}

/** What a client loads by itself, as far as that is known. */
export async function loadNative({ name, native }: Client): Promise<NativeLoads> {
  const profile = await CLIENTS.find((each) => each.name === name)?.profile?.();
  return profile?.profile ?? native ?? { reach: () => ({ files: [] }), onTouch: () => [] };
}

export function loadSettings(): Promise<ClientSettings[]> {
  return Promise.all(
    CLIENTS.map(async ({ name, title, settings }) => ({ name, title, ...(await settings()).settings })),
  );
}

export async function loadProfiles(): Promise<NativeClient[]> {
  const profiles = CLIENTS.map(async ({ name, title, profile }) =>
    profile === undefined ? [] : [{ name, title, ...(await profile()).profile }],
  );
  return (await Promise.all(profiles)).flat();
}

/** The sessions that clients name in the environment of the commands they run. */
export function clientSessions(env: Readonly<Record<string, string | undefined>>): ClientSession[] {
  return CLIENTS.flatMap(({ variables }) => {
    const session = variables && env[variables.session];
    if (!session) return [];
    // A sub-agent's shell has its parent's session; where no variable names the sub-agent, it can't say whose it is.
    if (variables.context === undefined) return [{ session, context: SHELL_CONTEXT }];
    const context = env[variables.context];
    return [{ session, context: context && context !== session ? context : MAIN_CONTEXT }];
  });
}
