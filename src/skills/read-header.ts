import type { Stats } from "node:fs";
import { disk, obstacleOf } from "../lib/fs.ts";
import type { LimitedParse, Unparsed } from "../lib/parse-limit.ts";
import { closeQuietly, fill, whyNot, whyUnread } from "../lib/read-file.ts";
import type { World } from "../world.ts";
import type { HeaderFacts } from "./header-rules.ts";
import { factsOfYaml, HEADER_READ_BYTES, isHeaderSeen, parseHeader, readUsualHeader } from "./header.ts";
import type { SkillProblem } from "./skill.ts";

/** What is at the path of a SKILL.md; `special` is a link, or anything else that is not a regular file. */
export type HeaderRead = HeaderFound | { readonly kind: "absent" } | { readonly kind: "special" };

export type HeaderFound =
  | { readonly kind: "facts"; readonly facts: HeaderFacts; readonly stats: Stats }
  /** It needs the YAML parser: see `yamlHeaderReader`. */
  | { readonly kind: "yaml"; readonly header: string; readonly stats: Stats }
  | { readonly kind: "unusable"; readonly reason: string };

/** The first kilobytes hold the header of nearly every file. */
const FIRST_BYTES = 2048;
/** One buffer for all files: thousands are read in a row. */
let first: Buffer | undefined;

/**
 * Reads the header of the SKILL.md at a path whose directory is canonical. Reads no more than a header's maximum size.
 */
export function readHeader(path: string): HeaderRead {
  let descriptor = -1;
  first ??= Buffer.alloc(FIRST_BYTES);
  try {
    descriptor = disk.openToRead(path);
    const stats = disk.facts(descriptor);
    if (!stats.isFile()) return { kind: "special" };
    const count = disk.read(descriptor, first);
    const text = first.toString("utf8", 0, count);
    const facts = readUsualHeader(text);
    return facts === undefined ? readOn(descriptor, count, text, stats) : { kind: "facts", facts, stats };
  } catch (error) {
    const refused = whyNot(obstacleOf(error));
    if (refused.kind === "absent") return refused;
    return refused.reason === "not-a-regular-file"
      ? { kind: "special" }
      : { kind: "unusable", reason: whyUnread(refused) };
  } finally {
    if (descriptor >= 0) closeQuietly(descriptor);
  }
}

/** @param already how many bytes of the file are in `first` and `text` */
function readOn(descriptor: number, already: number, text: string, stats: Stats): HeaderFound {
  if (already >= stats.size || isHeaderSeen(text)) return { ...parseHeader(text, already >= stats.size), stats };
  const bytes = Buffer.alloc(HEADER_READ_BYTES);
  first?.copy(bytes, 0, 0, already);
  const filled = fill(descriptor, bytes, already);
  return { ...parseHeader(bytes.toString("utf8", 0, filled), filled >= stats.size), stats };
}

/**
 * Reads headers with the YAML parser, which is loaded for the first of them. All headers share one time limit, so that
 * many of them can't add up.
 */
export function yamlHeaderReader(world: World): (header: string) => Promise<HeaderFacts | Unparsed> {
  let limited: LimitedParse | undefined;
  return async (header) => {
    const { limitParsing } = await import("../lib/parse-limit.ts");
    const { parseYaml } = await import("../lib/yaml.ts");
    limited ??= limitParsing(world);
    const parsed = limited(() => parseYaml(header));
    return parsed.kind === "unparsed" ? parsed : factsOfYaml(header, parsed);
  };
}

/** What is told of a header that the reader has given up. */
export function unparsedHeader(path: string, reason: string): SkillProblem {
  return { path, message: `its header is not read: ${reason}`, rule: "skill-limit", severity: "warning" };
}
