import { escapeText } from "./escape.ts";
import { renderSkillEntry, type ShownSkill } from "./skill-entry.ts";

/** A skill that was named, and where those of the name are. */
export interface SkillPointer {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Where the skills are that a prompt names; "" where it names none. */
export function renderSkillPointers(pointers: readonly SkillPointer[]): string {
  if (pointers.length === 0) return "";
  const lines = pointers.map(({ name, paths }) => {
    const [path = "", ...others] = paths;
    const where = `codelia skills load ${escapeText(path)}`;
    return others.length === 0
      ? `- ${escapeText(name)}: ${where}\n`
      : `- ${escapeText(name)} is the name of ${paths.length} skills; ask which, then load one of them: ${paths.map(escapeText).join(", ")}\n`;
  });
  return `<skills_named>\nThe user names skills. Load each before you begin, unless you have its text:\n${lines.join("")}</skills_named>\n`;
}

/** Skills that may help with a prompt; "" where there are none. */
export function renderSkillSuggestions(skills: readonly ShownSkill[]): string {
  if (skills.length === 0) return "";
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  return `<skills_suggested>\nThese skills may fit. Load one with codelia skills load &lt;path&gt;, only if the task calls for it:\n${entries}</skills_suggested>\n`;
}
