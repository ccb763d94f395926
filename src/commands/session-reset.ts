import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, notFound, textFlag } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { forgetSession, type Forgetting } from "../ledger/forget.ts";
import { claimedRoot, locateLedger, ledgerPath, type LedgerLocation } from "../ledger/location.ts";
import { viewSession } from "../ledger/read.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @effect the ledger forgets the session, or with `--agent` that one context, so it is told everything again
 * @error  not_found for a session or context that is named by a flag and unknown; not_forgotten if it can't be recorded
 */
export const command: Command = {
  meta: { name: "reset", description: "Forget what a session was told, or with --agent one context of it." },
  args: { ...PLACE_ARGS, ...CONTEXT_ARGS, ...OUTPUT_ARGS },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, (workspace) => {
      const { session } = workspace.key;
      const agent = textFlag(invocation.flags["agent"]);
      const results = locationsOf(world, workspace).map((location): [LedgerLocation, Forgetting] => [
        location,
        forgetSession(world, location, session, agent),
      ]);
      for (const [location, result] of results) {
        if (result.kind === "failed") return notForgotten(session, location, result.reason);
      }
      const wasKnown = results.some(([, { kind }]) => kind === "forgotten");
      const isNamed = agent !== undefined || textFlag(invocation.flags["session"]) !== undefined;
      if (!wasKnown && isNamed) return unknown(session, agent);
      if (invocation.flags["json"] === true) world.write(jsonLine({ session, wasKnown }));
      return "ok";
    });
  },
};

function unknown(session: string, agent: string | undefined) {
  const what =
    agent === undefined ? `session '${visible(session)}'` : `context '${visible(agent)}' in '${visible(session)}'`;
  return notFound(`no ${what}; 'codelia session list' shows what was told`);
}

function notForgotten(session: string, location: LedgerLocation, reason: string) {
  const message = `could not forget session '${session}' in '${ledgerPath(location)}' (${reason}); try again, or delete that file`;
  return { code: "not_forgotten", message } as const;
}

/** The root whose ledger knows the session, and the root where it began: usually the same. */
function locationsOf(world: World, { key, userDirectories, root }: Workspace): LedgerLocation[] {
  const { location } = viewSession(root.directory, key.session, userDirectories, world.home);
  const claimed = claimedRoot(userDirectories, key.session);
  if (claimed === undefined || claimed === location.root) return [location];
  return [location, locateLedger(claimed, userDirectories, world.home)];
}
