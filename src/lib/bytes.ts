// Bytes: pieces joined, and what bytes mean as text.

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

/** The length of a byte order mark. */
export const BOM_BYTES = 3;

export function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Bytes as text, keeping a byte order mark; undefined if they are not UTF-8. */
export function strictText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The longest prefix of at most `limit` bytes that does not end inside a UTF-8 character. */
export function characterBoundary(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let end = limit;
  // At most three continuation bytes belong to one character; more of them are not UTF-8, and are left as they are.
  while (end > 0 && limit - end < 3 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return ((bytes[end] as number) & 0xc0) === 0x80 ? limit : end;
}

/** Whether a text has only white space, all of it visible. */
export function isBlank(bytes: Uint8Array, sizeBytes: number): boolean {
  return bytes.length >= sizeBytes && !isGraphic(bytes[0]) && new TextDecoder().decode(bytes).trim() === "";
}

/** A visible ASCII character: as the first byte it settles the question. */
function isGraphic(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f;
}
