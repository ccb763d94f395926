import type { Stats } from "node:fs";
import { HEADER_READ_BYTES, isHeaderSeen } from "../../core/skills/frontmatter.ts";
import type { HeaderFacts } from "../../core/skills/header-facts.ts";
import { readFacts } from "../../core/skills/read-facts.ts";
import { readOpening } from "../read-opening.ts";
import { whyUnread } from "./why-unread.ts";

/** What stands at the path of a SKILL.md. */
export type HeaderAt = HeaderRead | { readonly kind: "absent" } | { readonly kind: "special" };

export type HeaderRead =
  | { readonly kind: "facts"; readonly facts: HeaderFacts; readonly stats: Stats }
  /** For the YAML parser, which is loaded once all files are read, and when there is need. */
  | { readonly kind: "yaml"; readonly header: string; readonly stats: Stats }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * The header of the SKILL.md at a path.
 *
 * @input  path: its directory canonical
 * @output `special` for a link and for what is no regular file
 * @effect reads the start of the file
 * @error  none
 */
export function headerAt(path: string): HeaderAt {
  const read = readOpening(path, HEADER_READ_BYTES, isHeaderSeen);
  if (read.kind === "absent") return read;
  if (read.kind === "unusable") {
    return read.reason === "not-a-regular-file" ? { kind: "special" } : { kind: "unusable", reason: whyUnread(read) };
  }
  const { stats } = read;
  const said = readFacts(read.text, read.isWhole);
  return said.kind === "yaml" ? { kind: "yaml", header: said.header, stats } : { ...said, stats };
}
