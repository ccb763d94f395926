import { join } from "node:path";
import { disk, errnoOf } from "../../lib/fs.ts";
import { acquireLock } from "../../lib/lock.ts";
import { makeLedgerDirectory } from "../../ledger/make-directory.ts";
import { readText } from "../../lib/read-file.ts";
import { treeOf, type LedgerLocation } from "../../ledger/location.ts";
import { createFile, removeQuietly, rename } from "../../lib/write-file.ts";
import { AgentRunSchema, type AgentRun } from "../run-schema.ts";
import type { World } from "../../world.ts";
import { isLinked, namesIn } from "../../lib/path-facts.ts";
import { parseObject } from "../engines/answers.ts";

// The records of runs: `agents/<instance>.json` in the ledger's directory.

const LOCK_WAIT_MS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Of runs that have ended. */
const MAX_KEPT = 50;
/** A record contains model output. */
const OWN_MODE = 0o600;
/** An instance's name is a file name. */
const INSTANCE = /^agent-[A-Za-z0-9-]{1,128}$/;

/** `agent-improver-20261118T172720123Z` */
export function instanceName(world: World, name: string): string {
  return `agent-${name}-${new Date(world.now()).toISOString().replaceAll(/[-:.]/g, "")}`;
}

/** The record of a new run, without its mode and step. */
export function newRun(
  world: World,
  given: Pick<AgentRun, "instance" | "name" | "definition" | "cwd" | "variables">,
): Omit<AgentRun, "mode" | "step"> {
  const now = world.now();
  return {
    version: 1,
    tree: "",
    n: 0,
    ...given,
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

type RunRead =
  | { readonly kind: "run"; readonly run: AgentRun }
  | { readonly kind: "absent" }
  /** Of another directory or version, or not a run; it is not touched. */
  | { readonly kind: "foreign"; readonly reason: string };

export const CHANGED_MEANWHILE = "it was changed meanwhile";

type RunChange =
  | { readonly kind: "changed"; readonly run: AgentRun }
  /** Another process changed it meanwhile, or it can't be written. */
  | { readonly kind: "failed"; readonly reason: string };

/** The part of a ledger's location that a pointer to a run names. */
export type RunsDirectory = Pick<LedgerLocation, "directory">;

/** The directory of a root's runs. */
export function runsDirectory(location: RunsDirectory): string {
  return join(location.directory, "agents");
}

export function readRun(location: RunsDirectory, instance: string): RunRead {
  if (!INSTANCE.test(instance)) return { kind: "absent" };
  const read = readText(runPath(location, instance), MAX_BYTES);
  if (read.kind === "absent") return read;
  if (read.kind !== "text") return { kind: "foreign", reason: read.kind === "too-large" ? read.kind : read.reason };
  const run = AgentRunSchema.safeParse(parseObject(read.text)).data;
  if (run === undefined) return { kind: "foreign", reason: "it is not a run" };
  const isOurs = run.tree === treeOf(location) && run.instance === instance;
  return isOurs ? { kind: "run", run } : { kind: "foreign", reason: "it belongs to another directory" };
}

/** Every run of a root, newest last. */
export function listRuns(location: RunsDirectory): AgentRun[] {
  const runs: AgentRun[] = [];
  for (const name of namesIn(runsDirectory(location))) {
    const read = name.endsWith(".json") ? readRun(location, name.slice(0, -".json".length)) : undefined;
    if (read?.kind === "run") runs.push(read.run);
  }
  return runs.toSorted((a, b) => a.startedAt - b.startedAt || (a.instance < b.instance ? -1 : 1));
}

/** Records a new run, and removes the oldest that have ended. */
export function addRun(world: World, location: LedgerLocation, markers: readonly string[], run: AgentRun): RunChange {
  const over = listRuns(location).filter(({ status }) => status === "stopped");
  const added = restoreRun(world, location, markers, run);
  if (added.kind === "failed") return added;
  for (const { instance } of over.slice(0, Math.max(0, over.length - MAX_KEPT + 1))) {
    removeQuietly(runPath(location, instance));
  }
  return added;
}

/** Records a run that has no file (any more). */
export function restoreRun(
  world: World,
  location: LedgerLocation,
  markers: readonly string[],
  run: AgentRun,
): RunChange {
  const unmade = makeRunsDirectory(world, location, markers);
  if (unmade !== undefined) return { kind: "failed", reason: unmade };
  return publish(world, location, run, (present) => present.kind === "absent");
}

/** @output why it can't be created */
export function makeRunsDirectory(
  world: World,
  location: LedgerLocation,
  markers: readonly string[],
): string | undefined {
  const unmade = makeLedgerDirectory(world, location, markers);
  if (unmade !== undefined) return unmade;
  const directory = runsDirectory(location);
  try {
    if (isLinked(directory)) return `'${directory}' is a link`;
    disk.makeDirectory(directory);
    return undefined;
  } catch (error) {
    return errnoOf(error);
  }
}

/**
 * Records the next state of a run, unless another process changed it since it was read. The file is written beside the
 * old one and renamed under a lock that is still ours.
 */
export function saveRun(world: World, location: RunsDirectory, run: AgentRun): RunChange {
  const next = { ...run, n: run.n + 1, updatedAt: world.now() };
  return publish(world, location, next, (present) => present.kind === "run" && present.run.n === run.n);
}

function publish(
  world: World,
  location: RunsDirectory,
  next: AgentRun,
  follows: (present: RunRead) => boolean,
): RunChange {
  // The directory may have been created anew since the run began.
  const run = { ...next, tree: treeOf(location) ?? "" };
  const path = runPath(location, run.instance);
  const text = `${JSON.stringify(run)}\n`;
  if (text.length > MAX_BYTES / 4 && new TextEncoder().encode(text).length > MAX_BYTES) {
    return { kind: "failed", reason: `it is larger than ${MAX_BYTES} bytes` };
  }
  const draftOf = (nonce: string) => `${path}.${nonce}.new`;
  const attempt = acquireLock(world, {
    path: `${path}.lock`,
    waitMs: LOCK_WAIT_MS,
    cleanUpAfter: (nonce) => removeQuietly(draftOf(nonce)),
  });
  if (attempt.kind !== "locked")
    return { kind: "failed", reason: attempt.kind === "failed" ? attempt.reason : "settled" };
  const { lock } = attempt;
  const draft = draftOf(lock.nonce);
  let reason = CHANGED_MEANWHILE;
  try {
    if (follows(readRun(location, run.instance))) {
      const drafted = createFile(draft, text, OWN_MODE);
      if (drafted.kind === "failed") reason = drafted.errno;
      else if (lock.finish(() => rename(world, draft, path))) return { kind: "changed", run };
      else reason = "the lock was broken";
    }
  } catch (error) {
    reason = errnoOf(error);
  }
  removeQuietly(draft);
  lock.release();
  return { kind: "failed", reason };
}

function runPath(location: RunsDirectory, instance: string): string {
  return join(runsDirectory(location), `${instance}.json`);
}
