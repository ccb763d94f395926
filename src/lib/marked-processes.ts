import type { World } from "../world.ts";
import { disk } from "./fs.ts";
import { readText } from "./read-file.ts";

/** A client ends its own children meanwhile. */
const GRACE_MS = 2000;
const INTERVAL_MS = 20;
const MAX_ENVIRONMENT_BYTES = 4 * 1024 * 1024;

/**
 * The processes that carry a variable with a value that begins so in the environment they were started with.
 *
 * @output their ids; none where there is no /proc, nor those of other users
 * @effect none
 * @error  none
 */
export function findMarked(name: string, beginning: string): readonly number[] {
  return processIds().filter((pid) => {
    const read = readText(`/proc/${pid}/environ`, MAX_ENVIRONMENT_BYTES);
    return read.kind === "text" && read.text.split("\0").some((entry) => entry.startsWith(`${name}=${beginning}`));
  });
}

/**
 * Ends those processes, and what they start meanwhile: they are asked, and after a while made to. This one stays.
 *
 * @output whether there were any
 * @effect pauses until they are gone, for as long as one is given to end by itself
 * @error  none
 */
export function endMarked(world: World, name: string, beginning: string): boolean {
  const others = () => findMarked(name, beginning).filter((pid) => pid !== world.pid);
  const found = others();
  for (const pid of found) world.kill(pid, "SIGTERM");
  const makeThemAt = world.ticks() + GRACE_MS;
  for (let left = found; left.length > 0; left = others()) {
    const elapsed = world.ticks() - makeThemAt;
    if (elapsed > GRACE_MS) break;
    if (elapsed > 0) for (const pid of left) world.kill(pid, "SIGKILL");
    world.pause(INTERVAL_MS);
  }
  return found.length > 0;
}

function processIds(): number[] {
  try {
    return disk.list("/proc").flatMap(({ name }) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}
