import { closeSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const PAGE_BYTES = 4096;

/** Writes until nothing more fits, then gives back so many pages. */
export function fillDisk(directory: string, pagesLeft = 0): void {
  const filler = join(directory, "filler");
  const descriptor = openSync(filler, "a");
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(PAGE_BYTES, "x"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(descriptor);
  }
  truncateSync(filler, statSync(filler).size - pagesLeft * PAGE_BYTES);
}

/** Makes files until there is room for none, however empty. */
export function fillInodes(directory: string): void {
  try {
    for (let index = 0; ; index++) writeFileSync(join(directory, `filler-${index}`), "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
