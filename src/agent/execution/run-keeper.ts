import { join } from "node:path";
import { acquireLock, findHolder, HELD, type Lock } from "../../io/lock.ts";
import { makeStatePlace } from "../../io/make-state-place.ts";
import type { StatePlace } from "../../io/state-place.ts";
import { disk, errnoOf } from "../../io/disk.ts";
import type { AgentDefinition } from "../../schema/agent.ts";
import type { AgentRun } from "../../schema/agent-run.ts";
import type { World } from "../../world.ts";
import { ExecutionError } from "../errors.ts";
import { failed } from "../judgement/agent-result.ts";
import type { Keeper, StartOptions } from "./dependencies.ts";
import { alreadyStarted } from "./execution.ts";
import type { Listen } from "./run-events.ts";
import { addRun, listRuns, runsDirectory, saveRun } from "./run-store.ts";

export interface KeeperOptions {
  /** Where the run is recorded. */
  readonly place: StatePlace;
  /** Of the tree that the run works in: there, no other run may go on. */
  readonly workPlace: StatePlace;
  readonly markers: readonly string[];
  /** The definition's own directory, not that of a copy. */
  readonly definition: string;
  readonly instance: string;
  readonly branch?: string;
  readonly issue?: number;
  readonly listen: Listen;
}

/** Keeps the record of a driven run, and the lock of the tree it works in for as long as it goes on. */
export function createKeeper(world: World, definition: AgentDefinition, options: KeeperOptions): Keeper {
  const { place, workPlace, markers, listen } = options;
  const lockPath = join(runsDirectory(workPlace), "run.lock");
  let lock: Lock | undefined;

  function begin({ cwd, variables }: StartOptions): AgentRun {
    lock = lockTree();
    settleDead();
    const added = addRun(world, place, markers, {
      ...newRun(world, {
        instance: options.instance,
        name: definition.name,
        definition: options.definition,
        cwd,
        variables,
      }),
      mode: "driven",
      step: definition.entryStep,
      pid: world.pid,
      lock: lockPath,
      ...(options.branch !== undefined && { branch: options.branch }),
      ...(options.issue !== undefined && { issue: options.issue }),
    });
    if (added.kind === "changed") return added.run;
    end();
    throw new ExecutionError(`can't start: the run can't be recorded in '${runsDirectory(place)}' (${added.reason})`, {
      recoverable: false,
    });
  }

  function lockTree(): Lock {
    const unmade = makeStatePlace(world, workPlace, markers) ?? makeDirectory(runsDirectory(workPlace));
    if (findHolder(world, lockPath)?.state === "unknown") {
      throw alreadyStarted(
        `'${lockPath}' names a process that can't be seen from here, as one of another container; if it is gone for sure, remove that file`,
      );
    }
    const attempt = unmade === undefined ? acquireLock(world, { path: lockPath, waitMs: 0 }) : undefined;
    if (attempt?.kind === "locked") return attempt.lock;
    const reason = unmade ?? (attempt?.kind === "failed" ? attempt.reason : "settled");
    if (reason !== HELD) {
      throw new ExecutionError(`can't start: '${lockPath}' can't be made (${reason})`, { recoverable: false });
    }
    const holder = listRuns(place).findLast((run) => isDriven(run));
    const who = holder === undefined ? "another run" : `'${holder.instance}'`;
    throw alreadyStarted(`${who} goes on in this tree; 'codelia agent stop' ends it`);
  }

  /** What was being driven in this tree has no driver any more: its lock was free. */
  function settleDead(): void {
    for (const run of listRuns(place)) {
      if (isDriven(run)) saveRun(world, place, settled(run));
    }
  }

  function isDriven(run: AgentRun): boolean {
    return run.mode === "driven" && run.status === "started" && run.lock === lockPath;
  }

  /** A run is not ended because its record can't be kept. */
  function save(run: AgentRun): AgentRun {
    const saved = saveRun(world, place, run);
    if (saved.kind === "changed") return saved.run;
    listen({ event: "unrecorded", reason: saved.reason });
    return run;
  }

  function end(): void {
    lock?.release();
    lock = undefined;
  }

  return { begin, save, end };
}

/** What a new run is recorded as, but for its mode and step. */
export function newRun(
  world: World,
  {
    instance,
    name,
    definition,
    cwd,
    variables,
  }: Pick<AgentRun, "instance" | "name" | "definition" | "cwd" | "variables">,
): Omit<AgentRun, "mode" | "step"> {
  const now = world.now();
  return {
    version: 1,
    tree: "",
    n: 0,
    instance,
    name,
    definition,
    cwd,
    variables,
    status: "started",
    startedAt: now,
    updatedAt: now,
    failures: 0,
    awaiting: "answer",
    continuations: 0,
    isUntold: false,
    outputs: {},
    summaries: [],
  };
}

/** A run whose process is gone. */
export function settled(run: AgentRun): AgentRun {
  return { ...run, status: "stopped", result: failed("the process that drove the run is gone", run.summaries) };
}

/** `agent-improver-20261118T172720123Z` */
export function instanceName(world: World, name: string): string {
  return `agent-${name}-${timestamp(world)}`;
}

function timestamp(world: World): string {
  return new Date(world.now()).toISOString().replaceAll(/[-:.]/g, "");
}

function makeDirectory(path: string): string | undefined {
  try {
    disk.makeDirectory(path);
    return undefined;
  } catch (error) {
    return errnoOf(error);
  }
}
