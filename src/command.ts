import type { ArgsDef, CommandMeta } from "citty";
import type { ErrorCode, ExitName } from "./errors.ts";
import type { World } from "./world.ts";
import type { FlagValues } from "./cli/args.ts";

/** What a command was given: its flags by name, and what is not a flag. */
export interface Invocation {
  readonly flags: FlagValues;
  readonly operands: readonly string[];
  /** Every value of a flag that is there more than once. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

/** A refusal that is an answer, not an accident: nothing was found, several fit, a rule said no. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Outcome = ExitName | Problem;

/**
 * A verb. `meta` and `args` are citty's definition, from which the help, the strict flags and the documentation
 * are made. Types only: importing this file costs nothing.
 */
export interface Command {
  readonly meta: CommandMeta & { readonly name: string; readonly description: string };
  readonly args: ArgsDef;
  /** How many words besides flags it takes. */
  readonly maxOperands: number;
  /**
   * @input  world, invocation: flags already checked against `args`
   * @output how it ended; what it has to say went to `world.write` before
   * @effect as the command's contract names
   * @error  CodeliaError only
   */
  run(world: World, invocation: Invocation, loadVerb?: LoadVerb): Outcome | Promise<Outcome>;
}

/** Another verb by its words, for a verb that is about the others; undefined where there is none. */
export type LoadVerb = (words: string) => Promise<{ command: Command }> | undefined;
