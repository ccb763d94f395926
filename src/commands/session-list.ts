import { OUTPUT_ARGS, PLACE_ARGS } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { readArchives } from "../ledger/archive.ts";
import { findStatePlace } from "../ledger/place.ts";
import { readLedger } from "../ledger/read.ts";
import { jsonLine } from "../lib/escape.ts";
import { renderSessions } from "../report/inspection.ts";
import { inWorkspace } from "../workspace.ts";

export const command: Command = {
  meta: { name: "list", description: "Show what each context of each session was told." },
  args: { ...PLACE_ARGS, ...OUTPUT_ARGS },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, (workspace) => {
      const place = findStatePlace(workspace.root.directory, workspace.places, world.home);
      const read = readLedger(place);
      if (read.kind === "foreign") {
        world.warn(`the ledger in '${place.directory}' is not used: ${read.reason}`);
      }
      const ledger = read.kind === "ledger" ? read.ledger : undefined;
      const here = ledger?.sessions ?? {};
      const archived = ledger === undefined ? [] : readArchives(place, ledger.tree);
      const all = [...Object.entries(here), ...archived.filter(([id]) => !Object.hasOwn(here, id))];
      // A session that was reset has no contexts left.
      const sessions = Object.fromEntries(all.filter(([, { contexts }]) => Object.keys(contexts).length > 0));
      world.write(invocation.flags["json"] === true ? jsonLine({ sessions }) : renderSessions(sessions));
      return "ok";
    });
  },
};
