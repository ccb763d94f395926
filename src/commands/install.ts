import { CHANGE_ARGS, changeSettings, type Change } from "../clients/settings/change.ts";
import { readSettingsText } from "../clients/settings/file.ts";
import { installText } from "../clients/settings/install.ts";
import { installScript, surveyScript } from "../clients/settings/script.ts";
import { surveyHooks, wantedFor } from "../clients/settings/survey.ts";
import type { Command } from "../command.ts";
import { ownProgram } from "../lib/programs.ts";
import { inWorkspace } from "../workspace.ts";

/**
 * @output the diff with `--dry-run`; what was done under `--json`
 * @effect the client's settings file: our hooks in it, all else as it was; asks on a terminal
 * @error  usage for an unknown client or scope, and where nobody can be asked; config_unusable for a file that can't be
 *         used as it is; denied when the answer is no
 */
export const command: Command = {
  meta: { name: "install", description: "Add codelia's hooks to a coding agent's settings." },
  args: {
    ...CHANGE_ARGS,
    force: { type: "boolean", description: "also replace codelia's hooks that were edited by hand" },
  },
  maxOperands: 1,
  run(world, invocation) {
    const program = ownProgram(world);
    const force = invocation.flags["force"] === true;
    const change: Change = {
      verb: "install",
      decide(text, { client, scope }, event) {
        const wanted = wantedFor(client, scope, program);
        return event === undefined
          ? installText(text, readSettingsText, wanted, force)
          : installScript(text, wanted, event, force);
      },
      notes(files, { client, scope, path }) {
        const wanted = wantedFor(client, scope, program);
        const surveys = files.flatMap(({ event, after = "" }) =>
          event === undefined
            ? surveyHooks(readSettingsText(after).data, wanted).events
            : [surveyScript(after, wanted, event)],
        );
        const edited = surveys.filter(({ state }) => state === "edited");
        const kept = edited.map(
          ({ event, why }) => `'${event}' was edited by hand (${why}) and stays; '--force' replaces it`,
        );
        const note = client.afterInstall(scope, path);
        return note === undefined ? kept : [...kept, note];
      },
    };
    return inWorkspace(world, invocation, (workspace) => changeSettings(world, workspace, invocation, change));
  },
};
