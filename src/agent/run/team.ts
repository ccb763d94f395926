import type { Engine, QueryOptions, QueryResult } from "../engines/engine.ts";
import { queryWithRecovery, type ContextCarry, type Recovery } from "../engines/recovery.ts";
import { AgentError, ExecutionError } from "../errors.ts";
import type { Listen } from "./execution.ts";

/** One of the engines of a run, with the definition's arguments for it. */
export interface Member {
  readonly engine: Engine;
  readonly args: readonly string[];
}

interface Question {
  readonly about: "step" | "check";
  readonly prompt: string;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  /** For a session that has not seen the earlier answers. */
  readonly carry: ContextCarry;
  readonly isOptional: boolean;
}

/** The queries of one iteration so far; it may fail at any point. */
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
  /** Marks all processes of the run. */
  readonly mark: string | undefined;
  readonly listen: Listen;
  /** Resolves early when the run is stopped. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** At least 0, less than 1. */
  readonly chance: () => number;
}

/** The engines of a run: each is asked if the one before it gives no answer, and keeps its own session. */
export interface Team {
  /**
   * @effect queries, counted in `tally`, and waits
   * @error  AgentError: the last one if no engine answered, or the first that is not recoverable
   */
  ask(question: Question, tally: Tally): Promise<QueryResult>;
}

/** An engine that was replaced is not asked again in this run: its successor has the conversation now. */
export function createTeam(members: readonly Member[], circumstances: Circumstances): Team {
  const { cwd, allowedTools, timeoutMs, maxRetries, signal, mark, listen, wait, chance } = circumstances;
  const sessions = new Map<string, string>();
  let remaining = members;

  async function ask(question: Question, tally: Tally): Promise<QueryResult> {
    const [first, ...others] = remaining.map((member) => prepared(member, question, tally));
    if (first === undefined) throw new ExecutionError("there is no engine to ask");
    const session = sessions.get(first.name);
    const options: QueryOptions = {
      cwd,
      args: [],
      timeoutMs,
      signal,
      ...(mark !== undefined && { mark }),
      ...(session !== undefined && { sessionId: session }),
      ...(question.schema !== undefined && { schema: question.schema }),
      ...(allowedTools !== undefined && { allowedTools }),
    };
    const recovered = await queryWithRecovery(question.prompt, options, {
      engines: [first, ...others],
      maxRetries,
      isOptional: question.isOptional,
      carry: question.carry,
      sleep: wait,
      random: chance,
      onRecovery: (engine, error, recovery) => report(engine, error, recovery, others),
    });
    if (recovered.kind === "skipped") throw recovered.error;
    const { engine, result } = recovered;
    remaining = remaining.slice(remaining.findIndex((member) => member.engine.name === engine));
    if (result.sessionId === undefined) sessions.delete(engine);
    else sessions.set(engine, result.sessionId);
    count(tally, engine, result);
    const { text, structured } = result;
    listen({ event: "answer", engine, text, ...(structured !== undefined && { structured }) });
    return result;
  }

  /** The engine with its arguments, with each query counted and reported. */
  function prepared({ engine, args }: Member, { about }: Question, tally: Tally): Engine {
    const { name } = engine;
    return {
      name,
      async query(prompt, options) {
        tally.queries++;
        listen({ event: "query", engine: name, about, prompt });
        const onProgress: QueryOptions["onProgress"] = (told) => listen({ event: "engine", engine: name, told });
        return engine.query(prompt, { ...options, args, onProgress });
      },
    };
  }

  function report(engine: string, { message }: AgentError, recovery: Recovery, others: readonly Engine[]): void {
    listen({ event: "failure", engine, error: message });
    if (recovery.kind === "retry") listen({ event: "wait", engine, delayMs: recovery.delayMs });
    if (recovery.kind === "renew") listen({ event: "new-session", engine });
    if (recovery.kind !== "fallback") return;
    const at = others.findIndex(({ name }) => name === engine);
    listen({ event: "fallback", from: engine, to: others[at + 1]?.name ?? "" });
  }

  return { ask };
}

function count(tally: Tally, engine: string, { costUsd, turns }: QueryResult): void {
  tally.engine = engine;
  if (costUsd !== undefined) tally.costUsd = (tally.costUsd ?? 0) + costUsd;
  if (turns !== undefined) tally.turns = (tally.turns ?? 0) + turns;
}
