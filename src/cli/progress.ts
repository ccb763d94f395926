import type { World } from "../world.ts";

const AFTER_MS = 1_000;
const EVERY_MS = 100;
const CLEAR_LINE = "\r\u001B[K";

export interface Progress {
  /** Counts further work. */
  readonly add: (count: number) => void;
  /** Clears the line. */
  readonly end: () => void;
}

/**
 * Shows on a terminal how far long work has come, once it has taken a second.
 *
 * @input  textOf: what to show for the count so far
 */
export function showProgress(world: World, isQuiet: boolean, textOf: (count: number) => string): Progress | undefined {
  if (isQuiet || world.env["NO_COLOR"] || world.env["TERM"] === "dumb" || !world.isTerminal("stderr")) return undefined;
  let total = 0;
  let due = world.ticks() + AFTER_MS;
  let isShown = false;
  return {
    add(count) {
      total += count;
      const now = world.ticks();
      if (now < due) return;
      due = now + EVERY_MS;
      isShown = true;
      world.draw(`${CLEAR_LINE}codelia: ${textOf(total)}…`);
    },
    end() {
      if (isShown) world.draw(CLEAR_LINE);
    },
  };
}
