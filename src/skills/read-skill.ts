import type { Stats } from "node:fs";
import { pathToFileURL } from "node:url";
import { characterBoundary } from "../instructions/bundle.ts";
import type { Skill } from "./skill.ts";
import { disk, identityOf } from "../lib/fs.ts";
import { readStart } from "../lib/read-file.ts";
import { whyUnread } from "./why-unread.ts";

const MAX_SKILL_BYTES = 1024 * 1024;
/** The longest character. */
const CHARACTER_BYTES = 4;

export type SkillRead =
  | { readonly kind: "read"; readonly text: SkillText }
  /** `reason` completes "skill … can't be loaded: ". */
  | { readonly kind: "unusable"; readonly reason: string };

export interface SkillText {
  /** The whole SKILL.md, or its first MAX_SKILL_BYTES. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly baseUrl: string;
  readonly files: readonly string[];
  readonly moreFiles: boolean;
}

export type SkillPlace = Pick<Skill, "path" | "dir" | "changedMs">;

/**
 * Reads a skill's text and lists its files.
 *
 * @input  skill: its path as discovered, canonical; ignored: directories whose files are not listed
 * @output what loading it tells; nothing of it from outside the skill's directory
 * @effect reads; loads the package that lists files
 * @error  none
 */
export async function readSkill(skill: SkillPlace, ignored: ReadonlySet<string>): Promise<SkillRead> {
  const read = readStart(skill.path, MAX_SKILL_BYTES + CHARACTER_BYTES);
  if (read.kind !== "read") return { kind: "unusable", reason: whyUnread(read) };
  const { listSkillFiles } = await import("./files.ts");
  const { files, moreFiles } = listSkillFiles(skill.dir, ignored);
  const stats = statsAt(skill.path);
  if (stats === undefined || identityOf(stats) !== read.identity) {
    return { kind: "unusable", reason: "it was replaced while it was read" };
  }
  // What was judged, and the user was asked about, is the file as it was then.
  if (skill.changedMs !== undefined && skill.changedMs !== stats.ctimeMs) {
    return { kind: "unusable", reason: "it has just changed; load it again" };
  }
  const text: SkillText = {
    bytes: read.bytes.subarray(0, characterBoundary(read.bytes, MAX_SKILL_BYTES)),
    sizeBytes: read.version.sizeBytes,
    mtimeMs: read.version.mtimeMs,
    baseUrl: pathToFileURL(`${skill.dir}/`).href,
    files,
    moreFiles,
  };
  return { kind: "read", text };
}

/** The path was judged, then opened: no directory on the way may have become a link in between. */
function statsAt(path: string): Stats | undefined {
  try {
    return disk.realPath(path) === path ? disk.look(path) : undefined;
  } catch {
    return undefined;
  }
}
