import type { Problem } from "../command.ts";
import type { Selection } from "./select-skill.ts";
import { asLoadError } from "./skill.ts";
import { visible } from "../lib/escape.ts";

/** A sentence for a person; the details name all candidates. */
const MAX_SHOWN = 10;

/** Why what was asked for is not one skill. */
export function skillProblem(typed: string, selection: Exclude<Selection, { kind: "found" }>): Problem {
  switch (selection.kind) {
    case "ambiguous": {
      const candidates = selection.candidates.map(({ path }) => path);
      const shown = candidates.slice(0, MAX_SHOWN).map((path) => `'${visible(path)}'`);
      const more = candidates.length > MAX_SHOWN ? ` and ${candidates.length - MAX_SHOWN} more` : "";
      const message = `skill '${visible(typed)}' is ambiguous: ${candidates.length} skills have that name; load one by its path: ${shown.join(", ")}${more}`;
      return { code: "ambiguous", message, details: { candidates } };
    }
    case "unusable":
      return unusableSkill(selection.error.path, asLoadError(selection.error).message);
    case "part": {
      const { name, path } = selection.skill;
      const message = `no skill '${visible(typed)}': it is part of skill '${visible(name)}'; load that one: '${visible(path)}'`;
      return { code: "not_found", message, details: { nearest: name } };
    }
    case "not-found": {
      const hint = selection.nearest === undefined ? "" : `, did you mean '${visible(selection.nearest)}'?`;
      const message = `no skill '${visible(typed)}'${hint || "; 'codelia skills list' names them all"}`;
      return { code: "not_found", message, details: { nearest: selection.nearest ?? null } };
    }
  }
}

export function unusableSkill(path: string, reason: string): Problem {
  const message = `skill '${visible(path)}' can't be loaded: ${visible(reason)}`;
  return { code: "skill_unusable", message, details: { path } };
}
