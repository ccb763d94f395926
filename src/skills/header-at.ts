import type { Stats } from "node:fs";
import { HEADER_READ_BYTES, isHeaderSeen } from "./header.ts";
import type { HeaderFacts } from "./skill.ts";
import { readQuickFacts } from "./header.ts";
import { readFacts } from "./read-header.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { closeQuietly, fill, refusal } from "../lib/read-file.ts";
import { whyUnread } from "./load.ts";

/** What stands at the path of a SKILL.md. */
export type HeaderAt = HeaderRead | { readonly kind: "absent" } | { readonly kind: "special" };

export type HeaderRead =
  | { readonly kind: "facts"; readonly facts: HeaderFacts; readonly stats: Stats }
  /** For the YAML parser, which is loaded once all files are read, and when there is need. */
  | { readonly kind: "yaml"; readonly header: string; readonly stats: Stats }
  | { readonly kind: "unusable"; readonly reason: string };

/** The first kilobytes hold the header of nearly every file. */
const FIRST_BYTES = 2048;
/** One buffer for all files: thousands are read in a row. */
let first: Buffer | undefined;

/**
 * The header of the SKILL.md at a path, of a regular file, of which no more is read than a header may have.
 *
 * @input  path: its directory canonical
 * @output `special` for a link and for what is no regular file
 * @effect reads the start of the file
 * @error  none
 */
export function headerAt(path: string): HeaderAt {
  // All that the usual file needs is in this one function: of thousands, calls within the program are a tenth of the time.
  let descriptor = -1;
  first ??= Buffer.alloc(FIRST_BYTES);
  try {
    descriptor = disk.openToRead(path);
    const stats = disk.facts(descriptor);
    if (!stats.isFile()) return { kind: "special" };
    const count = disk.read(descriptor, first);
    const text = first.toString("utf8", 0, count);
    const facts = readQuickFacts(text);
    return facts === undefined ? readOn(descriptor, count, text, stats) : { kind: "facts", facts, stats };
  } catch (error) {
    const refused = refusal(errnoOf(error));
    if (refused.kind === "absent") return refused;
    return refused.reason === "not-a-regular-file"
      ? { kind: "special" }
      : { kind: "unusable", reason: whyUnread(refused) };
  } finally {
    if (descriptor >= 0) closeQuietly(descriptor);
  }
}

/** @param already how many bytes of the file are in `first`, and `text` */
function readOn(descriptor: number, already: number, text: string, stats: Stats): HeaderRead {
  if (already >= stats.size || isHeaderSeen(text)) return { ...readFacts(text, already >= stats.size), stats };
  const bytes = Buffer.alloc(HEADER_READ_BYTES);
  first?.copy(bytes, 0, 0, already);
  const filled = fill(descriptor, bytes, already);
  return { ...readFacts(bytes.toString("utf8", 0, filled), filled >= stats.size), stats };
}
