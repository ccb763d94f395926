import { crc32, deflateRawSync, gzipSync } from "node:zlib";

// `tar` and `zip` would add times and users. Here the same files always give the same bytes.

const BLOCK = 512;
const DOS_TIME = 0;
/** 1980-01-01, the earliest date in a zip. */
const DOS_DATE = 0x21;

/** A tar archive of files, `{ name, mode, bytes }`. */
export function tar(files) {
  const blocks = files.flatMap(({ name, mode, bytes }) => [
    tarHeader(name, mode, bytes.length),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** The same, gzipped. */
export function tarGz(files) {
  const zipped = gzipSync(tar(files), { level: 9 });
  // The byte that identifies the system.
  zipped[9] = 255;
  return zipped;
}

function tarHeader(name, mode, size) {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write(`${octal(mode, 7)}\0`, 100);
  header.write(`${octal(0, 7)}\0`, 108);
  header.write(`${octal(0, 7)}\0`, 116);
  header.write(`${octal(size, 11)}\0`, 124);
  header.write(`${octal(0, 11)}\0`, 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

function octal(value, digits) {
  return value.toString(8).padStart(digits, "0");
}

/** A zip archive of files, for Windows. */
export function zip(files) {
  const locals = [];
  const centrals = [];
  let offset = 0;
  for (const { name, mode, bytes } of files) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const facts = zipFacts(name, bytes, packed);
    const local = Buffer.concat([signature(0x04034b50), facts, Buffer.from(name), packed]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE((mode | 0o100000) * 0x10000, 6);
    central.writeUInt32LE(offset, 10);
    // Marked as made on Unix, so that the mode is used.
    const madeBy = Buffer.from([20, 3]);
    centrals.push(Buffer.concat([signature(0x02014b50), madeBy, facts, central, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, signature(0x06054b50), end]);
}

/** The fields that a file's own header and the directory have in common. */
function zipFacts(name, bytes, packed) {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(0x0800, 2);
  facts.writeUInt16LE(8, 4);
  facts.writeUInt16LE(DOS_TIME, 6);
  facts.writeUInt16LE(DOS_DATE, 8);
  facts.writeUInt32LE(crc32(bytes), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(bytes.length, 18);
  facts.writeUInt16LE(Buffer.byteLength(name), 22);
  return facts;
}

function signature(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
