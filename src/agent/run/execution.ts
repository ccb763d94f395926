import type { PromptResolver } from "../definition/prompts.ts";
import type { ValidatedDefinition } from "../definition/validate.ts";
import type { EngineEvent } from "../engines/engine.ts";
import { ExecutionError, failureOf, messageOf } from "../errors.ts";
import type { StepCheckResult } from "../judge/answer.ts";
import { failed, FAILURES } from "../judge/completion.ts";
import type { AgentResult, AgentRun, IterationSummary } from "../run-schema.ts";
import type { CommandCheck } from "./command-check.ts";
import { driveLoop } from "./loop.ts";
import type { Circumstances, Member } from "./team.ts";

export interface StartOptions {
  readonly cwd: string;
  /** Values for the prompts, by variable. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a run needs. */
export interface Dependencies {
  readonly members: readonly Member[];
  readonly prompts: PromptResolver;
  readonly checkByCommand: (check: CommandCheck) => Promise<StepCheckResult>;
  readonly keeper: Keeper;
  readonly listen: Listen;
  readonly wait: Circumstances["wait"];
  readonly chance: Circumstances["chance"];
  /** A monotonic clock, in milliseconds. */
  readonly ticks: () => number;
}

export interface Keeper {
  /**
   * @output the record of the new run
   * @error  ExecutionError `AlreadyStarted` while another run is in progress
   */
  begin(options: StartOptions): AgentRun;
  /** @output the record as written, or unchanged if it can't be written */
  save(run: AgentRun): AgentRun;
  /** Records the end. If the record is too large, drops what only a running run needs. */
  conclude(run: AgentRun): void;
  /** Releases the lock. */
  end(): void;
}

/** A run that this process drives: created, started, stopped. */
export interface Execution {
  readonly state: "created" | "started" | "stopped";
  /** The last output of each step. */
  readonly outputs: AgentRun["outputs"];
  /**
   * @effect records the run; no other run can begin in its tree
   * @error  ExecutionError `AlreadyStarted` on a second start, in this process or another
   */
  start(options: StartOptions): Promise<void>;
  /**
   * @output how it ended, whatever goes wrong; the same when called again
   * @effect queries engines, runs checks, records
   */
  run(): Promise<AgentResult>;
  /**
   * @output how it ended; the same when called again
   * @effect ends what is running
   */
  stop(reason?: string): Promise<AgentResult>;
}

export function createExecution(validated: ValidatedDefinition, dependencies: Dependencies): Execution {
  const { keeper, listen } = dependencies;
  const controller = new AbortController();
  let state: Execution["state"] = "created";
  let record: AgentRun | undefined;
  let outputs: AgentRun["outputs"] = {};
  let running: Promise<AgentResult> | undefined;
  let stopReason = "the run was stopped";

  async function start(options: StartOptions): Promise<void> {
    if (state !== "created") throw alreadyStarted(`the run of '${validated.definition.name}' was started before`);
    record = keeper.begin(options);
    state = "started";
    const { instance, definition, cwd } = record;
    listen({ event: "started", instance, definition, cwd });
  }

  function run(): Promise<AgentResult> {
    running ??= runOnce();
    return running;
  }

  async function runOnce(): Promise<AgentResult> {
    const begun = record;
    if (begun === undefined) return failed("the run was not started", [], FAILURES.notStarted);
    let last = begun;
    const save = (next: AgentRun) => {
      last = keeper.save(next);
      ({ outputs } = next);
      return last;
    };
    const signals = { signal: controller.signal, stopReason: () => stopReason };
    let result: AgentResult;
    try {
      result = await driveLoop(validated.definition, begun, { ...dependencies, ...signals, save });
    } catch (error) {
      result = failed(messageOf(error), last.summaries, failureOf(error));
    }
    try {
      keeper.conclude({ ...last, status: "stopped", result });
      listen({ event: "ended", result });
    } catch {
      // A listener that throws does not change the result.
    }
    keeper.end();
    state = "stopped";
    return result;
  }

  async function stop(reason?: string): Promise<AgentResult> {
    if (reason !== undefined && !controller.signal.aborted) stopReason = reason;
    controller.abort();
    const result = await run();
    if (record !== undefined) state = "stopped";
    return result;
  }

  return {
    get state() {
      return state;
    },
    get outputs() {
      return outputs;
    },
    start,
    run,
    stop,
  };
}

export function alreadyStarted(why: string): ExecutionError {
  return new ExecutionError(`can't start: ${why}`, { kind: "AlreadyStarted" });
}

/** The events of a run: for the log, and for people who watch it. */
export type RunEvent =
  | { readonly event: "started"; readonly instance: string; readonly definition: string; readonly cwd: string }
  | { readonly event: "iteration"; readonly iteration: number; readonly step: string }
  | { readonly event: "query"; readonly engine: string; readonly about: "step" | "check"; readonly prompt: string }
  | { readonly event: "engine"; readonly engine: string; readonly told: EngineEvent }
  | { readonly event: "failure"; readonly engine: string; readonly error: string }
  | { readonly event: "wait"; readonly engine: string; readonly delayMs: number }
  | { readonly event: "new-session"; readonly engine: string }
  | { readonly event: "fallback"; readonly from: string; readonly to: string }
  | { readonly event: "answer"; readonly engine: string; readonly text: string; readonly structured?: unknown }
  | { readonly event: "check"; readonly step: string; readonly pass: boolean; readonly reason: string }
  | { readonly event: "skipped"; readonly step: string; readonly reason: string }
  | { readonly event: "iteration-ended"; readonly summary: IterationSummary }
  | { readonly event: "unrecorded"; readonly reason: string }
  | { readonly event: "ended"; readonly result: AgentResult };

export type Listen = (event: RunEvent) => void;
