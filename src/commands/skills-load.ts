import { COMMON_ARGS, usage } from "../cli/args.ts";
import type { Command, Outcome, Problem } from "../command.ts";
import { readSkill } from "../skills/read-skill.ts";
import { findSkill, skillProblem, printSkill, unusableSkill, permitSkill } from "../skills/load.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { visible } from "../lib/escape.ts";
import { nameInShell } from "../lib/programs.ts";
import { renderCandidates } from "../skills/render.ts";
import { withId } from "../skills/skill.ts";
import { inWorkspace } from "../workspace.ts";

/**
 * @input  skill: a name, `$name`, a ref, or the path or URL of a SKILL.md or its directory
 * @effect the ledger: the skill is loaded; the user's config, if the user wants the answer saved
 * @error  usage without exactly one skill; not_found, ambiguous, skill_unusable, denied; config_unusable
 */
export const command: Command = {
  meta: {
    name: "load",
    description: "Print a skill's text, base directory and files, once per context, if the permission rules allow.",
  },
  args: {
    skill: {
      type: "positional",
      description: "a name, $name, a ref, or the path or file:// URL of a SKILL.md or its directory",
    },
    again: { type: "boolean", description: "print the text even if this context already has it" },
    ...COMMON_ARGS,
  },
  maxOperands: 1,
  run(world, invocation) {
    const [typed] = invocation.operands;
    if (!typed) return usage("'codelia skills load' needs a skill: a name or a path");
    const options = {
      json: invocation.flags["json"] === true,
      quiet: invocation.flags["quiet"] === true,
      again: invocation.flags["again"] === true,
    };
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const { lostConfig } = workspace;
      if (lostConfig?.isUsers === true) return lost(lostConfig.path);
      if (!workspace.settings.skills.enabled) {
        world.warn("skills are off: 'skills.enabled' is false");
        if (options.json) world.write("{}\n");
        return "ok";
      }
      const selection = await findSkill(world, workspace, typed);
      if (selection.kind === "ambiguous" && !options.json)
        world.write(renderCandidates(typed, selection.candidates, nameInShell(world, "codelia")));
      if (selection.kind !== "found") return skillProblem(typed, selection);
      const { skill } = selection;
      const refusal = await permitSkill(world, workspace, skill, options);
      if (refusal !== undefined) return refusal;
      // The project's file may forbid what the user's allows.
      if (lostConfig !== undefined) return lost(lostConfig.path);
      const read = readSkill(skill, ignoredNames(workspace));
      if (read.kind === "unusable") return unusableSkill(skill.path, read.reason);
      await printSkill(world, workspace, { ...withId(skill), ...read.text }, options);
      return "ok";
    });
  },
};

function lost(config: string): Problem {
  const message = `no skill is loaded while config '${visible(config)}' can't be used, because it may forbid this skill; repair it first`;
  return { code: "config_unusable", message, details: { config } };
}
