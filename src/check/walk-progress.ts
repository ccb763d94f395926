import type { World } from "../world.ts";

const AFTER_MS = 1_000;
const EVERY_MS = 100;
const CLEAR_LINE = "\r\u001B[K";

export interface WalkProgress {
  /** So many more files and directories were looked at. */
  readonly add: (entries: number) => void;
  /** Leaves the terminal as it was. */
  readonly end: () => void;
}

/**
 * Says on a terminal how far a walk has come that takes longer than a second; nothing anywhere else.
 *
 * @effect writes to standard error
 * @error  none
 */
export function walkProgress(world: World, isQuiet: boolean): WalkProgress | undefined {
  if (isQuiet || world.env["NO_COLOR"] || world.env["TERM"] === "dumb" || !world.isTerminal("stderr")) return undefined;
  let entries = 0;
  let due = world.ticks() + AFTER_MS;
  let isShown = false;
  return {
    add(count) {
      entries += count;
      const now = world.ticks();
      if (now < due) return;
      due = now + EVERY_MS;
      isShown = true;
      world.draw(`${CLEAR_LINE}codelia: ${entries} files and directories…`);
    },
    end() {
      if (isShown) world.draw(CLEAR_LINE);
    },
  };
}
