import { endMarked } from "../../lib/process.ts";
import type { World } from "../../world.ts";
import { ExecutionError } from "../errors.ts";

export interface QueryOptions {
  /** Where the engine works; absolute. */
  readonly cwd: string;
  /** Of an earlier answer, to continue from; a new session if absent. */
  readonly sessionId?: string;
  /** A JSON Schema for the answer; ignored by engines that don't support one. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The tools it may use without asking; the engine's own rule if absent. */
  readonly allowedTools?: readonly string[];
  /** The definition's arguments for the engine. */
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Marks all processes of the run. */
  readonly mark?: string;
  readonly onProgress?: (event: EngineEvent) => void;
}

export interface QueryResult {
  readonly text: string;
  /** Data that matches the schema, if the engine enforces one. */
  readonly structured?: unknown;
  readonly sessionId?: string;
  readonly costUsd?: number;
  readonly turns?: number;
  readonly durationMs: number;
}

export type EngineEvent =
  | { readonly kind: "session"; readonly sessionId: string }
  /** A whole message of the model. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string }
  /** The engine itself waits, because its service told it to or can't be reached. */
  | { readonly kind: "waiting"; readonly reason: string; readonly delayMs?: number };

export interface Engine {
  readonly name: string;
  /**
   * @input  prompt: not blank
   * @output the whole answer; one that is too long is an error, never cut
   * @effect runs the engine's program, and waits until it and its process group have ended
   * @error  ConnectionError, including RateLimitError and SessionExpired; ExecutionError, not recoverable, for a blank
   *          prompt and for an abort
   */
  query(prompt: string, options: QueryOptions): Promise<QueryResult>;
}

/** Set in the environment of everything that a run starts, with a value unique to the query. */
export const RUN_VARIABLE = "CODELIA_AGENT_RUN";

/** @param mark of the run: it finds everything that the run's queries started */
export function queryMarker(world: World, mark = ""): { readonly name: string; readonly value: string } {
  return { name: RUN_VARIABLE, value: `${mark}.${world.random()}` };
}

/**
 * Ends the processes that a run left behind, and waits until they are gone.
 *
 * @output whether there were any; always false without /proc
 */
export function endStartedBy(world: World, mark: string): boolean {
  return endMarked(world, RUN_VARIABLE, `${mark}.`);
}

/** Runs that start runs could multiply without end. */
export function refuseInsideRun(world: World): void {
  if (!isInsideRun(world)) return;
  throw new ExecutionError("a run can't be started inside a run: it would have no end", { kind: "Nested" });
}

/** Whether this process was started by a run. */
export function isInsideRun(world: World): boolean {
  return (world.env[RUN_VARIABLE] ?? "") !== "";
}
