import { Script } from "node:vm";
import type { World } from "../world.ts";
import { errnoOf } from "./fs.ts";

/** The processor time that a parser may use for a file of a clone, in milliseconds. */
export const PARSE_LIMIT_MS = 200;
/** The timer that interrupts a parser counts waiting too, so on a busy machine it gets more turns, the last this long. */
const LAST_TURN_MS = 8 * PARSE_LIMIT_MS;
/** A parser that used this much processor time in one turn was not slowed by other processes. */
const ENOUGH_MS = 0.8 * PARSE_LIMIT_MS;

export interface Unparsed {
  readonly kind: "unparsed";
  /** Completes "it is not used: ". */
  readonly reason: string;
}

/** Calls a parser, which must not wait for anything, and gives back what it says. */
export type LimitedParse = <Read>(parse: () => Read) => Read | Unparsed;

/**
 * Limits the time of parsers for texts from a clone, so that none of them can keep the command from ending. A parser
 * that throws also counts as unable to parse its text.
 *
 * Once a parser was interrupted, further texts under the same limit are not parsed, so that many files can't add up.
 * Bun doesn't interrupt regular expressions; those of our parsers take time in proportion to the text.
 *
 * @effect a parser runs for up to 200 ms of processor time, on a busy machine for up to 3 s in all
 */
export function limitParsing(world: Pick<World, "processorTime">): LimitedParse {
  let isSpent = false;
  return (parse) => {
    if (isSpent) return unparsed(`the parser took longer than ${PARSE_LIMIT_MS} ms for another file`);
    for (let turn = PARSE_LIMIT_MS; ; turn *= 2) {
      const begun = world.processorTime();
      try {
        return runFor(turn, parse);
      } catch (error) {
        if (errnoOf(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") return unparsed(`its parser failed (${String(error)})`);
      }
      if (world.processorTime() - begun < ENOUGH_MS && turn < LAST_TURN_MS) continue;
      isSpent = true;
      return unparsed(`parsing it takes longer than ${PARSE_LIMIT_MS} ms; make it smaller or simpler`);
    }
  };
}

function unparsed(reason: string): Unparsed {
  return { kind: "unparsed", reason };
}

const CALLED = Symbol.for("codelia.parse");
let caller: Script | undefined;

/** Only a script can be interrupted, and it can only call what is global. */
function runFor<Read>(milliseconds: number, parse: () => Read): Read {
  const place = globalThis as { [CALLED]?: () => unknown };
  caller ??= new Script('globalThis[Symbol.for("codelia.parse")]()');
  place[CALLED] = parse;
  try {
    return caller.runInThisContext({ timeout: milliseconds }) as Read;
  } finally {
    delete place[CALLED];
  }
}
