import { basename, dirname } from "node:path";
import type { SkillFacts } from "./check-skill.ts";
import { extractReferences } from "./references.ts";
import { skillParts } from "./skill-parts.ts";
import { judgeReferences } from "./judge-references.ts";
import { readSkill } from "../skills/read-skill.ts";
import { findStrayLinks } from "./stray-links.ts";
import { SKILL_FILE } from "../skills/columns.ts";

export type SkillFactsRead =
  | { readonly kind: "read"; readonly facts: Omit<SkillFacts, "description" | "frameTags"> }
  | { readonly kind: "unusable"; readonly reason: string };

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads what a check of a skill needs: its text as loading prints it, its links, what its references lead to.
 *
 * @input  path: of its SKILL.md, canonical; ignored: names of directories that are not looked into; root: of the project
 *         that the skill is in, if any
 * @effect reads; nothing outside the skill's directory is opened
 * @error  none
 */
export async function gatherFacts(path: string, ignored: ReadonlySet<string>, root?: string): Promise<SkillFactsRead> {
  const directory = dirname(path);
  const read = await readSkill({ path, dir: directory }, ignored);
  if (read.kind === "unusable") return read;
  const { bytes, sizeBytes, files, moreFiles } = read.text;
  const text = decoder.decode(bytes);
  const { references, isCut } = extractReferences(text, skillParts(text).bodyStart);
  return {
    kind: "read",
    facts: {
      path,
      text,
      textBytes: bytes.length,
      sizeBytes,
      references: judgeReferences(directory, references, root),
      moreReferences: isCut,
      moreFiles,
      nested: files.filter((file) => basename(file) === SKILL_FILE),
      ...findStrayLinks(directory, ignored),
    },
  };
}
