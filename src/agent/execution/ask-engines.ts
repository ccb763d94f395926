import type { Engine, QueryOptions, QueryResult } from "../connection/engine.ts";
import { AgentError, ConnectionError, ExecutionError, RateLimitError, SessionExpired } from "../errors.ts";
import type { Listen } from "./run-events.ts";

/** One of the engines of a run, with the further words for it. */
export interface Member {
  readonly engine: Engine;
  readonly args: readonly string[];
}

export interface Question {
  readonly about: "step" | "check";
  /** @param isFresh the model knows nothing of what was done before, and must be told */
  readonly prompt: (isFresh: boolean) => string;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

/** What the queries of one iteration have come to, also when it dies half way. */
export interface Tally {
  queries: number;
  engine?: string;
  costUsd?: number;
  turns?: number;
}

export interface Circumstances {
  readonly cwd: string;
  readonly allowedTools: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  readonly listen: Listen;
  /** Does nothing for so long, or until the run is stopped. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** At least 0, less than 1. */
  readonly chance: () => number;
}

/** The engines of a run: one after the other is asked until one answers, each in a session of its own that goes on. */
export interface Team {
  /**
   * @output the answer
   * @effect asks; counts in `tally`; waits
   * @error  AgentError: the last one, when no engine has answered, or the first that is not recoverable
   */
  ask(question: Question, tally: Tally): Promise<QueryResult>;
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** An engine that has failed for good is not asked again in this run. */
export function createTeam(members: readonly Member[], circumstances: Circumstances): Team {
  const { listen } = circumstances;
  const sessions = new Map<string, string>();
  let present = 0;
  let isBegun = false;
  /** What was done so far was done in a session that is gone, or by another engine. */
  let isLost = false;

  async function ask(question: Question, tally: Tally): Promise<QueryResult> {
    for (;;) {
      const member = members[present];
      if (member === undefined) throw new ExecutionError("no engine is left to ask", { recoverable: false });
      const answer = await askMember(member, question, tally);
      if (!(answer instanceof AgentError)) return answer;
      const next = members[present + 1];
      if (next === undefined) throw answer;
      present++;
      isLost = isBegun;
      listen({ event: "fallback", from: member.engine.name, to: next.engine.name });
    }
  }

  /** The answer, or the error after which this engine is not asked again. */
  async function askMember(member: Member, question: Question, tally: Tally): Promise<QueryResult | AgentError> {
    const { maxRetries, signal, wait } = circumstances;
    const engine = member.engine.name;
    for (let failures = 0; ;) {
      const error = await query(member, question, tally);
      if (!(error instanceof AgentError)) return error;
      listen({ event: "failure", engine, error: error.message });
      if (!error.recoverable || signal.aborted) throw error;
      if (error instanceof SessionExpired && sessions.delete(engine)) {
        // A new session is no further try: what failed is the old one.
        isLost = true;
        listen({ event: "new-session", engine });
        continue;
      }
      const delayMs = delayAfter(error, failures++);
      if (failures > maxRetries || delayMs === undefined) return error;
      listen({ event: "wait", engine, delayMs });
      await wait(delayMs, signal);
    }
  }

  async function query(member: Member, question: Question, tally: Tally): Promise<QueryResult | AgentError> {
    const { engine, args } = member;
    const { cwd, allowedTools, timeoutMs, signal } = circumstances;
    const session = sessions.get(engine.name);
    // A step says itself what it needs of those before it; what a check is about only the session says.
    const prompt = question.prompt(isLost || (question.about === "check" && session === undefined));
    const options: QueryOptions = {
      cwd,
      args,
      timeoutMs,
      signal,
      ...(session !== undefined && { sessionId: session }),
      ...(question.schema !== undefined && { schema: question.schema }),
      ...(allowedTools !== undefined && { allowedTools }),
      onProgress: (told) => listen({ event: "engine", engine: engine.name, told }),
    };
    listen({ event: "query", engine: engine.name, about: question.about, prompt });
    tally.queries++;
    try {
      const result = await engine.query(prompt, options);
      isBegun = true;
      isLost = false;
      if (result.sessionId !== undefined) sessions.set(engine.name, result.sessionId);
      count(tally, engine.name, result);
      listen({
        event: "answer",
        engine: engine.name,
        text: result.text,
        ...(result.structured !== undefined && { structured: result.structured }),
      });
      return result;
    } catch (error) {
      return asAgentError(error);
    }
  }

  /** Undefined where waiting is of no use, or would take longer than an answer may. */
  function delayAfter(error: AgentError, failures: number): number | undefined {
    if (error instanceof ConnectionError && !error.isTransient) return undefined;
    const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
    const jittered = Math.round(backoff * (0.5 + circumstances.chance() / 2));
    const stated = error instanceof RateLimitError ? error.retryAfterMs : undefined;
    if (stated === undefined) return jittered;
    // All who were told the same come back at different times.
    return stated > circumstances.timeoutMs ? undefined : stated + Math.round(circumstances.chance() * FIRST_DELAY_MS);
  }

  return { ask };
}

function count(tally: Tally, engine: string, { costUsd, turns }: QueryResult): void {
  tally.engine = engine;
  if (costUsd !== undefined) tally.costUsd = (tally.costUsd ?? 0) + costUsd;
  if (turns !== undefined) tally.turns = (tally.turns ?? 0) + turns;
}

function asAgentError(error: unknown): AgentError {
  if (error instanceof AgentError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ExecutionError(`the engine failed in an unforeseen way: ${message}`, { recoverable: false });
}
