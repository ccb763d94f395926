import { paragraph, table, type Cell, type Display } from "../cli/display.ts";
import { visible } from "../lib/escape.ts";
import { counted } from "../lib/words.ts";
import { inOneLine, type ShownList, type ShownSearch, type ShownSkill } from "./render.ts";
import type { SkillLoadError } from "./schema.ts";

const LINES_OF_A_DESCRIPTION = 2;

/** What people see of `skills list`. */
export function skillsTable(display: Display, { skills, errors, warnings, truncated }: ShownList): string {
  const rest = truncated ? "; a limit ended the search, so there may be more" : "";
  return [
    paragraph(display, `${counted(skills.length, "skill")}${rest}`),
    rowsOf(display, skills),
    problems(display, `can't be used`, errors),
    problems(display, `can be used, but`, warnings),
  ].join("");
}

/** What people see of `skills search`. */
export function foundTable(display: Display, { query, results, truncated }: ShownSearch): string {
  if (results.length === 0) {
    return paragraph(display, `no skill matches '${visible(query)}'; 'codelia skills list' shows all`);
  }
  const rest = truncated ? paragraph(display, "there are more; --limit N shows N") : "";
  const skills = results.map(({ skill }) => skill);
  return rowsOf(display, skills) + rest;
}

function rowsOf(display: Display, skills: readonly ShownSkill[]): string {
  const rows = skills.map(({ name, description, scope }): Cell[] => [
    { text: visible(name), mark: display.bold },
    { text: scope, mark: display.dim },
    { text: visible(inOneLine(description)) },
  ]);
  return table(display, rows, LINES_OF_A_DESCRIPTION);
}

function problems(display: Display, heading: string, found: readonly SkillLoadError[]): string {
  if (found.length === 0) return "";
  const lines = found.map(({ path, message }) => paragraph(display, `${visible(path)}: ${visible(message)}`));
  return `${display.bad(`${found.length} ${heading}:`)}\n${lines.join("")}`;
}
