import { CONTEXT_ARGS, HELP_ARGS, PLACE_ARGS, STATE_ARGS, textFlag, type FlagValues } from "../cli/args.ts";
import { UNLIMITED } from "../clients/events.ts";
import { clientSessions, loadClient } from "../clients/registry.ts";
import type { Command, Outcome } from "../command.ts";
import { answerCall } from "../hooks/channels/answer.ts";
import { ONLY_PART, readPart } from "../hooks/part.ts";
import { DEFAULT_SESSION, nameContext } from "../ledger/contexts.ts";
import { serve } from "../mcp/server.ts";
import type { AnswerHook, HookCall } from "../mcp/tools.ts";
import type { World } from "../world.ts";
import { answerTo } from "./hook.ts";

export const command: Command = {
  meta: {
    name: "mcp",
    description: "Run an MCP server on stdin/stdout with the tools agents_resolve, skill_search and skill_load.",
  },
  args: {
    hooks: { type: "boolean", description: "only answer hooks that call it, and offer the model no tools" },
    ...PLACE_ARGS,
    ...CONTEXT_ARGS,
    ...STATE_ARGS,
    ...HELP_ARGS,
  },
  maxOperands: 0,
  async run(world, { flags }): Promise<Outcome> {
    await serve(world, {
      flags: { ...flags, session: sessionFor(world, flags) },
      hasTools: flags["hooks"] !== true,
      commands: {
        agents_resolve: async () => (await import("./resolve.ts")).command,
        skill_search: async () => (await import("./skills-search.ts")).command,
        skill_load: async () => (await import("./skills-load.ts")).command,
      },
      hook: answerHook,
    });
    return "ok";
  },
};

async function answerHook(world: World, { client: name, part: asked, given, meta }: HookCall): ReturnType<AnswerHook> {
  if (world.env["CODELIA_DISABLE"] === "1") return undefined;
  const client = await loadClient(name);
  const part = asked === undefined ? ONLY_PART : readPart(asked);
  if (client === undefined || part === undefined) {
    world.trace("no-event", { why: "not-for-us", name, part: asked });
    return undefined;
  }
  const input = client.readCall?.(given, meta) ?? given;
  return answerCall(world, part.isWhole ? { ...client, limit: UNLIMITED } : client, part, input, answerTo);
}

/** If nobody names a session, the server is a session of its own: it knows nothing of other conversations. */
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
