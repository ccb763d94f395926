import type { Stats } from "node:fs";
import { HEADER_READ_BYTES, isHeaderSeen } from "../../core/skills/frontmatter.ts";
import type { HeaderFacts } from "../../core/skills/header-facts.ts";
import { readFacts } from "../../core/skills/read-facts.ts";
import { disk, wholeMs } from "../disk.ts";
import { readOpening } from "../read-file.ts";
import type { HeaderMemory, Row } from "./header-memory.ts";
import { whyUnread } from "./why-unread.ts";

/** What stands at the path of a SKILL.md. */
export type HeaderAt = HeaderRead | { readonly kind: "absent" } | { readonly kind: "special" };

export type HeaderRead =
  | { readonly kind: "facts"; readonly facts: HeaderFacts; readonly mtimeMs: number }
  /** For the YAML parser, which is loaded once all files are read, and when there is need. */
  | { readonly kind: "yaml"; readonly header: string; readonly stats: Stats }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * The header of the SKILL.md at a path, from memory where the file is as it was.
 *
 * @input  path: its directory canonical
 * @output `special` for a link and for what is no regular file
 * @effect reads the start of the file; `memory` notes what it says
 * @error  none
 */
export function headerAt(path: string, memory: HeaderMemory): HeaderAt {
  const row = memory.find(path);
  if (row !== undefined) {
    const known = confirm(path, row, memory);
    if (known !== undefined) return known;
  }
  const read = readOpening(path, HEADER_READ_BYTES, isHeaderSeen);
  if (read.kind === "absent") return read;
  if (read.kind === "unusable") {
    return read.reason === "not-a-regular-file" ? { kind: "special" } : { kind: "unusable", reason: whyUnread(read) };
  }
  const { stats } = read;
  const said = readFacts(read.text, read.isWhole);
  if (said.kind === "yaml") return { kind: "yaml", header: said.header, stats };
  memory.note(path, stats, said.facts);
  return { kind: "facts", facts: said.facts, mtimeMs: wholeMs(stats) };
}

function confirm(path: string, row: Row, memory: HeaderMemory): HeaderAt | undefined {
  try {
    const stats = disk.look(path);
    if (stats === undefined) return { kind: "absent" };
    const facts = memory.confirm(row, stats);
    return facts && { kind: "facts", facts, mtimeMs: wholeMs(stats) };
  } catch {
    // Reading it will say why.
    return undefined;
  }
}
