import { basename, dirname, sep } from "node:path";
import { isInside } from "../../core/paths.ts";
import { isPlainly } from "../../core/skills/accept-skill.ts";
import { addFile, SKILL_FILE } from "./columns.ts";
import { headerAt, type HeaderRead } from "./header-at.ts";
import { follow, refuse, refuseDangling, refuseOutside, refuseUnseen, type Start, type Walk } from "./walk-findings.ts";

/**
 * Whether a directory has a SKILL.md, be it of any use or none.
 *
 * @param names what it is called: its own name first
 */
export function takeSkillFile(walk: Walk, directory: string, names: string[], start: Start): boolean {
  const path = directory + sep + SKILL_FILE;
  if (addNames(walk, path, names)) return true;
  const header = headerAt(path);
  if (header.kind === "absent") return false;
  if (header.kind === "unusable") walk.trail.isUnrepeatable = true;
  if (header.kind === "special") takeSpecialFile(walk, path, names, start);
  else addFound(walk, path, names, start, header);
  return true;
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
  if (addNames(walk, target.path, allNames)) return;
  const header = headerAt(target.path);
  if (header.kind === "absent" || header.kind === "special") {
    walk.trail.isUnrepeatable = true;
    return refuse(walk, path, "it was replaced while it was read; try again");
  }
  addFound(walk, target.path, allNames, start, header);
}

/** A skill that was reached before is one skill still, of whichever name. */
function addNames(walk: Walk, path: string, names: readonly string[]): boolean {
  const known = walk.found.get(path);
  known?.push(...names);
  return known !== undefined;
}

function addFound(walk: Walk, path: string, names: string[], start: Start, header: HeaderRead): void {
  walk.found.set(path, names);
  if (header.kind === "facts" && isPlainly(header.facts, names)) {
    const { name, description } = header.facts;
    walk.skills.words.push(name, description);
    addFile(walk.skills, isUsual(path, name, names, start) ? "" : dirname(path), header.stats, start.index);
  } else walk.unsettled.push({ path, start, directoryNames: names, header });
}

/** Whether it stands in its start, in a directory that is called as it is. */
function isUsual(path: string, name: string, [own]: readonly string[], { directory }: Start): boolean {
  const length = directory.length + sep.length + name.length + sep.length + SKILL_FILE.length;
  return name === own && path.length === length && path.startsWith(directory);
}
