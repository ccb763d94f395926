import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";

/** A pipe that has a name, so that each of its ends can be opened and closed here. */
export interface Pipe {
  /** The end to write to, as a program's standard output is; blocks when the pipe is full. */
  readonly writeEnd: number;
  /** Fills it to the last byte. */
  fill(): void;
  /** Everything in it, up to now. */
  drain(): string;
  /** Nobody will read it any more. */
  closeReader(): void;
  [Symbol.dispose](): void;
}

export function openPipe(path: string): Pipe {
  execFileSync("mkfifo", [path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  let isOpen = true;
  const closeReader = () => {
    if (isOpen) closeSync(readEnd);
    isOpen = false;
  };
  return {
    writeEnd,
    closeReader,
    fill() {
      const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      // Byte by byte at the end: a page that is not full takes no more than fits.
      for (const size of [4096, 1]) whileReady(() => writeSync(filler, Buffer.alloc(size, ".")) > 0);
      closeSync(filler);
    },
    drain() {
      const chunks: Buffer[] = [];
      whileReady(() => {
        const chunk = Buffer.alloc(65_536);
        const count = readSync(readEnd, chunk);
        chunks.push(chunk.subarray(0, count));
        return count > 0;
      });
      return Buffer.concat(chunks).toString("utf8");
    },
    [Symbol.dispose]() {
      closeReader();
      closeSync(writeEnd);
    },
  };
}

function whileReady(step: () => boolean): void {
  try {
    while (step());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
  }
}
