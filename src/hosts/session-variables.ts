import { MAIN_CONTEXT, SHELL_CONTEXT, type HostSession } from "../core/session-name.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The sessions that hosts name in the environment of the commands they run. */
export function hostSessions(env: Environment): HostSession[] {
  const found: HostSession[] = [];
  for (const host of [claude(env), codex(env)]) if (host !== undefined) found.push(host);
  return found;
}

/** A sub-agent's shell has the same session id as its parent's and nothing that names the sub-agent. */
function claude(env: Environment): HostSession | undefined {
  const session = env["CLAUDE_CODE_SESSION_ID"];
  return session ? { session, context: SHELL_CONTEXT } : undefined;
}

/** The thread id is the sub-agent's in a sub-agent, else the session's. */
function codex(env: Environment): HostSession | undefined {
  const session = env["CODEX_SESSION_ID"];
  if (!session) return undefined;
  const thread = env["CODEX_THREAD_ID"];
  return { session, context: thread && thread !== session ? thread : MAIN_CONTEXT };
}
