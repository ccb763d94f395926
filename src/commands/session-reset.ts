import type { Command } from "../command.ts";
import { forgetSession } from "../io/forget-session.ts";
import { viewSession } from "../io/ledger-read.ts";
import { ledgerPath, type StatePlace } from "../io/state-place.ts";
import { COMMON_ARGS, inWorkspace, text } from "./common.ts";
import { jsonLine } from "../render/escape.ts";

/**
 * @output nothing; under `--json` whether there was something to forget
 * @effect the ledger forgets the session, with `--agent` that one context of it; it is told everything again
 * @error  usage with `--no-state`; not_forgotten when it can't be recorded
 */
export const command: Command = {
  meta: { name: "reset", description: "Forget what a session, or with --agent one context of it, was told." },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    if (invocation.flags["no-state"] === true) return CONTRADICTION;
    return inWorkspace(world, invocation, (workspace) => {
      const { session } = workspace.key;
      const agent = text(invocation.flags["agent"]);
      const { place } = viewSession(workspace.root.directory, session, workspace.places, world.home);
      const result = forgetSession(world, place, session, agent);
      if (result.kind === "failed") return notForgotten(session, place, result.reason);
      const wasKnown = result.kind === "forgotten";
      if (invocation.flags["json"] === true) world.write(jsonLine({ session, wasKnown }));
      return "ok";
    });
  },
};

const CONTRADICTION = {
  code: "usage",
  message: "'session reset' forgets what was told, and '--no-state' leaves it alone; leave out one of them",
} as const;

function notForgotten(session: string, place: StatePlace, reason: string) {
  const message = `could not forget session '${session}' in '${ledgerPath(place)}' (${reason}); try again, or delete that file`;
  return { code: "not_forgotten", message } as const;
}
