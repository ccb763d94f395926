import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, wantsJson, XML_ARGS } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { extendSkills } from "../skills/catalogue.ts";
import { bookOf } from "../skills/columns.ts";
import { withoutDisabled } from "../skills/permissions.ts";
import { discoverSkills, type Discovery } from "../skills/discover.ts";
import { renderSkillsList } from "../skills/render.ts";
import { asLoadError, bySignificance, withId } from "../skills/skill.ts";
import { inWorkspace, isForPeople } from "../workspace.ts";

const NOTHING: Discovery = { book: bookOf([]), errors: [], warnings: [], truncated: false };

export const command: Command = {
  meta: { name: "list", description: "List all skills, broken ones too." },
  args: {
    reload: { type: "boolean", description: "read every file again instead of using the cache" },
    ...XML_ARGS,
    ...PLACE_ARGS,
    ...CONTEXT_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const { enabled, disabled } = workspace.settings.skills;
      const isJson = wantsJson(invocation.flags);
      const isReread = invocation.flags["reload"] === true;
      const found = enabled ? await discoverSkills(world, workspace, isReread) : NOTHING;
      const errors = found.errors.map(asLoadError);
      const warnings = found.warnings.map(asLoadError);
      const skills = await extendSkills(world, workspace, bySignificance(withoutDisabled(found.book.all(), disabled)));
      if (isJson) {
        for (const { path, message } of warnings) world.warn(`skill '${path}': ${message}`);
        world.write(jsonLine({ skills: skills.map(withId), errors }));
        return "ok";
      }
      const list = { skills, errors, warnings, truncated: found.truncated };
      if (isForPeople(world, invocation)) {
        const { displayOf } = await import("../cli/display.ts");
        const { skillsTable } = await import("../skills/skills-table.ts");
        world.write(skillsTable(displayOf(world), list));
      } else if (enabled) world.write(renderSkillsList(list));
      return "ok";
    });
  },
};
