import { resolve } from "node:path";
import { openForRun } from "../agent/definition/open.ts";
import { assembleRun } from "../agent/run/assemble.ts";
import type { Execution } from "../agent/run/execution.ts";
import { ISSUE_ARGS, openRunLocation, type RunLocation } from "../agent/run/location.ts";
import { openEventLog, renderAgentResult, watchRun, type EventLog } from "../agent/run/watch.ts";
import { EngineNameSchema, type EngineName } from "../agent/schema.ts";
import { OUTPUT_ARGS, PLACE_ARGS, textFlag, usage } from "../cli/args.ts";
import type { Command, Invocation, Outcome, Problem } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @effect queries engines, runs checks, records the run; with `--issue` creates a branch and a worktree
 * @error  usage; agent_unusable for an invalid definition; denied for one that names commands and isn't trusted;
 *          agent_failed if the run can't start
 */
export const command: Command = {
  meta: { name: "run", description: "Run an agent definition to its end." },
  args: {
    definition: { type: "positional", description: "its directory, or its name in .agents/agents/" },
    engine: {
      type: "enum",
      options: [...EngineNameSchema.options],
      description: "the engine to use instead of the definition's",
    },
    var: { type: "string", valueHint: "K=V", description: "a value for {uv-K} in the prompts; may be repeated" },
    ...ISSUE_ARGS,
    log: { type: "string", valueHint: "FILE", description: "append every event of the run to FILE as JSON lines" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  run(world, invocation) {
    return inWorkspace(world, invocation, (workspace) => runAgent(world, workspace, invocation));
  },
};

async function runAgent(world: World, workspace: Workspace, invocation: Invocation): Promise<Outcome> {
  const { flags, operands } = invocation;
  const [named] = operands;
  if (named === undefined) return usage("'codelia agent run' needs a definition");
  const begun = await openForRun(world, workspace, invocation, named);
  if ("code" in begun) return begun;
  const { opened, variables } = begun;
  const log = openLog(world, workspace.cwd, textFlag(flags["log"]));
  if (log !== undefined && "code" in log) return log;
  let place: RunLocation | Problem | undefined;
  try {
    place = openRunLocation(world, workspace, opened, flags);
    if ("code" in place) return place;
    const watch = watchRun(world, flags["quiet"] === true);
    const execution = assembleRun(world, workspace, opened, place, {
      engine: textFlag(flags["engine"]) as EngineName | undefined,
      listen: (event) => {
        watch(event);
        log?.listen(event);
      },
    });
    await execution.start({ cwd: place.cwd, variables });
    const result = await untilSignal(world, execution);
    const { outputs } = execution;
    world.write(flags["json"] === true ? jsonLine({ ...result, outputs }) : renderAgentResult(result));
    return result.success ? "ok" : "findings";
  } finally {
    if (place !== undefined && "release" in place) place.release();
    log?.close();
  }
}

/** A signal ends the run, not the program, so the result is still printed. */
async function untilSignal(world: World, execution: Execution) {
  const undo = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) =>
    world.onSignal(signal, () => void execution.stop(`the run was stopped by ${signal}`)),
  );
  try {
    return await execution.run();
  } finally {
    for (const take of undo) take();
  }
}

function openLog(world: World, cwd: string, path: string | undefined): EventLog | Problem | undefined {
  if (path === undefined) return undefined;
  const log = openEventLog(world, resolve(cwd, path));
  return typeof log === "string" ? usage(`'--log ${path}' can't be written (${log})`) : log;
}
