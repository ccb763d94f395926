import type { ArgsDef, CommandMeta } from "citty";
import type { ErrorCode, ExitName } from "./errors.ts";
import type { World } from "./world.ts";
import type { FlagValues } from "./cli/args.ts";

/** The arguments of a command: its flags by name, and its operands. */
export interface Invocation {
  readonly flags: FlagValues;
  readonly operands: readonly string[];
  /** Every value of a flag that was given more than once. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Why a verb could not do its work: nothing was found, several matched, a rule forbade it. It decides the exit code and
 * the text on standard error. A `Diagnostic` is about a file and decides neither.
 */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Outcome = ExitName | Problem;

/** A verb. Help, strict flag parsing and documentation come from `meta` and `args`, which are citty's definitions. */
export interface Command {
  readonly meta: CommandMeta & { readonly name: string; readonly description: string };
  readonly args: ArgsDef;
  /** How many operands it takes. */
  readonly maxOperands: number;
  /**
   * @input  invocation: flags already checked against `args`
   * @output how it ended; the result was written with `world.write`
   * @error  CodeliaError only
   */
  run(world: World, invocation: Invocation, loadVerb?: LoadVerb): Outcome | Promise<Outcome>;
}

/** Loads another verb by its words, as `completions` does; undefined if there is none. */
export type LoadVerb = (words: string) => Promise<{ command: Command }> | undefined;
