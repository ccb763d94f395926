/**
 * The elements that we print and that have a meaning wherever they are. No text of a clone may open or close one
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
  "skill_context",
  "skill_context_reminder",
  "skill_files",
  "system-reminder",
  "codelia-reminder",
] as const;

export type Frame = (typeof FRAMES)[number];

/** Elements with a meaning only inside one of these: other texts have elements of these names, too. */
export const PARTS = [
  "rule",
  "skill",
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

/** The line above a text of a clone, and the one that says what its relative paths are relative to. */
export const FILE_HEADER = "Instructions from:";

export const SKILL_FOOTER = "Base directory:";

/** An element around whole lines. `attributes` begin with a space, their values escaped. */
export function framed(frame: Frame, lines: string, attributes = ""): string {
  return `<${frame}${attributes}>\n${lines}</${frame}>\n`;
}
