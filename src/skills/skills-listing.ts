import type { SkillLoadError } from "./schema.ts";
import { escapeAttribute, escapeText } from "../lib/escape.ts";
import { framed } from "../instructions/framed.ts";
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
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  return framed("skills_list", entries + problems, ` count="${skills.length}" truncated="${truncated}"`);
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
  const attributes = ` query="${escapeAttribute(query)}" count="${results.length}" truncated="${truncated}"`;
  return framed("skills_search", entries.join(""), attributes);
}

function renderProblems(element: "error" | "warning", problems: readonly SkillLoadError[]): string {
  if (problems.length === 0) return "";
  const entries = problems.map(
    ({ path, message }) => `    <${element} path="${escapeAttribute(path)}">${escapeText(message)}</${element}>\n`,
  );
  return `  <${element}s>\n${entries.join("")}  </${element}s>\n`;
}
