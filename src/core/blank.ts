/** Whether a text says nothing: only white space, all of it seen. */
export function isBlank(bytes: Uint8Array, sizeBytes: number): boolean {
  return bytes.length >= sizeBytes && new TextDecoder().decode(bytes).trim() === "";
}
