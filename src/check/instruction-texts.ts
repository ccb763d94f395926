import { basename } from "node:path";
import type { Candidate } from "../instructions/chain.ts";
import { lossyText } from "../lib/text.ts";
import type { InstructionText } from "./instructions.ts";
import { readStart } from "../lib/read-file.ts";
import { probeLadder } from "../instructions/gather.ts";

export const MAX_TEXT_BYTES = 1024 * 1024;
export interface InstructionFiles {
  /** All that have one of the names, in the order of their directories and names. */
  readonly candidates: readonly (Candidate & { readonly directory: string })[];
  /** Those that can be read. One file under two names has two texts. */
  readonly texts: readonly InstructionText[];
  /** Those that can't, although they looked as if they could. */
  readonly unread: readonly { readonly path: string; readonly reason: "no-permission" | "unreadable" }[];
}

/**
 * @input  root: canonical; found: names by directory, as they stand there
 * @output the instruction files, links judged, with their texts as far as one is judged
 * @effect reads
 * @error  none
 */
export function readInstructionTexts(root: string, found: ReadonlyMap<string, readonly string[]>): InstructionFiles {
  const candidates: (Candidate & { directory: string })[] = [];
  const texts: InstructionText[] = [];
  const unread: { path: string; reason: "no-permission" | "unreadable" }[] = [];
  const probed = new Set([root]);
  for (const [directory, names] of found) {
    const rungs = probeLadder(
      [root, directory],
      { main: names, additional: [] },
      directory === root ? new Set() : probed,
    );
    for (const candidate of rungs.find((rung) => rung.directory === directory)?.main ?? []) {
      candidates.push({ ...candidate, directory });
      if (candidate.found.kind !== "file") continue;
      const { path, found: file } = candidate;
      const read = readStart(file.realPath, MAX_TEXT_BYTES);
      if (read.kind === "read" && read.identity === file.identity) {
        const { bytes, version } = read;
        const text = lossyText(bytes);
        const { sizeBytes } = version;
        const { realPath } = file;
        texts.push({ path, directory, name: basename(path), realPath, text, textBytes: bytes.length, sizeBytes });
      } else if (read.kind !== "absent") {
        const reason = read.kind === "unusable" && read.reason === "no-permission" ? "no-permission" : "unreadable";
        unread.push({ path, reason });
      }
    }
  }
  return { candidates, texts, unread };
}
