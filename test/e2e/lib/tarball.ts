import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

export interface PackedFile {
  readonly name: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

const BLOCK = 512;

/** The files of a tarball as npm packs one: plain ustar, with nothing in it but files below `package/`. */
export function readTarball(path: string): PackedFile[] {
  const bytes = gunzipSync(readFileSync(path));
  const files: PackedFile[] = [];
  for (let at = 0; bytes[at] !== 0;) {
    const text = (from: number, length: number) =>
      bytes.toString("latin1", at + from, at + from + length).replace(/\0.*$/s, "");
    const [name, mode, size, type] = [text(0, 100), text(100, 8), text(124, 12), text(156, 1)];
    if (type !== "0" || text(345, 155) !== "" || !name.startsWith("package/")) throw new Error(`${path}: '${name}'`);
    const start = at + BLOCK;
    const end = start + Number.parseInt(size, 8);
    files.push({
      name: name.slice("package/".length),
      mode: Number.parseInt(mode, 8),
      bytes: bytes.subarray(start, end),
    });
    at = start + Math.ceil((end - start) / BLOCK) * BLOCK;
  }
  return files;
}
