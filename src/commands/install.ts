import { CHANGE_ARGS, changeSettings } from "../clients/settings/change.ts";
import { install } from "../clients/settings/install.ts";
import { CHANNELS } from "../clients/settings/model.ts";
import { surveyFile } from "../clients/settings/script.ts";
import type { Command } from "../command.ts";
import { inWorkspace } from "../workspace.ts";

/**
 * @effect adds our hooks to the client's settings file and leaves everything else unchanged; asks on a terminal
 * @error  not_found for an unknown client; usage for an unknown scope, and without a terminal or `--yes`; config_unusable for a file that
 *          can't be used as it is; denied if the answer is no
 */
export const command: Command = {
  meta: { name: "install", description: "Add codelia's hooks to a coding agent's settings." },
  args: {
    ...CHANGE_ARGS,
    channel: {
      type: "enum",
      options: [...CHANNELS],
      valueHint: "CHANNEL",
      description:
        "how the client calls codelia: through a module in the client, a running server, or a process for each event",
    },
    mend: {
      type: "boolean",
      description: "also take out what makes the client refuse the settings file; uninstall puts it back",
    },
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
            .filter(({ companion }) => companion === undefined)
            .flatMap(({ event, after }) => surveyFile(after, expected, event))
            .filter(({ state }) => state === "edited");
          const refused = files.flatMap(({ companion, file, after, mended }) => {
            const bom = file.kind === "file" && mended === undefined ? file.bom : "";
            const refusal = companion || after === undefined ? undefined : client.refuses?.({ text: after, bom });
            if (refusal === undefined) return [];
            const way =
              refusal.mended === undefined
                ? `remove it from '${file.path}'`
                : "'--mend' takes it out of the file, 'codelia uninstall' puts it back";
            return [`none of this works yet: ${refusal.why}; ${way}`];
          });
          return [
            ...refused,
            ...edited.map(
              ({ event, why }) => `'${event}' was edited by hand (${why}) and is kept; '--force' replaces it`,
            ),
            ...(client.afterInstall?.(scope, path) ?? []),
          ];
        },
      }),
    );
  },
};
