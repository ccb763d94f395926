import type { Command } from "../command.ts";
import { forget, restore } from "../core/ledger-prune.ts";
import { forgetArchived } from "../io/ledger-archive.ts";
import { viewSession } from "../io/ledger-read.ts";
import { editLedger } from "../io/ledger-store.ts";
import type { Session } from "../schema/ledger.ts";
import { COMMON_ARGS, inWorkspace, text } from "./common.ts";
import { jsonLine } from "../render/escape.ts";

/**
 * @output nothing; under `--json` whether there was something to forget
 * @effect the ledger forgets the session, with `--agent` that one context of it; it is told everything again
 * @error  usage with `--no-state`
 */
export const command: Command = {
  meta: { name: "reset", description: "Forget what a session, or with --agent one context of it, was told." },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    if (invocation.flags["no-state"] === true) return CONTRADICTION;
    return inWorkspace(world, invocation, (workspace) => {
      const { session } = workspace.key;
      const json = invocation.flags["json"] === true;
      const agent = text(invocation.flags["agent"]);
      const view = viewSession(workspace.root.directory, session, workspace.places, world.home);
      const known = knownWith(view.session, agent);
      if (known !== undefined) {
        // It may be in its archive: what is left of it belongs back into the ledger.
        editLedger(world, view.place, (ledger) => forget(restore(ledger, session, known), session, agent));
        forgetArchived(view.place, session);
      }
      if (json) world.write(jsonLine({ session, wasKnown: known !== undefined }));
      return "ok";
    });
  },
};

const CONTRADICTION = {
  code: "usage",
  message: "'session reset' forgets what was told, and '--no-state' leaves it alone; leave out one of them",
} as const;

/** The session, where it has the context that is to be forgotten. */
function knownWith(session: Session | undefined, agent: string | undefined): Session | undefined {
  return session !== undefined && (agent === undefined || Object.hasOwn(session.contexts, agent)) ? session : undefined;
}
