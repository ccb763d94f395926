import { disk } from "./disk.ts";
import { readText } from "./read-file.ts";

const MAX_ENVIRONMENT_BYTES = 4 * 1024 * 1024;

/**
 * The processes that carry a variable with this value in the environment they were started with.
 *
 * @output their ids; none where there is no /proc, nor those of other users
 * @effect none
 * @error  none
 */
export function findMarked(name: string, value: string): readonly number[] {
  return processIds().filter((pid) => {
    const read = readText(`/proc/${pid}/environ`, MAX_ENVIRONMENT_BYTES);
    return read.kind === "text" && read.text.split("\0").includes(`${name}=${value}`);
  });
}

function processIds(): number[] {
  try {
    return disk.list("/proc").flatMap(({ name }) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}
