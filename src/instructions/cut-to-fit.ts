/**
 * The longest beginning of a text, in whole characters, of which something can be made.
 *
 * @param make undefined where so much is too much
 */
export function cutToFit<Made>(bytes: Uint8Array, make: (start: Uint8Array) => Made | undefined): Made | undefined {
  let low = 0;
  let best: Made | undefined;
  for (let high = bytes.length; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    const made = make(bytes.subarray(0, boundaryBefore(bytes, middle)));
    if (made === undefined) high = middle - 1;
    else {
      low = middle;
      best = made;
    }
  }
  return best;
}

/** Not inside a UTF-8 character. */
function boundaryBefore(bytes: Uint8Array, limit: number): number {
  let end = limit;
  while (end > 0 && limit - end < 3 && end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return end;
}
