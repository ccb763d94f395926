import { openForRun } from "../agent/definition/open.ts";
import { createPromptResolver } from "../agent/definition/prompts.ts";
import type { AgentRun } from "../agent/run-schema.ts";
import { nextPrompt, recordGuided } from "../agent/run/guide.ts";
import { ISSUE_ARGS, openRunLocation } from "../agent/run/location.ts";
import { newRun } from "../agent/run/store.ts";
import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, usage } from "../cli/args.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { DEFAULT_SESSION } from "../ledger/contexts.ts";
import { jsonLine } from "../lib/escape.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * Prints the first step's prompt. From then on the client's Stop hook gives the next one.
 *
 * @effect records the run, and assigns it to the session
 * @error  usage; agent_unusable; denied; agent_failed if the session is already guided
 */
export const command: Command = {
  meta: {
    name: "start",
    description: "Guide a session of Claude Code or Codex through a definition, using its Stop hook.",
  },
  args: {
    definition: { type: "positional", description: "its directory, or its name in .agents/agents/" },
    var: { type: "string", valueHint: "K=V", description: "a value for {uv-K} in the prompts; may be repeated" },
    ...ISSUE_ARGS,
    ...PLACE_ARGS,
    session: CONTEXT_ARGS.session,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  run(world, invocation) {
    return inWorkspace(world, invocation, (workspace) => startGuided(world, workspace, invocation));
  },
};

async function startGuided(world: World, workspace: Workspace, invocation: Invocation): Promise<Outcome> {
  const { flags, operands } = invocation;
  const [named] = operands;
  const { session } = workspace.key;
  if (named === undefined) return usage("'codelia agent start' needs a definition");
  if (session === DEFAULT_SESSION) return usage("name the session to guide with '--session'");
  const begun = await openForRun(world, workspace, invocation, named);
  if ("code" in begun) return begun;
  const { opened, variables } = begun;
  const { validated, directory } = opened;
  const { definition } = validated;
  const place = openRunLocation(world, workspace, opened, flags);
  if ("code" in place) return place;
  try {
    const { instance, branch, issue } = place;
    const run: AgentRun = {
      ...newRun(world, { instance, name: definition.name, definition: directory, cwd: place.cwd, variables }),
      mode: "guided",
      session,
      step: definition.entryStep,
      ...(branch !== undefined && { branch }),
      ...(issue !== undefined && { issue }),
    };
    const prompt = await nextPrompt(definition, run, createPromptResolver(validated.directory));
    recordGuided(world, workspace, session, run);
    place.keep();
    world.write(flags["json"] === true ? jsonLine({ instance, step: run.step, prompt }) : prompt);
    return "ok";
  } finally {
    place.release();
  }
}
