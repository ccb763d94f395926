import type { SkillLoadError } from "../schema/skills.ts";
import { escapeAttribute, escapeText } from "./escape.ts";
import { renderSkillEntry, type ShownSkill } from "./skill-entry.ts";

export interface ShownList {
  readonly skills: readonly ShownSkill[];
  readonly errors: readonly SkillLoadError[];
  readonly warnings: readonly SkillLoadError[];
  readonly truncated: boolean;
}

/** Every skill, every one that is broken, and what is wrong with those that are listed all the same. */
export function renderSkillsList({ skills, errors, warnings, truncated }: ShownList): string {
  const problems = renderProblems("error", errors) + renderProblems("warning", warnings);
  return `<skills_list count="${skills.length}" truncated="${truncated}">
${skills.map((skill) => renderSkillEntry(skill)).join("")}${problems}</skills_list>
`;
}

export interface ShownSearch {
  readonly query: string;
  readonly results: readonly { readonly skill: ShownSkill; readonly score: number; readonly reason: string }[];
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

function renderProblems(element: "error" | "warning", problems: readonly SkillLoadError[]): string {
  if (problems.length === 0) return "";
  const entries = problems.map(
    ({ path, message }) => `    <${element} path="${escapeAttribute(path)}">${escapeText(message)}</${element}>\n`,
  );
  return `  <${element}s>\n${entries.join("")}  </${element}s>\n`;
}
