import { disk, errnoOf } from "../../lib/fs.ts";
import { closeQuietly } from "../../lib/read-file.ts";
import type { World } from "../../world.ts";
import type { Listen } from "./run-events.ts";

export interface EventLog {
  readonly listen: Listen;
  close(): void;
}

/**
 * Every event of a run as a line of JSON, with its time, at the end of a file.
 *
 * @output the log, or the errno where the file can't be opened
 * @effect the file, made where there is none
 * @error  none: a line that can't be written is left out, with one warning
 */
export function openEventLog(world: World, path: string): EventLog | string {
  let descriptor: number;
  try {
    descriptor = disk.openToAppend(path);
  } catch (error) {
    return errnoOf(error);
  }
  let isFailing = false;
  return {
    listen(event) {
      const line = `${JSON.stringify({ time: new Date(world.now()).toISOString(), ...event })}\n`;
      try {
        let rest: Uint8Array = new TextEncoder().encode(line);
        while (rest.length > 0) rest = rest.subarray(disk.write(descriptor, rest));
      } catch (error) {
        if (!isFailing) world.warn(`the log '${path}' is not complete (${errnoOf(error)})`);
        isFailing = true;
      }
    },
    close: () => closeQuietly(descriptor),
  };
}
