import { chooseFormat, FINDINGS_ARGS } from "../check/flags.ts";
import { printFindings } from "../check/print.ts";
import { SKILL_RULES } from "../check/rules.ts";
import { checkSkills, type SkillsCheck } from "../check/skills.ts";
import { OUTPUT_ARGS, PLACE_ARGS, notFound, usage } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { inWorkspace } from "../workspace.ts";

const NOTHING: SkillsCheck = { kind: "checked", findings: [], checked: 0 };

/**
 * @input  path: directories that contain skills, or files of skills; all skills of the working directory and the user
 *          if empty
 * @error  usage for a path without a skill, and for two formats at once
 */
export const command: Command = {
  meta: { name: "check", description: "Find problems in skills: their headers, texts and files." },
  args: {
    path: { type: "positional", required: false, valueHint: "…", description: "only skills in these paths" },
    ...FINDINGS_ARGS,
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: Number.POSITIVE_INFINITY,
  run(world, invocation) {
    const format = chooseFormat(world, invocation);
    if (format === undefined) return usage("'--json' and '--format' contradict each other");
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const { enabled } = workspace.settings.skills;
      const check = enabled ? await checkSkills(world, workspace, invocation.operands) : NOTHING;
      if (check.kind === "checked") {
        return printFindings(world, workspace, invocation, format, { ...check, subject: "skill", rules: SKILL_RULES });
      }
      const places = workspace.settings.skills.directories.map((place) => `'${visible(place)}'`).join(", ");
      const where = `skills are looked for in ${places}, and 'skills.directories' names other places`;
      return notFound(`no skill at or below '${visible(check.word)}'; ${where}`);
    });
  },
};
