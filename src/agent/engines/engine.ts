import { endMarked } from "../../lib/process.ts";
import type { World } from "../../world.ts";
import { ExecutionError } from "../errors.ts";

export interface QueryOptions {
  /** Where the engine works; absolute. */
  readonly cwd: string;
  /** Of an earlier answer, to continue from; without it a new session. */
  readonly sessionId?: string;
  /** A JSON Schema for the answer; engines that can't be held to one ignore it. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The tools it may use without asking; where absent, the engine's own rule. */
  readonly allowedTools?: readonly string[];
  /** The definition's arguments for the engine. */
  readonly args: readonly string[];
  /** Besides the user's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Marks all processes of the run. */
  readonly mark?: string;
  readonly onProgress?: (event: EngineEvent) => void;
}

export interface QueryResult {
  readonly text: string;
  /** Data that fits the schema, where the engine was held to one. */
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
  /** The engine itself waits, because its service told it to or is gone. */
  | { readonly kind: "waiting"; readonly reason: string; readonly delayMs?: number };

export interface Engine {
  readonly name: string;
  /**
   * @input  prompt: not blank
   * @output the whole answer; one that is too long is an error, and never cut
   * @effect runs the engine's program, and waits until it and its process group are gone
   * @error  ConnectionError, of which RateLimitError and SessionExpired are two; ExecutionError, not recoverable, for a
   *         blank prompt and for an abort
   */
  query(prompt: string, options: QueryOptions): Promise<QueryResult>;
}

/** In the environment of everything that a run starts, with a value that no other query has. */
export const RUN_VARIABLE = "CODELIA_AGENT_RUN";

/** @param mark of the run: it finds together what all its queries started */
export function queryMarker(world: World, mark = ""): { readonly name: string; readonly value: string } {
  return { name: RUN_VARIABLE, value: `${mark}.${world.random()}` };
}

/**
 * Ends what a run started and left behind, and waits until it is gone.
 *
 * @output whether there was anything; always false without /proc
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
