import type { SkillColumns } from "./columns.ts";
import type { UnsettledFile } from "./walk-findings.ts";

/**
 * Which files walks have found. By their own names the directories of one start are entered once each, so what was
 * found is put in order by path only when somebody asks, and caught up with each time.
 */
export interface FoundFiles {
  /** Whether a file may be reached a second time, from another start or by a link; until then nobody needs to ask. */
  mayRepeat: boolean;
  /**
   * Whether a file was found before. If so, its directory has these names as well. All columns of what was found are
   * whole by then.
   */
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
      // What is settled is what it is by whatever other name.
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
