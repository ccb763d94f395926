const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes as text, a byte order mark kept; invalid ones become U+FFFD, by the rule that Rust and browsers share. */
export function lossyText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
