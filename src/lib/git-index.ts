import { join, sep } from "node:path";
import { gitDirectoryOf } from "./git-repository.ts";
import { readStart } from "./read-file.ts";

/** Of about 700,000 files. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** The bits of an entry's flags with the length of its path, and the one that says that more flags follow. */
const LENGTH = 0xfff;
const EXTENDED = 0x4000;

/**
 * Whether git tracks a file, or a file below a directory: ignore files say nothing about these. By the index itself,
 * because git would read the config. An index of version 4, which shortens paths, knows only the few that it has whole.
 *
 * @param top of the working tree, canonical
 */
export function trackedIn(top: string): (path: string, isDirectory: boolean) => boolean {
  let index: Buffer | undefined;
  return (path, isDirectory) => {
    index ??= readIndex(top);
    const name = path
      .slice(top.length + 1)
      .split(sep)
      .join("/");
    return hasEntry(index, Buffer.from(isDirectory ? `${name}/` : name), isDirectory);
  };
}

function readIndex(top: string): Buffer {
  const read = readStart(join(gitDirectoryOf(top), "index"), MAX_INDEX_BYTES);
  return Buffer.from(read.kind === "read" ? read.bytes : []);
}

/** A path stands behind two bytes of flags, with its length, or behind two and two more, and ends with a zero. */
function hasEntry(index: Buffer, name: Buffer, isBeginning: boolean): boolean {
  for (let at = index.indexOf(name); at >= 4; at = index.indexOf(name, at + 1)) {
    const before = index.readUInt16BE(at - 4);
    const flags = [index.readUInt16BE(at - 2), ...((before & EXTENDED) === 0 ? [] : [before])];
    const lengths = flags.map((each) => each & LENGTH).filter((length) => index[at + length] === 0);
    if (lengths.some((length) => (isBeginning ? length > name.length : length === name.length))) return true;
  }
  return false;
}
