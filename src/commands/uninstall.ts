import { CHANGE_ARGS, changeSettings, type Change } from "../clients/settings/change.ts";
import { readSettingsText } from "../clients/settings/file.ts";
import { uninstallText } from "../clients/settings/install.ts";
import { uninstallScript } from "../clients/settings/script.ts";
import { frameOf, surveyHooks, wantedFor, whyTooMany } from "../clients/settings/survey.ts";
import type { Command } from "../command.ts";
import { inWorkspace } from "../workspace.ts";

/**
 * @output the diff with `--dry-run`; what was done under `--json`
 * @effect the client's settings file without our hooks, as it was before them; asks on a terminal
 * @error  usage for an unknown client or scope, and where nobody can be asked; config_unusable for a file that can't be
 *         used as it is; denied when the answer is no
 */
export const command: Command = {
  meta: { name: "uninstall", description: "Remove codelia's hooks from a coding agent's settings." },
  args: CHANGE_ARGS,
  maxOperands: 1,
  run(world, invocation) {
    const change: Change = {
      verb: "uninstall",
      decide(text, { client }, event) {
        const wanted = wantedFor(client, "user", []);
        if (text === undefined) return { kind: "text", text };
        if (event !== undefined) return uninstallScript(text, wanted, event) ?? { kind: "text", text: undefined };
        const problem = whyTooMany(readSettingsText(text).data, client.name);
        if (problem !== undefined) return { kind: "problem", problem };
        const events = client.events.map(({ name }) => name);
        const after = uninstallText(text, readSettingsText, client.name, events, frameOf(client.layout));
        const rest = surveyHooks(readSettingsText(after ?? "{}").data, wanted);
        return rest.state === "absent"
          ? { kind: "text", text: after }
          : { kind: "problem", problem: "our hooks are written in a way that only you can take out" };
      },
      notes: () => [],
    };
    return inWorkspace(world, invocation, (workspace) => changeSettings(world, workspace, invocation, change));
  },
};
