/**
 * The elements that we print and that have a meaning wherever they occur. No text from a clone may open or close one
 * (`body.ts`). A test compares this list with the reference.
 */
export const FRAMES = [
  "agents_context",
  "agents_usage",
  "agents_left_out",
  "skills_context",
  "skills_usage",
  "skills_catalog",
  "skills_loaded",
  "skills_list",
  "skills_search",
  "skills_named",
  "skills_suggested",
  "skills_nearby",
  "skill_context",
  "skill_context_reminder",
  "skill_candidates",
  "skill_files",
  "system-reminder",
  "codelia-reminder",
] as const;

export type Frame = (typeof FRAMES)[number];

/** Elements that mean something only inside one of these; other texts may use the same names. */
export const PARTS = [
  "rule",
  "skill",
  "skill_list",
  "skill_names",
  "name",
  "description",
  "path",
  "scope",
  "file",
  "errors",
  "error",
  "warnings",
  "warning",
] as const;

/** The line above a text from a clone, and the one that says what its relative paths are relative to. */
export const FILE_HEADER = "Instructions from:";

export const SKILL_FOOTER = "Base directory:";

/** An element around whole lines. `attributes` begins with a space, and its values are escaped. */
export function framed(frame: Frame, lines: string, attributes = ""): string {
  return `<${frame}${attributes}>\n${lines}</${frame}>\n`;
}
