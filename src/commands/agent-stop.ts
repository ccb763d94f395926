import { endStartedBy } from "../agent/engines/engine.ts";
import { failed } from "../agent/judge/completion.ts";
import type { AgentResult, AgentRun } from "../agent/run-schema.ts";
import { readGuidedPointer, removeGuidedPointer } from "../agent/run/guided-pointer.ts";
import { driverOf, settled } from "../agent/run/keeper.ts";
import { listRuns, readRun, saveRun, type RunsPlace } from "../agent/run/store.ts";
import { renderAgentResult } from "../agent/run/watch.ts";
import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, textFlag } from "../cli/args.ts";
import type { Command, Invocation, Outcome, Problem } from "../command.ts";
import { findStatePlace } from "../ledger/place.ts";
import { jsonLine } from "../lib/escape.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** Longer than an engine gets: two seconds to end what it started, and two to end itself. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 50;

/**
 * Prints how the run ended, also for one that had ended before.
 *
 * @effect asks a driven run's process to end and waits for it; ends what a dead one left behind; stops guiding a session
 * @error  not_found; ambiguous where several runs are going on; agent_failed where the run does not end or can't be
 *         recorded
 */
export const command: Command = {
  meta: { name: "stop", description: "End a run: INSTANCE, else the session's, else the only one." },
  args: {
    instance: { type: "positional", required: false, description: "the run to end" },
    ...PLACE_ARGS,
    session: CONTEXT_ARGS.session,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  run(world, invocation) {
    return inWorkspace(world, invocation, (workspace) => {
      const chosen = chooseRun(world, workspace, invocation);
      if ("code" in chosen) return chosen;
      const { place, run } = chosen;
      const result =
        run.result ??
        (run.mode === "guided" ? stopGuided(world, workspace, place, run) : stopDriven(world, place, run));
      if ("code" in result) return result;
      world.write(invocation.flags["json"] === true ? jsonLine(result) : renderAgentResult(result));
      return "ok" satisfies Outcome;
    });
  },
};

interface Chosen {
  readonly place: RunsPlace;
  readonly run: AgentRun;
}

function chooseRun(world: World, { root, places, key }: Workspace, { flags, operands }: Invocation): Chosen | Problem {
  const [instance] = operands;
  const pointer = instance === undefined ? readGuidedPointer(places, key.session) : undefined;
  if (pointer !== undefined) {
    const read = readRun(pointer, pointer.instance);
    if (read.kind === "run") return { place: pointer, run: read.run };
  }
  const place = findStatePlace(root.directory, places, world.home);
  const isNamed = instance === undefined && textFlag(flags["session"]) !== undefined;
  const candidates = isNamed
    ? []
    : listRuns(place).filter((run) => (instance === undefined ? run.status === "started" : run.instance === instance));
  const [run, other] = candidates;
  if (run === undefined) {
    const what = instance === undefined ? "no run is going on here" : `no run '${instance}'`;
    return { code: "not_found", message: `${what}; 'codelia agent status' lists them` };
  }
  if (other !== undefined) {
    const names = candidates.map((candidate) => candidate.instance);
    return {
      code: "ambiguous",
      message: `${names.length} runs are going on: name one of ${names.join(", ")}`,
      details: { instances: names },
    };
  }
  return { place, run };
}

function stopGuided(world: World, { places }: Workspace, place: RunsPlace, run: AgentRun): AgentResult | Problem {
  const result = failed("the run was stopped by 'codelia agent stop'", run.summaries);
  const saved = saveRun(world, place, { ...run, status: "stopped", result });
  if (run.session !== undefined) removeGuidedPointer(places, run.session);
  return saved.kind === "changed"
    ? result
    : { code: "agent_failed", message: `'${run.instance}' can't be recorded (${saved.reason})` };
}

function stopDriven(world: World, place: RunsPlace, run: AgentRun): AgentResult | Problem {
  const { instance, pid } = run;
  const driver = driverOf(world, run);
  if (driver === "unknown") {
    const message = `'${instance}' can't be ended: its process can't be seen from here; end it where it runs`;
    return { code: "agent_failed", message };
  }
  if (pid === undefined || driver === "gone") {
    if (run.mark !== undefined) endStartedBy(world, run.mark);
    const saved = saveRun(world, place, settled(run));
    if (saved.kind === "changed" && saved.run.result !== undefined) return saved.run.result;
    // The run has just ended by itself.
    const read = readRun(place, instance);
    if (read.kind === "run" && read.run.result !== undefined) return read.run.result;
    return {
      code: "agent_failed",
      message: `'${instance}' can't be recorded (${saved.kind === "failed" ? saved.reason : ""})`,
    };
  }
  world.kill(pid, "SIGTERM");
  const giveUpAt = world.ticks() + PATIENCE_MS;
  for (;;) {
    const read = readRun(place, instance);
    if (read.kind === "run" && read.run.result !== undefined) return read.run.result;
    if (world.ticks() > giveUpAt) break;
    world.pause(PAUSE_MS);
  }
  return { code: "agent_failed", message: `'${instance}' (process ${pid}) did not end within ${PATIENCE_MS / 1000} s` };
}
