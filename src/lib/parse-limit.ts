import { Script } from "node:vm";
import type { World } from "../world.ts";
import { errnoOf } from "./fs.ts";

/**
 * The processor time that a parser may use for a clone's file, in milliseconds. An honest file of the largest size takes a
 * fifth of it, so that it is also read on a machine that is several times slower.
 */
export const PARSE_LIMIT_MS = 500;
/**
 * The timer that interrupts a parser also counts waiting, so on a busy machine the parser gets more turns; the last one
 * is this long.
 */
const LAST_TURN_MS = 4 * PARSE_LIMIT_MS;
/** A parser that used this much processor time in one turn was not slowed by other processes. */
const ENOUGH_MS = 0.8 * PARSE_LIMIT_MS;

export interface Unparsed {
  readonly kind: "unparsed";
  /** Completes "it is not used: ". */
  readonly reason: string;
}

/** Calls a parser, which must not wait for anything, and returns its result. */
export type LimitedParse = <Read>(parse: () => Read) => Read | Unparsed;

/**
 * Limits the time of parsers for texts from a clone, so that no text can keep the command from ending. A parser that
 * throws counts as unable to parse its text.
 *
 * Once a parser was interrupted, no further texts are parsed under the same limit, so that many files can't add up. Bun
 * doesn't interrupt regular expressions; those of our parsers take linear time.
 *
 * @effect a parser runs for up to 500 ms of processor time, on a busy machine for up to 3.5 s in all
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

/** Only a script can be interrupted, and it can call only globals. */
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
