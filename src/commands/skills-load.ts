import { resolve } from "node:path";
import { COMMON_ARGS } from "../cli/args.ts";
import type { Command, Outcome, Problem } from "../command.ts";
import { discoverSkills } from "../skills/discover.ts";
import { readSkill, skillProblem, tellSkill, unusableSkill } from "../skills/load.ts";
import { permitSkill } from "../skills/permissions.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { findNamedPath, selectSkill } from "../skills/select.ts";
import { withId } from "../skills/skill.ts";
import { inWorkspace } from "../workspace.ts";

const CONFIG_LOST: Problem = {
  code: "config_unusable",
  message: "no skill is loaded while your own config can't be used, because it may forbid this one; repair it first",
};

/**
 * @input  skill: a name, `$name`, the path of a SKILL.md or of its directory
 * @output the skill's text, its base directory and its files; a reminder when this context has them already, or when
 *         a rule keeps them back
 * @effect the ledger: the skill is loaded; the user's config, when the user wants an answer remembered
 * @error  usage without one skill; not_found, ambiguous, skill_unusable, denied; config_unusable
 */
export const command: Command = {
  meta: {
    name: "load",
    description: "Print a skill's text, base directory and files, once per context, if the permission rules allow.",
  },
  args: {
    skill: { type: "positional", description: "a name, $name, or the path of a SKILL.md or its directory" },
    again: { type: "boolean", description: "print the text even if this context already has it" },
    ...COMMON_ARGS,
  },
  maxOperands: 1,
  run(world, invocation) {
    const [typed] = invocation.operands;
    if (!typed) return { code: "usage", message: "skills load needs one skill: a name or a path" };
    const json = invocation.flags["json"] === true;
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      if (workspace.userConfigLost) return CONFIG_LOST;
      if (!workspace.settings.skills.enabled) {
        if (json) world.write("{}\n");
        return "ok";
      }
      const { book, errors } = await discoverSkills(world, workspace);
      const selection = selectSkill(
        { skills: book.all(), errors },
        { text: typed, path: findNamedPath(workspace.cwd, typed), typedPath: resolve(workspace.cwd, typed) },
      );
      if (selection.kind !== "found") return skillProblem(typed, selection);
      const { skill } = selection;
      const refusal = await permitSkill(world, workspace, skill, { json, quiet: invocation.flags["quiet"] === true });
      if (refusal !== undefined) return refusal;
      const read = await readSkill(skill, ignoredNames(workspace));
      if (read.kind === "unusable") return unusableSkill(skill.path, read.reason);
      const loaded = { ...withId(skill), ...read.text };
      await tellSkill(world, workspace, loaded, { json, again: invocation.flags["again"] === true });
      return "ok";
    });
  },
};
