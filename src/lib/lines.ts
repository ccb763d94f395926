import { disk } from "./fs.ts";

/** Larger ones are no faster, and more of them is waiting for the garbage collector. */
const CHUNK_BYTES = 64 * 1024;

/** A line of a file, or undefined for one that is longer than the limit. */
export type FileLine = string | undefined;

/**
 * The lines of a file of any length: only a chunk and one line are in memory.
 *
 * @input  path: with its links resolved; limit: the longest line, in UTF-16 units; advance: called with the bytes read
 * @error  file system errors
 */
export function* linesOf(path: string, limit: number, advance?: (bytes: number) => void): Generator<FileLine> {
  const descriptor = disk.openToRead(path);
  try {
    const decoder = new TextDecoder();
    const chunk = new Uint8Array(CHUNK_BYTES);
    // What precedes the chunk of its first line; undefined if that is too long already.
    let rest: FileLine = "";
    for (let filled = disk.read(descriptor, chunk); filled > 0; filled = disk.read(descriptor, chunk)) {
      advance?.(filled);
      // Lines are cut out of a decoded chunk, because decoding each by itself takes several times as long.
      const text = decoder.decode(chunk.subarray(0, filled), { stream: true });
      let from = 0;
      for (let newline = text.indexOf("\n"); newline >= 0; newline = text.indexOf("\n", from)) {
        yield joined(rest, text.slice(from, newline), limit);
        rest = "";
        from = newline + 1;
      }
      rest = joined(rest, text.slice(from), limit);
    }
    rest = joined(rest, decoder.decode(), limit);
    if (rest !== "") yield rest;
  } finally {
    disk.close(descriptor);
  }
}

function joined(start: FileLine, end: string, limit: number): FileLine {
  return start === undefined || start.length + end.length > limit ? undefined : start + end;
}
