import { CHANGE_ARGS, changeSettings } from "../clients/settings/change.ts";
import { install } from "../clients/settings/install.ts";
import { surveyFile } from "../clients/settings/script.ts";
import type { Command } from "../command.ts";
import { inWorkspace } from "../workspace.ts";

/**
 * @effect adds our hooks to the client's settings file and leaves everything else as it was; asks on a terminal
 * @error  usage for an unknown client or scope, and without a terminal or `--yes`; config_unusable for a file that can't
 *         be used as it is; denied when the answer is no
 */
export const command: Command = {
  meta: { name: "install", description: "Add codelia's hooks to a coding agent's settings." },
  args: {
    ...CHANGE_ARGS,
    force: { type: "boolean", description: "also replace codelia's hooks that were edited by hand" },
  },
  maxOperands: 1,
  run(world, invocation) {
    const force = invocation.flags["force"] === true;
    return inWorkspace(world, invocation, (workspace) =>
      changeSettings(world, workspace, invocation, {
        verb: "install",
        edit: (text, expected, event) => install(text, expected, event, force),
        notes(files, { client, scope, path }, expected) {
          const edited = files
            .flatMap(({ event, after }) => surveyFile(after, expected, event))
            .filter(({ state }) => state === "edited");
          return [
            ...edited.map(
              ({ event, why }) => `'${event}' was edited by hand (${why}) and stays; '--force' replaces it`,
            ),
            ...(client.afterInstall?.(scope, path) ?? []),
          ];
        },
      }),
    );
  },
};
