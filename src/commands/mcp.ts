import { CONTEXT_ARGS, HELP_ARGS, PLACE_ARGS, STATE_ARGS, textFlag, type FlagValues } from "../cli/args.ts";
import { clientSessions } from "../clients/registry.ts";
import type { Command, Outcome } from "../command.ts";
import { DEFAULT_SESSION, nameContext } from "../ledger/contexts.ts";
import { serve } from "../mcp/server.ts";
import type { World } from "../world.ts";

export const command: Command = {
  meta: {
    name: "mcp",
    description: "Run an MCP server on stdin/stdout with the tools agents_resolve, skill_search and skill_load.",
  },
  args: { ...PLACE_ARGS, ...CONTEXT_ARGS, ...STATE_ARGS, ...HELP_ARGS },
  maxOperands: 0,
  async run(world, { flags }): Promise<Outcome> {
    await serve(world, {
      flags: { ...flags, session: sessionFor(world, flags) },
      commands: {
        agents_resolve: async () => (await import("./resolve.ts")).command,
        skill_search: async () => (await import("./skills-search.ts")).command,
        skill_load: async () => (await import("./skills-load.ts")).command,
      },
    });
    return "ok";
  },
};

/** Where nobody names a session, the server is a session of its own: it knows nothing of other conversations. */
function sessionFor(world: World, flags: FlagValues): string {
  const given = {
    session: textFlag(flags["session"]),
    agent: undefined,
    environment: world.env["CODELIA_SESSION_ID"],
    clients: clientSessions(world.env),
  };
  const named = nameContext(given).session;
  return named === DEFAULT_SESSION ? `mcp-${world.random()}` : named;
}
