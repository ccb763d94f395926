import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const superBlobMagic = 0xfade0cc0;
const codeDirectoryMagic = 0xfade0c02;
const superBlobSize = 20;
const directorySize = 88;
const hashSize = 32;
const pageSize = 4096;
const adHocLinkerSigned = 0x20002;

/**
 * Gives a compiled program a valid signature. Bun 1.4.4 signs its output for darwin-arm64, but leaves darwin-x64 with
 * the signature of its runtime without the program.
 */
export function ensureSigned(path) {
  const bytes = readFileSync(path);
  if (!isSignatureValid(bytes)) writeFileSync(path, signAdHoc(bytes, "codelia"));
}

/** Whether every page of the program has the hash in its signature: macOS kills a program otherwise. */
export function isSignatureValid(bytes) {
  const { signature } = readMachO(bytes);
  if (signature === undefined || signature.offset + signature.size !== bytes.length) return false;
  const directory = signature.offset + bytes.readUInt32BE(signature.offset + 16);
  const hashes = directory + bytes.readUInt32BE(directory + 16);
  const expected = hashPages(bytes, signature.offset);
  const limit = bytes.readUInt32BE(directory + 32);
  return limit === signature.offset && expected.equals(bytes.subarray(hashes, hashes + expected.length));
}

/** The program with an ad-hoc signature, which names no one and only records the hashes of the pages. */
export function signAdHoc(bytes, identifier) {
  const { segments, signature } = readMachO(bytes);
  const limit = signature.offset;
  const hashesAt = directorySize + identifier.length + 1;
  const size = superBlobSize + hashesAt + Math.ceil(limit / pageSize) * hashSize;
  const program = Buffer.from(bytes.subarray(0, limit));
  // The headers are in the first page, so they come before the hashes.
  program.writeUInt32LE(size, signature.sizeAt);
  coverSignature(program, segments.get("__LINKEDIT"), limit + size);
  const directory = encodeCodeDirectory({ identifier, hashesAt, limit, textSize: segments.get("__TEXT").size });
  return Buffer.concat([program, encodeSuperBlob(size), directory, hashPages(program, limit)]);
}

/** The last segment contains the signature, and must reach to the end of the file. */
function coverSignature(program, segment, end) {
  const size = end - segment.offset;
  program.writeBigUInt64LE(BigInt(size), segment.sizeAt);
  const pages = Math.ceil(size / 0x4000) * 0x4000;
  if (size > segment.memorySize) program.writeBigUInt64LE(BigInt(pages), segment.memorySizeAt);
}

function encodeSuperBlob(size) {
  // One blob, of type 0 (the code directory), right after this index.
  return encodeBigEndian([superBlobMagic, size, 1, 0, superBlobSize]);
}

function encodeCodeDirectory({ identifier, hashesAt, limit, textSize }) {
  const pages = Math.ceil(limit / pageSize);
  const version = 0x20400;
  const length = hashesAt + pages * hashSize;
  // Hash of 32 bytes, of kind 2 (SHA-256), no platform, pages of 2^12 bytes.
  const hashKind = 0x20_02_00_0c;
  const mainBinary = 1;
  const fields = [codeDirectoryMagic, length, version, adHocLinkerSigned, hashesAt, directorySize, 0, pages, limit];
  const noScatterTeamOrLongLimit = [0, 0, 0, 0, 0, 0];
  const executableSegment = [0, 0, 0, textSize, 0, mainBinary];
  const numbers = encodeBigEndian([...fields, hashKind, ...noScatterTeamOrLongLimit, ...executableSegment]);
  return Buffer.concat([numbers, Buffer.from(`${identifier}\0`, "latin1")]);
}

function encodeBigEndian(numbers) {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}

function hashPages(bytes, limit) {
  const hashes = [];
  for (let start = 0; start < limit; start += pageSize) {
    const page = bytes.subarray(start, Math.min(start + pageSize, limit));
    hashes.push(createHash("sha256").update(page).digest());
  }
  return Buffer.concat(hashes);
}

const segmentCommand = 0x19;
const codeSignatureCommand = 0x1d;

/**
 * What signing needs to know about a 64-bit Mach-O image: the position of its signature, and the segments around it.
 * Offsets named `…At` are the positions of the number that the name says.
 */
function readMachO(bytes) {
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
