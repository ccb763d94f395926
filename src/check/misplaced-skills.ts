import { basename, join, relative } from "node:path";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import { entriesOf } from "../lib/path-facts.ts";
import { withSlashes } from "../lib/paths.ts";
import { textWithin } from "../lib/read-file.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { Finding } from "./findings.ts";
import { MAX_TEXT_BYTES, type InstructionText } from "./instruction-files.ts";
import { finding } from "./rules.ts";

const ENDING = ".md";
/** What a skill's header has. */
const FIELDS = [/^name:[ \t]*\S/m, /^description:[ \t]*\S/m];

/**
 * The rule `skill-misplaced`: a file that is written as a skill and is not where clients look for one.
 *
 * @param root canonical
 * @param places directories of skills
 * @param texts where such a file may be named by its path, for people and models to read it as it is
 */
export function misplacedSkills(root: string, places: readonly string[], texts: readonly InstructionText[]): Finding[] {
  const nameOf = (path: string) => withSlashes(relative(root, path));
  const isNamed = (path: string) => texts.some(({ text }) => text.includes(nameOf(path)));
  return places.flatMap((place) =>
    entriesOf(place).flatMap((entry) => {
      const path = join(place, entry.name);
      const found = entry.isDirectory() ? onlySkillIn(path) : entry.isFile() && isWritten(path) ? path : undefined;
      if (found === undefined || isNamed(found)) return [];
      const wanted = join(entry.isDirectory() ? path : path.slice(0, -ENDING.length), SKILL_FILE);
      return [finding("skill-misplaced", { path: found, message: `it is no skill unless it is '${wanted}'; move it` })];
    }),
  );

  function isWritten(path: string): boolean {
    if (!path.endsWith(ENDING) || basename(path).toLowerCase() === SKILL_FILE.toLowerCase()) return false;
    const text = textWithin(root, path, MAX_TEXT_BYTES) ?? "";
    const { headerStart, headerEnd } = frontMatterOf(text);
    const header = text.slice(headerStart, headerEnd);
    return FIELDS.every((field) => field.test(header));
  }

  /** In a directory without a SKILL.md, in any letter case, and without others in it. */
  function onlySkillIn(directory: string): string | undefined {
    const entries = entriesOf(directory);
    if (entries.some((entry) => !entry.isFile() || entry.name.toLowerCase() === SKILL_FILE.toLowerCase())) return;
    const written = entries.map(({ name }) => join(directory, name)).filter(isWritten);
    return written.length === 1 ? written[0] : undefined;
  }
}
