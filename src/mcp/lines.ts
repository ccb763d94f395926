/** A line without its end, or that there was one of more bytes than it may have. */
export type Line = { readonly kind: "line"; readonly bytes: Uint8Array } | { readonly kind: "too-long" };

const LINE_FEED = 10;

/** Cuts a stream into its lines, and never keeps more than `maxBytes` and a chunk of it. */
export interface LineCutter {
  push(chunk: Uint8Array): Line[];
  /** What stands after the last line end. */
  end(): Line[];
}

export function lineCutter(maxBytes: number): LineCutter {
  let kept: Uint8Array[] = [];
  let size = 0;
  let isTooLong = false;

  const keep = (bytes: Uint8Array) => {
    size += bytes.length;
    isTooLong ||= size > maxBytes;
    if (isTooLong) kept = [];
    else if (bytes.length > 0) kept.push(bytes);
  };
  const take = (): Line => {
    const line: Line = isTooLong ? { kind: "too-long" } : { kind: "line", bytes: join(kept, size) };
    kept = [];
    size = 0;
    isTooLong = false;
    return line;
  };
  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end));
        lines.push(take());
        start = end + 1;
      }
      keep(chunk.subarray(start));
      return lines;
    },
    end: () => (size === 0 ? [] : [take()]),
  };
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
