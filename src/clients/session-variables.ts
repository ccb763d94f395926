import { MAIN_CONTEXT, SHELL_CONTEXT, type ClientSession } from "../ledger/contexts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The sessions that clients name in the environment of the commands they run. */
export function clientSessions(env: Environment): ClientSession[] {
  const found: ClientSession[] = [];
  const claude = env["CLAUDE_CODE_SESSION_ID"];
  // A sub-agent's shell has the same session id as its parent's and nothing that names the sub-agent.
  if (claude) found.push({ session: claude, context: SHELL_CONTEXT });
  const codex = env["CODEX_SESSION_ID"];
  if (codex) found.push({ session: codex, context: codexContext(codex, env["CODEX_THREAD_ID"]) });
  return found;
}

/** The thread id is the sub-agent's in a sub-agent, else the session's. */
function codexContext(session: string, thread: string | undefined): string {
  return thread && thread !== session ? thread : MAIN_CONTEXT;
}
