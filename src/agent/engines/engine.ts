import { endMarked } from "../../lib/process.ts";
import type { World } from "../../world.ts";
import { ExecutionError } from "../errors.ts";

/** What one turn of a model is asked with. */
export interface QueryOptions {
  /** Where the engine works: absolute. */
  readonly cwd: string;
  /** Of an earlier answer, to go on from there; a new session without it. */
  readonly sessionId?: string;
  /** JSON Schema that the answer shall fit; an engine that knows no such thing leaves it to the reader of the text. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The tools it may use without being asked; the engine's own rule where absent. */
  readonly allowedTools?: readonly string[];
  /** Further words of the engine's command line, as a definition names them. */
  readonly args: readonly string[];
  /** Beside the user's environment, which the engine has anyway. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of the run that asks. */
  readonly mark?: string;
  /** What goes on meanwhile, as it comes. */
  readonly onProgress?: (event: EngineEvent) => void;
}

export interface QueryResult {
  readonly text: string;
  /** What fits the schema, where the engine made it; absent where it can't, or was not asked to. */
  readonly structured?: unknown;
  readonly sessionId?: string;
  readonly costUsd?: number;
  readonly turns?: number;
  readonly durationMs: number;
}

export type EngineEvent =
  | { readonly kind: "session"; readonly sessionId: string }
  /** Something that the model said, whole. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string }
  /** The engine itself waits: it was told to by its service, or lost it. */
  | { readonly kind: "waiting"; readonly reason: string; readonly delayMs?: number };

export interface Engine {
  readonly name: string;
  /**
   * @input  prompt: not blank
   * @output the whole answer; one that is longer than can be kept is an error, never cut
   * @effect runs the engine's program, and waits until it and its process group are gone
   * @error  ConnectionError, of which RateLimitError and SessionExpired are two; ExecutionError, not recoverable, for a
   *         blank prompt and for an abort
   */
  query(prompt: string, options: QueryOptions): Promise<QueryResult>;
}

/** Set for everything that a run starts, to a value that no other query has. */
export const RUN_VARIABLE = "CODELIA_AGENT_RUN";

/** @param mark of the run, where it has one: by that, all that its queries started is found together */
export function queryMarker(world: World, mark = ""): { readonly name: string; readonly value: string } {
  return { name: RUN_VARIABLE, value: `${mark}.${world.random()}` };
}

/**
 * Ends what a run has started and left behind.
 *
 * @output whether there was anything; never where there is no /proc
 * @effect waits until it is gone
 * @error  none
 */
export function endStartedBy(world: World, mark: string): boolean {
  return endMarked(world, RUN_VARIABLE, `${mark}.`);
}

/** Runs that start runs would multiply without end. */
export function refuseInsideRun(world: World): void {
  if (!isInsideRun(world)) return;
  throw new ExecutionError("a run can't be started inside a run: it would have no end", {
    recoverable: false,
    details: { kind: "Nested" },
  });
}

/** Whether this process was started by a run. */
export function isInsideRun(world: World): boolean {
  return (world.env[RUN_VARIABLE] ?? "") !== "";
}
