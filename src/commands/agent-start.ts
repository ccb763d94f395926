import { dirname } from "node:path";
import { definitionDirectory } from "../agent/definition/load.ts";
import { openDefinition, readGivenVariables } from "../agent/definition/open.ts";
import { createPromptResolver } from "../agent/definition/prompts.ts";
import { refuseInsideRun } from "../agent/engines/engine.ts";
import { ExecutionError } from "../agent/errors.ts";
import type { AgentRun } from "../agent/run-schema.ts";
import { alreadyStarted } from "../agent/run/execution.ts";
import { whatToSay } from "../agent/run/guide.ts";
import {
  pointerPath,
  readGuidedPointer,
  sweepGuidedPointers,
  writeGuidedPointer,
} from "../agent/run/guided-pointer.ts";
import { instanceName, newRun } from "../agent/run/keeper.ts";
import { addRun, readRun } from "../agent/run/store.ts";
import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, textFlags, usage } from "../cli/args.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { DEFAULT_SESSION } from "../ledger/contexts.ts";
import { findStatePlace } from "../ledger/place.ts";
import { jsonLine } from "../lib/escape.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { acquireLock } from "../lib/lock.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

const LOCK_WAIT_MS = 1000;

/**
 * Prints the first step's prompt. From then on the client's Stop hook says what comes next.
 *
 * @effect records the run, and that the session is guided through it
 * @error  usage; agent_unusable; denied; agent_failed where the session is already guided
 */
export const command: Command = {
  meta: {
    name: "start",
    description: "Guide a session of Claude Code or Codex through a definition, using its Stop hook.",
  },
  args: {
    definition: { type: "positional", description: "its directory, or its name in .agents/agents/" },
    var: { type: "string", valueHint: "K=V", description: "a value for {uv-K} in the prompts; may be repeated" },
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
  refuseInsideRun(world);
  const opened = await openDefinition(world, workspace, definitionDirectory(workspace, named), workspace.cwd);
  if ("code" in opened) return opened;
  const { validated, directory } = opened;
  const { definition } = validated;
  const given = readGivenVariables(textFlags(invocation, "var"), validated.given);
  if ("code" in given) return given;
  const instance = instanceName(world, definition.name);
  const run: AgentRun = {
    ...newRun(world, { instance, name: definition.name, definition: directory, cwd: workspace.cwd, ...given }),
    mode: "guided",
    session,
    step: definition.entryStep,
  };
  const prompt = await whatToSay(definition, run, createPromptResolver(validated.directory));
  record(world, workspace, session, run);
  world.write(flags["json"] === true ? jsonLine({ instance, step: run.step, prompt }) : prompt);
  return "ok";
}

/** One run a session: whether there is one, and that there is one now, is one step. */
function record(world: World, { places, root, settings }: Workspace, session: string, run: AgentRun): void {
  const place = findStatePlace(root.directory, places, world.home);
  const path = pointerPath(places, session);
  const unmade = makeDirectory(dirname(path));
  const attempt = unmade === undefined ? acquireLock(world, { path: `${path}.lock`, waitMs: LOCK_WAIT_MS }) : undefined;
  if (attempt?.kind !== "locked") throw unrecorded(unmade ?? (attempt?.kind === "failed" ? attempt.reason : "settled"));
  try {
    const other = liveRun(places, session);
    if (other !== undefined) {
      throw alreadyStarted(`session '${session}' is guided by '${other}'; 'codelia agent stop ${other}' ends that`);
    }
    const added = addRun(world, place, settings.agents.root.markers, run);
    if (added.kind === "failed") throw unrecorded(added.reason);
    const pointer = { session, directory: place.directory, instance: run.instance };
    const written = writeGuidedPointer(world, places, pointer);
    if (written.kind === "failed") throw unrecorded(written.errno);
    sweepGuidedPointers(world, places);
  } finally {
    attempt.lock.release();
  }
}

/** The run that a session is guided through at present. */
function liveRun(places: UserPlaces, session: string): string | undefined {
  const pointer = readGuidedPointer(places, session);
  if (pointer === undefined) return undefined;
  const read = readRun(pointer, pointer.instance);
  return read.kind === "run" && read.run.status === "started" ? read.run.instance : undefined;
}

function makeDirectory(path: string): string | undefined {
  try {
    disk.makeDirectory(path, 0o700);
    return undefined;
  } catch (error) {
    return errnoOf(error);
  }
}

function unrecorded(why: string): ExecutionError {
  return new ExecutionError(`can't start: the run can't be recorded (${why})`, { recoverable: false });
}
