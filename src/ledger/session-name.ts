import type { ContextKey } from "./ledger.ts";

/** A session that a host names in the environment of the commands it runs. */
export interface HostSession {
  readonly session: string;
  /** The context such a command can speak for. */
  readonly context: string;
}

/** The context of a command whose host can't say which of its agents runs it. */
export const SHELL_CONTEXT = "shell";
export const MAIN_CONTEXT = "main";
export const DEFAULT_SESSION = "default";

/**
 * Whom an answer is for: `--session`, else CODELIA_SESSION_ID, else the one host that names its session in the
 * environment; two hosts there contradict each other, so neither counts.
 */
export function nameContext(given: {
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly environment: string | undefined;
  readonly hosts: readonly HostSession[];
}): ContextKey {
  const host = given.hosts.length === 1 ? given.hosts[0] : undefined;
  const session = given.session || given.environment || host?.session || DEFAULT_SESSION;
  // Whichever way the session was named: a shell that can't name its agent never speaks for the main context.
  let spoken = MAIN_CONTEXT;
  for (const candidate of given.hosts) if (candidate.session === session) spoken = candidate.context;
  return { session, context: given.agent || spoken };
}
