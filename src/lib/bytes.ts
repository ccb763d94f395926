// Bytes that arrive in pieces: joined, or split into lines.

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A line without its end, or a line that is too long, reported as soon as that is known. */
export type Line = { readonly kind: "line"; readonly text: string } | { readonly kind: "too-long" };

export interface LineCutter {
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
