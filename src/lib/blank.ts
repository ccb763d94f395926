/** Whether a text says nothing: only white space, all of it seen. */
export function isBlank(bytes: Uint8Array, sizeBytes: number): boolean {
  return bytes.length >= sizeBytes && !isGraphic(bytes[0]) && new TextDecoder().decode(bytes).trim() === "";
}

/** A visible ASCII character: as the first byte it settles the question. */
function isGraphic(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f;
}
