import type { RuleId } from "../check/rules.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import type { World } from "../world.ts";
import type { SkillColumns } from "./columns.ts";
import type { HeaderFound } from "./read-header.ts";
import type { SkillProblem } from "./skill.ts";

/** A directory that skills are looked for in. */
export interface Start {
  /** Canonical and inside the boundary. */
  readonly directory: string;
  /** Its index among all starts. */
  readonly index: number;
}

/** What the walks through one scope's skill directories share. */
export interface Walk extends WalkFindings {
  readonly world: World;
  /** Canonical; nothing outside is read. */
  readonly boundary: string;
  /** What messages call the boundary. */
  readonly boundaryName: string;
  /** Directories of these names are not entered. */
  readonly ignored: ReadonlySet<string>;
}

/** What walks add to. */
export interface WalkFindings {
  readonly found: FoundFiles;
  readonly skills: SkillColumns;
  readonly unsettled: UnsettledFile[];
  readonly errors: SkillProblem[];
  readonly trail: Trail;
}

/** A file that may not be a skill: it needs YAML or all names of its directory, or it has a problem. */
export interface UnsettledFile {
  /** Canonical: it is one skill, however it was reached. */
  readonly path: string;
  readonly start: Start;
  /** The names of its directory: its own first, then those of links to it. */
  readonly directoryNames: string[];
  readonly header: HeaderFound;
  /** It is below another skill's directory. */
  readonly inSkill: boolean;
}

/** What a walk depended on besides the files it found: while all of it is unchanged, another walk finds the same. */
export interface Trail {
  /** Directories that were listed. */
  readonly entered: string[];
  readonly enteredStamps: number[];
  readonly links: string[];
  readonly targets: string[];
  /** The walk met something whose changes can't be detected. */
  isUnrepeatable: boolean;
}

/**
 * Which files walks have found. The directories of one start are entered once each by their own names, so the index of
 * paths is built only when it is needed, and then updated each time.
 */
export interface FoundFiles {
  /** Whether a file may be reached again, from another start or by a link. Until then the index is not needed. */
  mayRepeat: boolean;
  /** Whether a file was found before. If so, its directory gets these names as well. */
  addNames(path: string, names: readonly string[]): boolean;
}

/** @param pathAt of `skills` */
export function foundFiles(
  { words }: SkillColumns,
  unsettled: readonly UnsettledFile[],
  pathAt: (index: number) => string,
): FoundFiles {
  const namesByPath = new Map<string, string[]>();
  let skillsSeen = 0;
  let unsettledSeen = 0;
  return {
    mayRepeat: false,
    addNames(path, names) {
      // A skill that is accepted needs no further names.
      for (; 2 * skillsSeen < words.length; skillsSeen++) namesByPath.set(pathAt(skillsSeen), []);
      for (; unsettledSeen < unsettled.length; unsettledSeen++) {
        const { path: known, directoryNames } = unsettled[unsettledSeen] as UnsettledFile;
        namesByPath.set(known, directoryNames);
      }
      const known = namesByPath.get(path);
      known?.push(...names);
      return known !== undefined;
    },
  };
}

export function refuse(walk: Walk, path: string, message: string, rule: RuleId = "skill-unreadable"): void {
  walk.errors.push({ path, message, rule, severity: rule === "skill-limit" ? "warning" : "error" });
}

const NAME_LOST = "its name is not UTF-8; rename it";

/** Bytes that are not UTF-8 are listed as U+FFFD, and no file has that name. */
function isNameLost(path: string): boolean {
  return path.includes("\uFFFD");
}

export function refuseUnlisted(walk: Walk, path: string, errno: string): void {
  const remedy = errno === "ENOENT" && isNameLost(path) ? NAME_LOST : "check its permissions";
  refuse(walk, path, `it can't be listed (${errno}); ${remedy}`);
}

export function refuseDangling(walk: Walk, path: string): void {
  refuse(walk, path, isNameLost(path) ? NAME_LOST : "it is a link that leads nowhere; correct or remove it");
}

export function refuseOutside(walk: Walk, path: string): void {
  refuse(walk, path, `it is a link that leads outside ${walk.boundaryName}; put a copy in its place`);
}

export function refuseUnseen(walk: Walk, path: string, errno: string): void {
  refuse(walk, path, `it can't be accessed (${errno}); check its permissions, or correct the link`);
}

/** Where a symbolic link leads; `path` has every link resolved. */
export type LinkTarget =
  | { readonly kind: "file" | "directory" | "other"; readonly path: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "unseen"; readonly errno: string };

export function follow({ trail }: Walk, path: string): LinkTarget {
  const target = linkTarget(path);
  trail.links.push(path);
  trail.targets.push(describeTarget(target));
  if (target.kind === "unseen") trail.isUnrepeatable = true;
  return target;
}

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

/** A target as text, for comparison. */
export function describeTarget(target: LinkTarget): string {
  return "path" in target ? `${target.kind} ${target.path}` : target.kind;
}
