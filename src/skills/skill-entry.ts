import type { SkillMetadata } from "./schema.ts";
import { escapeText } from "../lib/escape.ts";

export type ShownSkill = Pick<SkillMetadata, "name" | "description" | "path" | "scope">;

/** One skill as every listing shows it; `attributes` go into its tag. */
export function renderSkillEntry({ name, description, path, scope }: ShownSkill, attributes = ""): string {
  return `  <skill${attributes}>
    <name>${escapeText(name)}</name>
    <description>${escapeText(description)}</description>
    <path>${escapeText(path)}</path>
    <scope>${scope}</scope>
  </skill>
`;
}
