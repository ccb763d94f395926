import type { AgentRun } from "../agent-run.ts";
import type { PromptResolver } from "../definition/read-prompt.ts";
import type { StepCheckResult } from "../judge/step-check.ts";
import type { Circumstances, Member } from "./team.ts";
import type { CommandCheck } from "./command-check.ts";
import type { Listen } from "./run-events.ts";

export interface StartOptions {
  readonly cwd: string;
  /** Values for the prompts, by the name of their variable. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a run needs of the world. */
export interface Dependencies {
  readonly members: readonly Member[];
  readonly prompts: PromptResolver;
  readonly checkByCommand: (check: CommandCheck) => Promise<StepCheckResult>;
  /** Keeps the record of the run, and the right to run. */
  readonly keeper: Keeper;
  readonly listen: Listen;
  readonly wait: Circumstances["wait"];
  readonly chance: Circumstances["chance"];
  /** Milliseconds that only go forward. */
  readonly ticks: () => number;
}

export interface Keeper {
  /**
   * @output what is recorded of the new run
   * @error  ExecutionError `AlreadyStarted` where another goes on
   */
  begin(options: StartOptions): AgentRun;
  /** @output what is recorded now; where that can't be done, what should be */
  save(run: AgentRun): AgentRun;
  /** The last state of all; where there is no room for it, without what only a run that goes on needs. */
  conclude(run: AgentRun): void;
  /** Gives up the right to run. */
  end(): void;
}
