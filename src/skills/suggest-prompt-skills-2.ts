import { framed } from "../instructions/framed.ts";
import type { ShownSkill } from "./skill-entry.ts";
import { renderSkillPointers, renderSkillSuggestions, type SkillPointer } from "./skill-pointers.ts";

/** The skills that a prompt names, and those that may help with it, the best first. */
export interface PromptSkills {
  readonly named: readonly SkillPointer[];
  readonly suggested: readonly ShownSkill[];
}

export const NO_SKILLS: PromptSkills = { named: [], suggested: [] };

/** The skills named, then ever fewer of them with how many more there are, at last nothing. */
export function fewerNamed({ named }: PromptSkills): string[] {
  const texts = named.map((_, dropped) => {
    const shown = named.slice(0, named.length - dropped);
    return renderSkillPointers(shown) + renderRest(dropped);
  });
  return named.length === 0 ? [""] : [...texts, renderRest(named.length), ""];
}

/** As many of the skills suggested as fit, if any. */
export function fittingSuggestions({ suggested }: PromptSkills, fits: (text: string) => boolean): string {
  for (let shown = suggested.length; shown > 0; shown--) {
    const text = renderSkillSuggestions(suggested.slice(0, shown));
    if (fits(text)) return text;
  }
  return "";
}

function renderRest(count: number): string {
  if (count === 0) return "";
  const skills = count === 1 ? "skill" : "skills";
  const sentence = `${count} more ${skills} that the user names did not fit here`;
  return framed("skills_named", `${sentence}: codelia skills search &lt;name&gt; finds each.\n`);
}
