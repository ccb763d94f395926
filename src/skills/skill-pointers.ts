import { escapeText } from "../lib/escape.ts";
import { framed } from "../instructions/framed.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
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
    const words = paths.map((path) => escapeText(quoteForShell(path)));
    return words.length === 1
      ? `- ${escapeText(name)}: codelia skills load ${words.join("")}\n`
      : `- ${escapeText(name)} is the name of ${words.length} skills; ask which, then load one of them: ${words.join(", ")}\n`;
  });
  const request = "The user names skills. Load each before you begin, unless you have its text:\n";
  return framed("skills_named", request + lines.join(""));
}

/** Skills that may help with a prompt; "" where there are none. */
export function renderSkillSuggestions(skills: readonly ShownSkill[]): string {
  if (skills.length === 0) return "";
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  const offer =
    "These skills may fit. Load one with codelia skills load &lt;path&gt;, only if the task calls for it:\n";
  return framed("skills_suggested", offer + entries);
}
