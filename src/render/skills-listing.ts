import type { SkillCatalog, SkillSearchResult } from "../schema/skills.ts";
import { escapeAttribute, escapeText } from "./escape.ts";
import { renderSkillEntry } from "./skill-entry.ts";

/** Every skill, and every one that is broken. */
export function renderSkillsList({ skills, errors, truncated }: SkillCatalog): string {
  return `<skills_list count="${skills.length}" truncated="${truncated}">
${skills.map((skill) => renderSkillEntry(skill)).join("")}${renderErrors(errors)}</skills_list>
`;
}

export interface ShownSearch {
  readonly query: string;
  readonly results: readonly SkillSearchResult[];
  readonly truncated: boolean;
}

export function renderSkillsSearch({ query, results, truncated }: ShownSearch): string {
  const entries = results.map(({ skill, score, reason }) =>
    renderSkillEntry(skill, ` score="${score}" reason="${reason}"`),
  );
  return `<skills_search query="${escapeAttribute(query)}" count="${results.length}" truncated="${truncated}">
${entries.join("")}</skills_search>
`;
}

function renderErrors(errors: SkillCatalog["errors"]): string {
  if (errors.length === 0) return "";
  const entries = errors.map(
    ({ path, message }) => `    <error path="${escapeAttribute(path)}">${escapeText(message)}</error>\n`,
  );
  return `  <errors>\n${entries.join("")}  </errors>\n`;
}
