/**
 * A short name for a long string, for file names: 64 bits of FNV-1a over its UTF-16 units, as 16 hex digits. Not for
 * secrets: node:crypto would cost a hook call half of its time budget. If two strings could share a file, the file
 * names its string.
 */
export function shortHash(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let index = 0; index < text.length; index++) {
    low = (low ^ text.charCodeAt(index)) >>> 0;
    // Multiplication by the 64-bit prime 0x100000001b3, in 32-bit halves.
    const lowTimes = low * 0x1b3;
    high = (high * 0x1b3 + (low << 8) + ((lowTimes / 0x1_0000_0000) >>> 0)) >>> 0;
    low = lowTimes >>> 0;
  }
  return hex(high) + hex(low);
}

/** As eight digits. */
function hex(word: number): string {
  return (0x1_0000_0000 + word).toString(16).slice(1);
}

const PRIME = 0x01000193;

/** The digest of a text's UTF-8. */
export function textDigest(text: string): number {
  return digestOf(new TextEncoder().encode(text));
}

/**
 * A 32-bit hash, four bytes at a time. A change within four bytes always changes it, other changes nearly always. Not
 * for secrets.
 */
export function digestOf(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  // Named once: a start goes through all of its texts, and looks up what it names for each four bytes.
  const { imul } = Math;
  const { length } = words;
  let digest = bytes.length;
  for (let index = 0; index < length; index++) {
    digest = imul(digest ^ (words[index] as number), PRIME);
    digest ^= digest >>> 15;
  }
  for (let index = length * 4; index < bytes.length; index++) {
    digest = imul(digest ^ (bytes[index] as number), PRIME);
    digest ^= digest >>> 15;
  }
  return digest >>> 0;
}
