import { joinBytes } from "../../lib/join-bytes.ts";
import { ConnectionError } from "../errors.ts";

/** Takes what a program writes, as it comes; an error ends the program. */
export interface OutputReader {
  take(bytes: Uint8Array): ConnectionError | undefined;
  /** When the program has ended. */
  end(): ConnectionError | undefined;
}

/** What a run keeps of one answer, carries into prompts and writes to its state. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** One event may hold the content of a file that a tool has read. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

/** Line by line, so that nothing is kept of a long session but what `onLine` keeps. */
export function readLines(engine: string, onLine: (line: string) => ConnectionError | undefined): OutputReader {
  let parts: Uint8Array[] = [];
  let size = 0;
  const endLine = (rest: readonly Uint8Array[]) => {
    const line = decode([...parts, ...rest]);
    parts = [];
    size = 0;
    return line.trim() === "" ? undefined : onLine(line);
  };
  return {
    take(bytes) {
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const problem = endLine([bytes.subarray(start, end)]);
        if (problem !== undefined) return problem;
        start = end + 1;
      }
      parts.push(bytes.slice(start));
      size += bytes.length - start;
      return size > MAX_LINE_BYTES ? tooLong(engine, "an event", MAX_LINE_BYTES) : undefined;
    },
    end: () => endLine([]),
  };
}

/** All of it as one text. */
export function readWhole(engine: string): OutputReader & { text(): string } {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    take(bytes) {
      size += bytes.length;
      if (size > MAX_ANSWER_BYTES) return tooLong(engine, "its answer", MAX_ANSWER_BYTES);
      parts.push(bytes.slice());
      return undefined;
    },
    end: () => undefined,
    text: () => decode(parts),
  };
}

/** An error where an answer that came in an event is longer than is kept. */
export function checkLength(engine: string, text: string): ConnectionError | undefined {
  const isLong = text.length > MAX_ANSWER_BYTES / 4 && new TextEncoder().encode(text).length > MAX_ANSWER_BYTES;
  return isLong ? tooLong(engine, "its answer", MAX_ANSWER_BYTES) : undefined;
}

function tooLong(engine: string, what: string, limit: number): ConnectionError {
  const message = `engine '${engine}' said too much: ${what} is longer than ${limit} bytes, and nothing of it was kept; ask for less`;
  return new ConnectionError("answer_too_long", message, { limitBytes: limit });
}

function decode(parts: readonly Uint8Array[]): string {
  return new TextDecoder().decode(joinBytes(parts));
}
