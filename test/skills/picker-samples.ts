import type { ShownPicker } from "../../src/skills/picker-view.ts";
import type { ShownSkill } from "../../src/skills/render.ts";

interface Shown {
  readonly query?: ShownPicker["query"];
  readonly selected?: number;
  readonly message?: string;
  readonly project?: readonly string[];
  readonly user?: readonly string[];
  /** How many there are in all. */
  readonly skills?: number;
}

/** What is shown of a picker that found these skills. */
export function shown(matches: readonly ShownSkill[], details: Shown = {}): ShownPicker {
  const { query = { text: "", cursor: 0 }, selected = 0, message = "", project = [], user = [] } = details;
  return {
    skills: Array.from({ length: details.skills ?? matches.length }),
    matches,
    off: { project: new Set(project), user: new Set(user) },
    query,
    selected,
    top: 0,
    pageSize: 10,
    message,
  };
}

/** A skill all of whose texts hold these characters. */
export function skillWith(characters: string): ShownSkill {
  return { name: `n${characters}`, description: `d${characters}`, path: `/p${characters}`, scope: "repo" };
}
