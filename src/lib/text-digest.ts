const PRIME = 0x01000193;

/**
 * A 32-bit hash of a text's UTF-8, four bytes at a time. A change within four bytes always changes it, others nearly
 * always. Not for secrets.
 */
export function textDigest(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let digest = bytes.length;
  for (let index = 0; index < words.length; index++) {
    digest = Math.imul(digest ^ (words[index] ?? 0), PRIME);
    digest ^= digest >>> 15;
  }
  for (let index = words.length * 4; index < bytes.length; index++) {
    digest = Math.imul(digest ^ (bytes[index] ?? 0), PRIME);
    digest ^= digest >>> 15;
  }
  return digest >>> 0;
}
