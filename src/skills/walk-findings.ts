import type { RuleId } from "../check/rules.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import type { World } from "../world.ts";
import type { SkillColumns } from "./columns.ts";
import type { HeaderRead } from "./header-at.ts";
import type { FoundFiles } from "./read-all.ts";
import type { SkillProblem } from "./skill.ts";

export const ALLOW = "let its readers read it";

export const NAME_LOST = "its name is not UTF-8; rename it";

/** One that is not plainly a skill: that needs YAML, all names of its directory, or a word to its author. */
export interface UnsettledFile {
  /** Canonical: whichever way it was reached, it is one skill. */
  readonly path: string;
  readonly start: Start;
  /** What its directory is called: its own name first, then those of links that lead to it. */
  readonly directoryNames: string[];
  readonly header: HeaderRead;
}

/** What a walk went by, beside the files it found: as long as all of it is as it was, another one finds the same. */
export interface Trail {
  /** Directories that were listed. */
  readonly entered: string[];
  readonly enteredStamps: number[];
  readonly links: string[];
  readonly targets: string[];
  /** It met something that can change and does not show it. */
  isUnrepeatable: boolean;
}

/** What walks add to. */
export interface WalkFindings {
  readonly found: FoundFiles;
  readonly skills: SkillColumns;
  readonly unsettled: UnsettledFile[];
  readonly errors: SkillProblem[];
  readonly trail: Trail;
}

/** What the walks through the skill directories of one scope have in common. */
export interface Walk extends WalkFindings {
  readonly world: World;
  /** Canonical; nothing outside is looked at. */
  readonly boundary: string;
  /** What the boundary is to the user. */
  readonly boundaryName: string;
  /** Directories of these names are not entered. */
  readonly ignored: ReadonlySet<string>;
}

/** A directory that skills are looked for in. */
export interface Start {
  /** Canonical and inside the boundary. */
  readonly directory: string;
  /** Its place among all starts. */
  readonly index: number;
}

export function follow({ trail }: Walk, path: string): LinkTarget {
  const target = linkTarget(path);
  trail.links.push(path);
  trail.targets.push(describeTarget(target));
  if (target.kind === "unseen") trail.isUnrepeatable = true;
  return target;
}

export function refuseDangling(walk: Walk, path: string): void {
  // Bytes that are no UTF-8 came as U+FFFD, and nothing has that name.
  const isNameLost = path.includes("\uFFFD");
  refuse(walk, path, isNameLost ? NAME_LOST : "it is a link that leads nowhere; correct or remove it");
}

export function refuseOutside(walk: Walk, path: string): void {
  refuse(walk, path, `it is a link that leads outside ${walk.boundaryName}; put a copy in its place`);
}

export function refuseUnseen(walk: Walk, path: string, errno: string): void {
  refuse(walk, path, `it can't be looked at (${errno}); ${ALLOW}, or correct the link`);
}

export function refuse(walk: Walk, path: string, message: string, rule: RuleId = "skill-unreadable"): void {
  walk.errors.push({ path, message, rule });
}

/** Where a symbolic link leads. `path` has every link resolved. */
export type LinkTarget =
  | { readonly kind: "file" | "directory" | "other"; readonly path: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "unseen"; readonly errno: string };

/**
 * @effect none
 * @error  none
 */
export function linkTarget(path: string): LinkTarget {
  try {
    const stats = disk.lookThrough(path);
    if (stats === undefined) return { kind: "nothing" };
    const kind = stats.isDirectory() ? "directory" : stats.isFile() ? "file" : "other";
    return { kind, path: disk.realPath(path) };
  } catch (error) {
    const errno = errnoOf(error);
    return errno === "ELOOP" ? { kind: "nothing" } : { kind: "unseen", errno };
  }
}

/** The same as one text, to compare. */
export function describeTarget(target: LinkTarget): string {
  return "path" in target ? `${target.kind} ${target.path}` : target.kind;
}
