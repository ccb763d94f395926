import { endStartedBy } from "../agent/engines/engine.ts";
import { failed, FAILURES } from "../agent/judge/completion.ts";
import type { AgentResult, AgentRun } from "../agent/run-schema.ts";
import { readGuidedPointer, removeGuidedPointer } from "../agent/run/guided-pointer.ts";
import { driverOf, settled } from "../agent/run/keeper.ts";
import { listRuns, readRun, saveRun, type RunsDirectory } from "../agent/run/store.ts";
import { renderAgentResult } from "../agent/run/watch.ts";
import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, textFlag } from "../cli/args.ts";
import type { Command, Invocation, Outcome, Problem } from "../command.ts";
import { locateLedger } from "../ledger/location.ts";
import { jsonLine } from "../lib/escape.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** Longer than an engine gets: two seconds to end what it started, and two to end itself. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 50;

/**
 * Prints how the run ended, even if it had already ended.
 *
 * @effect asks a driven run's process to end and waits for it; ends what a dead run left behind; stops guiding a
 *          session
 * @error  not_found; ambiguous if several runs are in progress; agent_failed if the run does not end or can't be
 *          recorded
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
      const { location, run } = chosen;
      const result =
        run.result ??
        (run.mode === "guided" ? stopGuided(world, workspace, location, run) : stopDriven(world, location, run));
      if ("code" in result) return result;
      const ended = readRun(location, run.instance);
      const { outputs } = ended.kind === "run" ? ended.run : run;
      world.write(invocation.flags["json"] === true ? jsonLine({ ...result, outputs }) : renderAgentResult(result));
      return "ok" satisfies Outcome;
    });
  },
};

interface Chosen {
  readonly location: RunsDirectory;
  readonly run: AgentRun;
}

function chooseRun(
  world: World,
  { root, userDirectories, key }: Workspace,
  { flags, operands }: Invocation,
): Chosen | Problem {
  const [instance] = operands;
  const pointer = instance === undefined ? readGuidedPointer(userDirectories, key.session) : undefined;
  if (pointer !== undefined) {
    const read = readRun(pointer, pointer.instance);
    if (read.kind === "run") return { location: pointer, run: read.run };
  }
  const location = locateLedger(root.directory, userDirectories, world.home);
  const own = instance === undefined ? lastGuided(location, key.session) : undefined;
  if (own !== undefined) return { location, run: own };
  const isNamed = instance === undefined && textFlag(flags["session"]) !== undefined;
  const candidates = isNamed
    ? []
    : listRuns(location).filter((run) =>
        instance === undefined ? run.status === "started" : run.instance === instance,
      );
  const [run, other] = candidates;
  if (run === undefined) {
    const what = instance === undefined ? "no run is in progress here" : `no run '${instance}'`;
    return { code: "not_found", message: `${what}; 'codelia agent status' lists them` };
  }
  if (other !== undefined) {
    const names = candidates.map((candidate) => candidate.instance);
    return {
      code: "ambiguous",
      message: `${names.length} runs are in progress: name one of ${names.join(", ")}`,
      details: { instances: names },
    };
  }
  return { location, run };
}

/** The last run of a session, which may have ended: stopping it again gives its result. */
function lastGuided(location: RunsDirectory, session: string): AgentRun | undefined {
  return listRuns(location).findLast((run) => run.mode === "guided" && run.session === session);
}

function stopGuided(
  world: World,
  { userDirectories }: Workspace,
  location: RunsDirectory,
  run: AgentRun,
): AgentResult | Problem {
  const result = failed("the run was stopped by 'codelia agent stop'", run.summaries, FAILURES.stopped);
  const saved = saveRun(world, location, { ...run, status: "stopped", result });
  if (run.session !== undefined) removeGuidedPointer(userDirectories, run.session);
  return saved.kind === "changed"
    ? result
    : { code: "agent_failed", message: `'${run.instance}' can't be recorded (${saved.reason})` };
}

function stopDriven(world: World, location: RunsDirectory, run: AgentRun): AgentResult | Problem {
  const { instance, pid } = run;
  const driver = driverOf(world, run);
  const recordedResult = () => {
    const read = readRun(location, instance);
    return read.kind === "run" ? read.run.result : undefined;
  };
  if (driver === "unknown") {
    const message = `'${instance}' can't be ended: its process can't be seen from here; end it where it runs`;
    return { code: "agent_failed", message };
  }
  if (pid === undefined || driver === "gone") {
    if (run.mark !== undefined) endStartedBy(world, run.mark);
    const saved = saveRun(world, location, settled(run));
    if (saved.kind === "changed" && saved.run.result !== undefined) return saved.run.result;
    // The run has just ended by itself.
    const result = recordedResult();
    if (result !== undefined) return result;
    return {
      code: "agent_failed",
      message: `'${instance}' can't be recorded (${saved.kind === "failed" ? saved.reason : ""})`,
    };
  }
  world.kill(pid, "SIGTERM");
  const giveUpAt = world.ticks() + PATIENCE_MS;
  for (;;) {
    const result = recordedResult();
    if (result !== undefined) return result;
    if (world.ticks() > giveUpAt) break;
    world.pause(PAUSE_MS);
  }
  return { code: "agent_failed", message: `'${instance}' (process ${pid}) did not end within ${PATIENCE_MS / 1000} s` };
}
