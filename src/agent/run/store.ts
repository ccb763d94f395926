import { join } from "node:path";
import { disk, errnoOf } from "../../lib/fs.ts";
import { acquireLock } from "../../lib/lock.ts";
import { makeStatePlace } from "../../ledger/make-place.ts";
import { readText } from "../../lib/read-file.ts";
import { isLinked } from "../../lib/path-facts.ts";
import { treeOf, type StatePlace } from "../../ledger/place.ts";
import { createFile, removeQuietly } from "../../lib/write-file.ts";
import { AgentRunSchema, type AgentRun } from "../run-schema.ts";
import type { World } from "../../world.ts";
import { namesIn } from "../../lib/path-facts.ts";

// The records of runs: `agents/<instance>.json` in the state directory.

const LOCK_WAIT_MS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Of runs that have ended. */
const MAX_KEPT = 50;
/** A record holds what models have said. */
const OWN_MODE = 0o600;
/** An instance's name is a file name. */
const INSTANCE = /^agent-[A-Za-z0-9-]{1,128}$/;

/** `agent-improver-20261118T172720123Z` */
export function instanceName(world: World, name: string): string {
  return `agent-${name}-${new Date(world.now()).toISOString().replaceAll(/[-:.]/g, "")}`;
}

/** The record of a new run, but for its mode and step. */
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

type RunRead =
  | { readonly kind: "run"; readonly run: AgentRun }
  | { readonly kind: "absent" }
  /** Of another directory or version, or not a run: it is left alone. */
  | { readonly kind: "foreign"; readonly reason: string };

type RunChange =
  | { readonly kind: "changed"; readonly run: AgentRun }
  /** Another process changed it meanwhile, or it can't be written. */
  | { readonly kind: "failed"; readonly reason: string };

/** As much of a state place as a pointer to a run names. */
export type RunsPlace = Pick<StatePlace, "directory">;

/** The directory of a root's runs. */
export function runsDirectory(place: RunsPlace): string {
  return join(place.directory, "agents");
}

export function readRun(place: RunsPlace, instance: string): RunRead {
  if (!INSTANCE.test(instance)) return { kind: "absent" };
  const read = readText(runPath(place, instance), MAX_BYTES);
  if (read.kind === "absent") return read;
  if (read.kind !== "text") return { kind: "foreign", reason: read.kind === "too-large" ? read.kind : read.reason };
  const run = AgentRunSchema.safeParse(parse(read.text)).data;
  if (run === undefined) return { kind: "foreign", reason: "it is not a run" };
  const isOurs = run.tree === treeOf(place) && run.instance === instance;
  return isOurs ? { kind: "run", run } : { kind: "foreign", reason: "it belongs to another directory" };
}

/** Every run of a root, the newest last. */
export function listRuns(place: RunsPlace): AgentRun[] {
  const runs: AgentRun[] = [];
  for (const name of namesIn(runsDirectory(place))) {
    const read = name.endsWith(".json") ? readRun(place, name.slice(0, -".json".length)) : undefined;
    if (read?.kind === "run") runs.push(read.run);
  }
  return runs.toSorted((a, b) => a.startedAt - b.startedAt || (a.instance < b.instance ? -1 : 1));
}

/** Records a new run, and removes the oldest that have ended. */
export function addRun(world: World, place: StatePlace, markers: readonly string[], run: AgentRun): RunChange {
  const over = listRuns(place).filter(({ status }) => status === "stopped");
  const added = restoreRun(world, place, markers, run);
  if (added.kind === "failed") return added;
  for (const { instance } of over.slice(0, Math.max(0, over.length - MAX_KEPT + 1))) {
    removeQuietly(runPath(place, instance));
  }
  return added;
}

/** Records a run that has no file, or no longer. */
export function restoreRun(world: World, place: StatePlace, markers: readonly string[], run: AgentRun): RunChange {
  const unmade = makeRunsDirectory(world, place, markers);
  if (unmade !== undefined) return { kind: "failed", reason: unmade };
  return publish(world, place, run, (present) => present.kind === "absent");
}

/** @output why it can't be made */
export function makeRunsDirectory(world: World, place: StatePlace, markers: readonly string[]): string | undefined {
  const unmade = makeStatePlace(world, place, markers);
  if (unmade !== undefined) return unmade;
  const directory = runsDirectory(place);
  try {
    if (isLinked(directory)) return `'${directory}' is a link`;
    disk.makeDirectory(directory);
    return undefined;
  } catch (error) {
    return errnoOf(error);
  }
}

/**
 * Records the next state of a run, unless another process changed it since it was read. The file is written beside the old
 * one and renamed under a lock that is still ours.
 */
export function saveRun(world: World, place: RunsPlace, run: AgentRun): RunChange {
  const next = { ...run, n: run.n + 1, updatedAt: world.now() };
  return publish(world, place, next, (present) => present.kind === "run" && present.run.n === run.n);
}

function publish(world: World, place: RunsPlace, next: AgentRun, follows: (present: RunRead) => boolean): RunChange {
  // The state directory may have been made anew since the run began.
  const run = { ...next, tree: treeOf(place) ?? "" };
  const path = runPath(place, run.instance);
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
  let reason = "it was changed meanwhile";
  try {
    if (follows(readRun(place, run.instance))) {
      const drafted = createFile(draft, text, OWN_MODE);
      if (drafted.kind === "failed") reason = drafted.errno;
      else if (lock.finish(() => disk.rename(draft, path))) return { kind: "changed", run };
      else reason = "the lock was broken";
    }
  } catch (error) {
    reason = errnoOf(error);
  }
  removeQuietly(draft);
  lock.release();
  return { kind: "failed", reason };
}

function runPath(place: RunsPlace, instance: string): string {
  return join(runsDirectory(place), `${instance}.json`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
