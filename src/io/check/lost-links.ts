import { resolve } from "node:path";
import { pathAlone } from "../../core/check/lost-link.ts";
import type { InstructionText } from "../../core/check/instruction-text.ts";
import { isInside } from "../../core/paths.ts";
import { disk } from "../disk.ts";

export interface LostLink {
  readonly path: string;
  /** What its text says. */
  readonly target: string;
  /** Whether a link to that would lead to a file inside the root. */
  readonly leadsToFile: boolean;
}

/**
 * Whether a file is what is left of a link.
 *
 * @input  root: canonical
 * @effect looks at what the text names
 * @error  none
 */
export function lostLink(text: InstructionText, root: string): LostLink | undefined {
  const target = pathAlone(text);
  if (target === undefined) return undefined;
  const path = resolve(text.directory, target);
  return path === text.path ? undefined : { path: text.path, target, leadsToFile: isFileInside(path, root) };
}

function isFileInside(path: string, root: string): boolean {
  try {
    return disk.lookThrough(path)?.isFile() === true && isInside(root, disk.realPath(path));
  } catch {
    return false;
  }
}
