import type { AgentRun } from "../agent/run-schema.ts";
import { driverOf } from "../agent/run/keeper.ts";
import { listRuns } from "../agent/run/store.ts";
import { renderAgentRuns, type ShownRun } from "../agent/run/watch.ts";
import { OUTPUT_ARGS, PLACE_ARGS } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { locateLedger } from "../ledger/location.ts";
import { jsonLine } from "../lib/escape.ts";
import { inWorkspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** Lists every run of this root, newest last. Finished runs are listed as long as their records are kept. */
export const command: Command = {
  meta: { name: "status", description: "Show the runs of this project and their status." },
  args: {
    instance: { type: "positional", required: false, description: "show only this run" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  run(world, invocation) {
    return inWorkspace(world, invocation, ({ root, userDirectories }) => {
      const [instance] = invocation.operands;
      const all = listRuns(locateLedger(root.directory, userDirectories, world.home));
      const named = all.filter((run) => instance === undefined || run.instance === instance);
      if (instance !== undefined && named.length === 0) {
        return { code: "not_found", message: `no run '${instance}'; 'codelia agent status' lists them` };
      }
      const runs = named.map((run) => view(world, run));
      world.write(invocation.flags["json"] === true ? jsonLine({ runs }) : renderAgentRuns(runs));
      return "ok";
    });
  },
};

function view(world: World, run: AgentRun): ShownRun {
  const { lock: _lock, mark: _mark, pid: _pid, tree: _tree, n: _n, version: _version, ...shown } = run;
  const isDead = run.mode === "driven" && run.status === "started" && driverOf(world, run) === "gone";
  const costs = run.summaries.flatMap(({ costUsd }) => costUsd ?? []);
  const costUsd = costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
  return { ...shown, status: isDead ? "dead" : run.status, iterations: run.summaries.length, costUsd };
}
