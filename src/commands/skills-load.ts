import { resolve } from "node:path";
import { COMMON_ARGS, usage } from "../cli/args.ts";
import type { Command, Outcome, Problem } from "../command.ts";
import { discoverSkills } from "../skills/discover.ts";
import { readSkill } from "../skills/read-skill.ts";
import { skillProblem, printSkill, unusableSkill, permitSkill } from "../skills/load.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { selectSkill } from "../skills/select.ts";
import { withId } from "../skills/skill.ts";
import { inWorkspace } from "../workspace.ts";

const CONFIG_LOST: Problem = {
  code: "config_unusable",
  message: "no skill is loaded while your own config can't be used, because it may forbid this skill; repair it first",
};

/**
 * @input  skill: a name, `$name`, or the path of a SKILL.md or its directory
 * @effect the ledger: the skill is loaded; the user's config, if the user wants an answer remembered
 * @error  usage without exactly one skill; not_found, ambiguous, skill_unusable, denied; config_unusable
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
    if (!typed) return usage("skills load needs a skill: a name or a path");
    const options = {
      json: invocation.flags["json"] === true,
      quiet: invocation.flags["quiet"] === true,
      again: invocation.flags["again"] === true,
    };
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      if (workspace.userConfigLost) return CONFIG_LOST;
      if (!workspace.settings.skills.enabled) {
        if (options.json) world.write("{}\n");
        return "ok";
      }
      const { book, errors } = await discoverSkills(world, workspace);
      const selection = selectSkill(
        { skills: book.all(), errors },
        { text: typed, path: realPathOf(resolve(workspace.cwd, typed)), typedPath: resolve(workspace.cwd, typed) },
      );
      if (selection.kind !== "found") return skillProblem(typed, selection);
      const { skill } = selection;
      const refusal = await permitSkill(world, workspace, skill, options);
      if (refusal !== undefined) return refusal;
      const read = readSkill(skill, ignoredNames(workspace));
      if (read.kind === "unusable") return unusableSkill(skill.path, read.reason);
      await printSkill(world, workspace, { ...withId(skill), ...read.text }, options);
      return "ok";
    });
  },
};
