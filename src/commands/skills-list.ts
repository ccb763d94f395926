import type { Command, Outcome } from "../command.ts";
import { discoverSkills } from "../io/skills/discover.ts";
import { renderSkillsList } from "../render/skills-listing.ts";
import type { SkillCatalog } from "../schema/skills.ts";
import { COMMON_ARGS, inWorkspace } from "./common.ts";

const NOTHING: SkillCatalog = { skills: [], errors: [], truncated: false };

/**
 * @output every skill of the working directory and of the user, and why each broken one is none
 * @effect none
 * @error  usage with an operand
 */
export const command: Command = {
  meta: { name: "list", description: "List every skill that there is here, and every one that is broken." },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const json = invocation.flags["json"] === true;
      const { enabled } = workspace.settings.skills;
      const catalog = enabled ? await discoverSkills(world, workspace) : NOTHING;
      const { skills, errors } = catalog;
      if (json) world.write(`${JSON.stringify({ skills, errors })}\n`);
      else if (enabled) world.write(renderSkillsList(catalog));
      return "ok";
    });
  },
};
