import { basename, dirname, sep } from "node:path";
import { isInside } from "../lib/paths.ts";
import { isPlain } from "./read-header.ts";
import { addFile, SKILL_FILE, SKILL_FILE_IN } from "./columns.ts";
import { headerAt, type HeaderAt, type HeaderRead } from "./header-at.ts";
import { follow, refuse, refuseDangling, refuseOutside, refuseUnseen, type Start, type Walk } from "./walk-findings.ts";

/** A directory that was listed. */
export interface Place {
  /** Canonical. */
  readonly path: string;
  /** 0 for a start. */
  readonly depth: number;
  readonly start: Start;
}

/**
 * Whether a directory has a SKILL.md, be it of any use or none.
 *
 * @param names what it is called: its own name first
 */
export function takeSkillFile(walk: Walk, directory: string, names: string[], start: Start): boolean {
  const path = directory + SKILL_FILE_IN;
  if (walk.found.addNames(path, names)) return true;
  const header = headerAt(path);
  if (header.kind === "absent") return false;
  take(walk, path, names, start, header);
  return true;
}

/**
 * The same for a directory in another one, by its own name. Of the usual file, one of thousands, no path is made.
 *
 * @param prefix what leads from the working directory into `place`
 */
export function takeFileOfEntry(walk: Walk, place: Place, name: string, prefix: string): boolean {
  const { path, depth, start } = place;
  if (walk.found.mayRepeat && isFoundAgain(walk, place, name)) return true;
  const header = headerAt(prefix + name + SKILL_FILE_IN);
  if (header.kind === "absent") return false;
  if (depth === 0 && header.kind === "facts" && header.facts.name === name && isPlain(header.facts)) {
    walk.skills.words.push(name, header.facts.description);
    addFile(walk.skills, "", header.stats, start.index);
    return true;
  }
  // Several names that are no UTF-8 look alike; no usual one is among them.
  if (!name.includes("\uFFFD") || !isFoundAgain(walk, place, name)) {
    take(walk, path + sep + name + SKILL_FILE_IN, [name], start, header);
  }
  return true;
}

function isFoundAgain({ found }: Walk, { path }: Place, name: string): boolean {
  return found.addNames(path + sep + name + SKILL_FILE_IN, [name]);
}

function take(
  walk: Walk,
  path: string,
  names: string[],
  start: Start,
  header: Exclude<HeaderAt, { kind: "absent" }>,
): void {
  if (header.kind === "unusable") walk.trail.isUnrepeatable = true;
  if (header.kind === "special") takeSpecialFile(walk, path, names, start);
  else addFound(walk, path, names, start, header);
}

function takeSpecialFile(walk: Walk, path: string, names: readonly string[], start: Start): void {
  const target = follow(walk, path);
  if (target.kind === "nothing") return refuseDangling(walk, path);
  if (target.kind === "unseen") return refuseUnseen(walk, path, target.errno);
  if (!isInside(walk.boundary, target.path)) return refuseOutside(walk, path);
  if (target.kind !== "file" || target.path === path) {
    return refuse(walk, path, "it is not a regular file; put one in its place");
  }
  if (basename(target.path) !== SKILL_FILE) {
    const message = `it is a link to '${target.path}'; it must lead to a file of the same name`;
    return refuse(walk, path, message);
  }
  // The skill is where its file really is: that directory holds what it refers to.
  const allNames = [basename(dirname(target.path)), ...names];
  walk.found.mayRepeat = true;
  if (walk.found.addNames(target.path, allNames)) return;
  const header = headerAt(target.path);
  if (header.kind === "absent" || header.kind === "special") {
    walk.trail.isUnrepeatable = true;
    return refuse(walk, path, "it was replaced while it was read; try again");
  }
  addFound(walk, target.path, allNames, start, header);
}

function addFound(walk: Walk, path: string, names: string[], start: Start, header: HeaderRead): void {
  if (header.kind === "facts" && isPlain(header.facts) && names.includes(header.facts.name)) {
    const { name, description } = header.facts;
    walk.skills.words.push(name, description);
    addFile(walk.skills, dirname(path), header.stats, start.index);
  } else walk.unsettled.push({ path, start, directoryNames: names, header });
}
