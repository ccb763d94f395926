const segmentCommand = 0x19;
const codeSignatureCommand = 0x1d;

/**
 * What signing needs to know about a 64-bit Mach-O image: the position of its signature, and the segments around it.
 * Offsets named `…At` are the positions of the number that the name says.
 */
export function readMachO(bytes) {
  const image = { segments: new Map(), signature: undefined };
  let at = 32;
  for (let command = 0; command < bytes.readUInt32LE(16); command++) {
    const type = bytes.readUInt32LE(at);
    if (type === segmentCommand) {
      const name = bytes.toString("latin1", at + 8, at + 24).replaceAll("\0", "");
      image.segments.set(name, {
        memorySizeAt: at + 32,
        memorySize: Number(bytes.readBigUInt64LE(at + 32)),
        offset: Number(bytes.readBigUInt64LE(at + 40)),
        sizeAt: at + 48,
        size: Number(bytes.readBigUInt64LE(at + 48)),
      });
    } else if (type === codeSignatureCommand) {
      image.signature = { offset: bytes.readUInt32LE(at + 8), sizeAt: at + 12, size: bytes.readUInt32LE(at + 12) };
    }
    at += bytes.readUInt32LE(at + 4);
  }
  return image;
}
