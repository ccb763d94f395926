import type { ArgsDef, CommandMeta } from "citty";
import type { ErrorCode, ExitName } from "./errors.ts";
import type { World } from "./world.ts";
import type { FlagValues } from "./cli/args.ts";

/** What a command was given: its flags by name, and what is not a flag. */
export interface Invocation {
  readonly flags: FlagValues;
  readonly operands: readonly string[];
  /** Every value of a flag that is given more than once. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Why a verb could not do its work: nothing was found, several fit, a rule said no. It decides the exit code and what
 * stands on standard error. It is no `Diagnostic`, which is about a file and has no say in either.
 */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Outcome = ExitName | Problem;

/**
 * A verb. The help, the strict reading of flags and the documentation are made from `meta` and `args`, which are
 * citty's definition.
 */
export interface Command {
  readonly meta: CommandMeta & { readonly name: string; readonly description: string };
  readonly args: ArgsDef;
  /** How many words besides flags it takes. */
  readonly maxOperands: number;
  /**
   * @input  invocation: flags already checked against `args`
   * @output how it ended; its result was written by `world.write`
   * @error  CodeliaError only
   */
  run(world: World, invocation: Invocation, loadVerb?: LoadVerb): Outcome | Promise<Outcome>;
}

/** Loads another verb by its words, as `completions` does; undefined where there is none. */
export type LoadVerb = (words: string) => Promise<{ command: Command }> | undefined;
