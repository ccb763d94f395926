import { join } from "node:path";
import type { LedgerLocation } from "../../ledger/location.ts";
import { acquireLock, findHolder, HELD, type Lock, type LockAttempt, type HolderState } from "../../lib/lock.ts";
import type { World } from "../../world.ts";
import { endStartedBy } from "../engines/engine.ts";
import { ExecutionError } from "../errors.ts";
import { failed, FAILURES } from "../judge/completion.ts";
import type { AgentRun } from "../run-schema.ts";
import type { AgentDefinition } from "../schema.ts";
import { type Keeper, type StartOptions, alreadyStarted, type Listen } from "./execution.ts";
import { addRun, listRuns, makeRunsDirectory, newRun, readRun, restoreRun, runsDirectory, saveRun } from "./store.ts";

interface KeeperOptions {
  /** Where the run is recorded. */
  readonly location: LedgerLocation;
  /** For the tree that the run works in, which no other run may use. */
  readonly workPlace: LedgerLocation;
  readonly markers: readonly string[];
  /** The definition's own directory, not that of a copy. */
  readonly definition: string;
  readonly instance: string;
  readonly branch?: string;
  readonly issue?: number;
  readonly listen: Listen;
}

/** Something that cleans the run's tree may remove its record and lock, so they are checked this often. */
const RESTORE_EVERY_MS = 200;

/** Keeps the record of a driven run, and holds the lock of its tree. */
export function createKeeper(world: World, definition: AgentDefinition, options: KeeperOptions): Keeper {
  const { location, workPlace, markers, instance, listen } = options;
  const lockPath = join(runsDirectory(workPlace), "run.lock");
  let lock: Lock | undefined;
  /** The record as last written. */
  let record: AgentRun | undefined;
  let timer: NodeJS.Timeout | undefined;

  function begin({ cwd, variables }: StartOptions): AgentRun {
    lock = lockTree();
    settleDead();
    const added = addRun(world, location, markers, {
      ...newRun(world, { instance, name: definition.name, definition: options.definition, cwd, variables }),
      mode: "driven",
      step: definition.entryStep,
      pid: world.pid,
      lock: lockPath,
      mark: world.random(),
      ...(options.branch !== undefined && { branch: options.branch }),
      ...(options.issue !== undefined && { issue: options.issue }),
    });
    if (added.kind === "changed") {
      timer = setInterval(restore, RESTORE_EVERY_MS);
      return (record = added.run);
    }
    end();
    throw new ExecutionError(
      `can't start: the run can't be recorded in '${runsDirectory(location)}' (${added.reason})`,
    );
  }

  function lockTree(): Lock {
    const holder = findHolder(world, lockPath);
    if (holder?.state === "unknown") {
      throw alreadyStarted(
        `'${lockPath}' names a process that can't be seen from here, such as one of another container; if you are sure that it is gone, remove that file`,
      );
    }
    const attempt = tryToLock();
    if (attempt.kind === "locked") return attempt.lock;
    if (attempt.reason !== HELD) {
      throw new ExecutionError(`can't start: '${lockPath}' can't be made (${attempt.reason})`);
    }
    const run = listRuns(location).findLast((candidate) => isDriven(candidate));
    throw alreadyStarted(
      run === undefined
        ? `a run of another directory is using this tree (process ${holder?.pid ?? "unknown"}); end it with 'codelia agent stop' there`
        : `'${run.instance}' is using this tree; end it with 'codelia agent stop'`,
    );
  }

  function tryToLock(): Exclude<LockAttempt, { kind: "settled" }> {
    const unmade = makeRunsDirectory(world, workPlace, markers);
    if (unmade !== undefined) return { kind: "failed", reason: unmade };
    const attempt = acquireLock(world, { path: lockPath, waitMs: 0, isLong: true });
    return attempt.kind === "settled" ? { kind: "failed", reason: HELD } : attempt;
  }

  /** The runs that were driven in this tree have no process any more: the lock was free. */
  function settleDead(): void {
    for (const run of listRuns(location)) {
      if (!isDriven(run)) continue;
      if (run.mark !== undefined && endStartedBy(world, run.mark)) {
        world.warn(`ended what '${run.instance}' had started: the process that drove it is gone`);
      }
      saveRun(world, location, settled(run));
    }
  }

  function isDriven(run: AgentRun): boolean {
    return run.mode === "driven" && run.status === "started" && run.lock === lockPath;
  }

  /** Restores a lock or a record that was removed. */
  function restore(): void {
    if (record === undefined) return;
    if (findHolder(world, lockPath) === undefined) {
      const attempt = tryToLock();
      if (attempt.kind === "locked") ({ lock } = attempt);
    }
    if (readRun(location, record.instance).kind === "absent") restoreRun(world, location, markers, record);
  }

  /** A run continues even if its record can't be written. */
  function save(run: AgentRun): AgentRun {
    restore();
    const saved = saveRun(world, location, run);
    if (saved.kind === "changed") return (record = saved.run);
    listen({ event: "unrecorded", reason: saved.reason });
    return run;
  }

  function conclude(run: AgentRun): void {
    const { previousResponse: _response, complaint: _complaint, sameAnswers: _answers, ...ended } = run;
    let reason = "";
    restore();
    for (const state of [run, { ...ended, outputs: {} }]) {
      const saved = saveRun(world, location, state);
      if (saved.kind === "changed") return;
      ({ reason } = saved);
    }
    listen({ event: "unrecorded", reason });
    world.warn(`the end of '${run.instance}' can't be recorded (${reason}); 'codelia agent status' will call it dead`);
  }

  function end(): void {
    clearInterval(timer);
    record = undefined;
    lock?.release();
    lock = undefined;
  }

  return { begin, save, conclude, end };
}

/** A run whose process has died. */
export function settled(run: AgentRun): AgentRun {
  const result = failed("the process that drove the run is gone", run.summaries, FAILURES.processGone);
  return { ...run, status: "stopped", result };
}

/** Whether the process that drives a run is alive; `unknown` if it may be in another container. */
export function driverOf(world: World, { lock, pid }: Pick<AgentRun, "lock" | "pid">): HolderState {
  const holder = lock === undefined ? undefined : findHolder(world, lock);
  return holder?.pid === pid ? (holder?.state ?? "gone") : "gone";
}
