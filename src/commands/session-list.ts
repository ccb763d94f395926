import { OUTPUT_ARGS, PLACE_ARGS } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { readArchives } from "../ledger/archive.ts";
import { locateLedger } from "../ledger/location.ts";
import { readLedger } from "../ledger/read.ts";
import { jsonLine } from "../lib/escape.ts";
import { renderSessions } from "../report/inspection.ts";
import { inWorkspace, isForPeople } from "../workspace.ts";

export const command: Command = {
  meta: { name: "list", description: "Show what each context of each session was told." },
  args: { ...PLACE_ARGS, ...OUTPUT_ARGS },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const location = locateLedger(workspace.root.directory, workspace.userDirectories, world.home);
      const read = readLedger(location);
      if (read.kind === "foreign") {
        world.warn(`the ledger in '${location.directory}' is not used: ${read.reason}`);
      }
      const ledger = read.kind === "ledger" ? read.ledger : undefined;
      const here = ledger?.sessions ?? {};
      const archived = ledger === undefined ? [] : readArchives(location, ledger.tree);
      const all = [...Object.entries(here), ...archived.filter(([id]) => !Object.hasOwn(here, id))];
      // A session that was reset has no contexts left.
      const sessions = Object.fromEntries(all.filter(([, { contexts }]) => Object.keys(contexts).length > 0));
      if (invocation.flags["json"] === true) world.write(jsonLine({ sessions }));
      else if (isForPeople(world, invocation)) {
        const { displayOf, hangingLines } = await import("../cli/display.ts");
        const isNone = Object.keys(sessions).length === 0;
        const text = isNone ? "no session was told anything here yet\n" : renderSessions(sessions);
        world.write(hangingLines(displayOf(world), text));
      } else world.write(renderSessions(sessions));
      return "ok";
    });
  },
};
