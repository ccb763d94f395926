import type { Command } from "../command.ts";
import { forget, restore } from "../core/ledger-prune.ts";
import { forgetArchived } from "../io/ledger-archive.ts";
import { viewSession } from "../io/ledger-read.ts";
import { editLedger } from "../io/ledger-store.ts";
import { COMMON_ARGS, inWorkspace, text } from "./common.ts";

/**
 * @output nothing
 * @effect the ledger forgets the session, with `--agent` that one context of it; it is told everything again
 */
export const command: Command = {
  meta: { name: "reset", description: "Forget what a session, or with --agent one context of it, was told." },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, (workspace) => {
      const { session } = workspace.key;
      const json = invocation.flags["json"] === true;
      const view = viewSession(workspace.root.directory, session, workspace.places, world.home);
      const known = view.session;
      if (known !== undefined) {
        const agent = text(invocation.flags["agent"]);
        // It may be in its archive: what is left of it belongs back into the ledger.
        editLedger(world, view.place, (ledger) => forget(restore(ledger, session, known), session, agent));
        forgetArchived(view.place, session);
      }
      if (json) world.write(`${JSON.stringify({ session, wasKnown: known !== undefined })}\n`);
      return "ok";
    });
  },
};
