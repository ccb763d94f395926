import { CHANGE_ARGS, changeSettings } from "../clients/settings/change.ts";
import { uninstall } from "../clients/settings/install.ts";
import type { Command } from "../command.ts";
import { inWorkspace } from "../workspace.ts";

/**
 * @effect removes our hooks, so that the client's settings file is as it was before; asks on a terminal
 * @error  not_found for an unknown client; usage for an unknown scope, and without a terminal or `--yes`; config_unusable for a file that
 *          can't be used as it is; denied if the answer is no
 */
export const command: Command = {
  meta: { name: "uninstall", description: "Remove codelia's hooks from a coding agent's settings." },
  args: CHANGE_ARGS,
  maxOperands: 1,
  run: (world, invocation) =>
    inWorkspace(world, invocation, (workspace) =>
      changeSettings(world, workspace, invocation, { verb: "uninstall", edit: uninstall, notes: () => [] }),
    ),
};
