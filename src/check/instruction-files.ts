import { basename, dirname } from "node:path";
import type { Candidate } from "../instructions/chain.ts";
import { probeLadder } from "../instructions/gather.ts";
import { lstatOf } from "../lib/path-facts.ts";
import { readStart } from "../lib/read-file.ts";
import { lossyText } from "../lib/text.ts";

export const MAX_TEXT_BYTES = 1024 * 1024;

/** The instruction files of a repository, as the rules need them. */
export interface InstructionFiles {
  /** All that have one of the names, sorted by directory and name. */
  readonly candidates: readonly InstructionCandidate[];
  /** Those that can be read. A file with two names appears twice. */
  readonly texts: readonly InstructionText[];
  /** Those that turned out to be unreadable. */
  readonly unread: readonly { readonly path: string; readonly reason: "no-permission" | "unreadable" }[];
}

export type InstructionCandidate = Candidate & { readonly directory: string };

export interface InstructionText {
  readonly path: string;
  readonly directory: string;
  readonly name: string;
  /** The path with every link resolved. */
  readonly realPath: string;
  readonly text: string;
  /** How many of the file's bytes the text contains. */
  readonly textBytes: number;
  readonly sizeBytes: number;
}

/**
 * @param root canonical
 * @param found names by directory, as spelled there
 */
export function readInstructionFiles(root: string, found: ReadonlyMap<string, readonly string[]>): InstructionFiles {
  const candidates: InstructionCandidate[] = [];
  const texts: InstructionText[] = [];
  const unread: { path: string; reason: "no-permission" | "unreadable" }[] = [];
  const probed = new Set([root]);
  for (const [directory, names] of found) {
    const sought = { main: names, additional: [] };
    const rungs = probeLadder([root, directory], sought, directory === root ? new Set() : probed);
    for (const candidate of rungs.find((rung) => rung.directory === directory)?.main ?? []) {
      candidates.push({ ...candidate, directory });
      if (candidate.found.kind !== "file") continue;
      const { path } = candidate;
      const { realPath, identity } = candidate.found;
      const read = readStart(realPath, MAX_TEXT_BYTES);
      if (read.kind === "read" && read.identity === identity) {
        const text = lossyText(read.bytes);
        const { sizeBytes } = read.version;
        texts.push({ path, directory, name: basename(path), realPath, text, textBytes: read.bytes.length, sizeBytes });
      } else if (read.kind !== "absent") {
        const reason = read.kind === "unusable" && read.reason === "no-permission" ? "no-permission" : "unreadable";
        unread.push({ path, reason });
      }
    }
  }
  return { candidates, texts, unread };
}

/**
 * Another page that is read like an instruction file.
 *
 * @param path canonical
 */
export function readPage(path: string): InstructionText | undefined {
  const sizeBytes = lstatOf(path)?.size ?? 0;
  const read = readStart(path, MAX_TEXT_BYTES);
  if (read.kind !== "read") return undefined;
  const directory = dirname(path);
  const text = lossyText(read.bytes);
  return { path, directory, name: basename(path), realPath: path, text, textBytes: read.bytes.length, sizeBytes };
}
