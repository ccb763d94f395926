import { joinBytes } from "./bytes.ts";
import { disk } from "./fs.ts";

// Lines of a file, or of a stream.

/** Larger ones are no faster, and more of them is waiting for the garbage collector. */
const CHUNK_BYTES = 64 * 1024;

/** A line of a file, or undefined for one that is longer than the limit. */
type FileLine = string | undefined;

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

/** A line without its end, or a line that is too long, reported as soon as that is known. */
export type Line = { readonly kind: "line"; readonly text: string } | { readonly kind: "too-long" };

interface LineCutter {
  push(chunk: Uint8Array): Line[];
  /** What follows the last line end. */
  end(): Line[];
}

const NEWLINE = 10;

/** Splits a stream into lines, keeping no more than `maxBytes` and one chunk. */
export function lineCutter(maxBytes: number): LineCutter {
  let kept: Uint8Array[] = [];
  let size = 0;

  function* endLine(): Generator<Line> {
    if (size <= maxBytes) yield { kind: "line", text: new TextDecoder().decode(joinBytes(kept)) };
    kept = [];
    size = 0;
  }
  function* add(bytes: Uint8Array): Generator<Line> {
    const wasTooLong = size > maxBytes;
    size += bytes.length;
    if (size <= maxBytes) return void kept.push(bytes.slice());
    kept = [];
    if (!wasTooLong) yield { kind: "too-long" };
  }
  function* cut(chunk: Uint8Array): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield* add(chunk.subarray(start, end));
      yield* endLine();
      start = end + 1;
    }
    yield* add(chunk.subarray(start));
  }
  return { push: (chunk) => [...cut(chunk)], end: () => (size === 0 ? [] : [...endLine()]) };
}
