import { dirname, join } from "node:path";
import { fits } from "../../clients/events.ts";
import type { Continuation, EventKind, Client } from "../../clients/client.ts";
import type { UserPlaces } from "../../config/user-places.ts";
import { findStatePlace } from "../../ledger/place.ts";
import { disk, errnoOf } from "../../lib/fs.ts";
import { acquireLock } from "../../lib/lock.ts";
import { removeQuietly, writeWhole } from "../../lib/write-file.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { openDefinition } from "../definition/open.ts";
import { createPromptResolver, type PromptResolver } from "../definition/prompts.ts";
import { carryOver } from "../engines/recovery.ts";
import { ExecutionError } from "../errors.ts";
import { judgeAnswer, judgeReview, type StepCheckResult } from "../judge/answer.ts";
import { failed, succeeded, createCompletion, limitsOf } from "../judge/completion.ts";
import { createStepFlow, stepOf } from "../judge/step.ts";
import { createStepContext } from "../judge/variables.ts";
import type { AgentResult, AgentRun, IterationSummary } from "../run-schema.ts";
import type { AgentDefinition } from "../schema.ts";
import { trustedChecks } from "./command-check.ts";
import { alreadyStarted } from "./execution.ts";
import {
  pointerPath,
  readGuidedPointer,
  removeGuidedPointer,
  sweepGuidedPointers,
  writeGuidedPointer,
  type GuidedPointer,
} from "./guided-pointer.ts";
import { limitReached } from "./loop.ts";
import { checkText, checkVariables, keptResponse, MAX_REASON_UNITS, stepText, stepVariables } from "./questions.ts";
import { addRun, readRun, runsDirectory, saveRun, type RunsPlace } from "./store.ts";

// A guided run: a client's session works on the steps, and its Stop hook judges each answer and gives the next prompt.

const LOCK_WAIT_MS = 1000;

/**
 * Records a new guided run, and that the session is guided through it: a session has one at a time.
 *
 * @error ExecutionError; `AlreadyStarted` while another goes on
 */
export function recordGuided(
  world: World,
  { places, root, settings }: Workspace,
  session: string,
  run: AgentRun,
): void {
  const place = findStatePlace(root.directory, places, world.home);
  const path = pointerPath(places, session);
  const unmade = makeDirectory(dirname(path));
  const attempt = unmade === undefined ? acquireLock(world, { path: `${path}.lock`, waitMs: LOCK_WAIT_MS }) : undefined;
  if (attempt?.kind !== "locked") throw unrecorded(unmade ?? (attempt?.kind === "failed" ? attempt.reason : "settled"));
  try {
    const other = liveRun(places, session);
    if (other !== undefined) {
      throw alreadyStarted(
        `session '${session}' is already guided through '${other}'; end it with 'codelia agent stop ${other}'`,
      );
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

/** A client that a Stop hook can tell to go on. */
type GuidingClient = Client & { readonly continuation: Continuation };

/** A check must end before the client ends the hook, after ten minutes. */
const MAX_CHECK_MS = 570_000;

/**
 * The client's model has stopped in a guided session. Lets it stop, or prints the client's documented continuation with the
 * next prompt.
 *
 * @effect records the run first: a prompt that is not recorded is not given, or the run would never end; a check's command
 */
export async function answerStop(
  world: World,
  places: UserPlaces,
  client: GuidingClient,
  pointer: GuidedPointer,
  heard: Extract<EventKind, { kind: "stop" }>,
): Promise<void> {
  const read = readRun(pointer, pointer.instance);
  if (read.kind !== "run" || read.run.status !== "started" || read.run.session !== pointer.session) {
    world.trace("guided-run-gone", { instance: pointer.instance, kind: read.kind });
    return removeGuidedPointer(places, pointer.session);
  }
  const { run, say } = await judgeStop(world, places, client.continuation.max, read.run, heard);
  const answer = say === undefined ? undefined : fitting(world, client, pointer, run, say);
  const saved = saveRun(world, pointer, run);
  world.trace("guided", { instance: run.instance, step: run.step, status: run.status, saved: saved.kind });
  if (run.status === "stopped") {
    removeGuidedPointer(places, pointer.session);
    removeQuietly(promptPath(pointer, run));
  }
  if (saved.kind === "changed" && answer !== undefined) world.write(answer);
}

async function judgeStop(
  world: World,
  places: UserPlaces,
  maxContinuations: number,
  run: AgentRun,
  { message, isContinued }: Extract<EventKind, { kind: "stop" }>,
): Promise<Guided> {
  const end = (why: string): Guided => ({
    run: { ...run, status: "stopped", result: failed(why, run.summaries) },
    say: undefined,
  });
  try {
    const opened = await openDefinition(world, { places }, run.definition, undefined);
    if ("code" in opened) return end(opened.message);
    const { validated } = opened;
    const timeoutMs = Math.min(MAX_CHECK_MS, limitsOf(validated.definition).timeoutMs);
    return await guide(
      validated.definition,
      run,
      { message, isContinued },
      {
        prompts: createPromptResolver(validated.directory),
        checkByCommand: (words, answer) => {
          const { signal } = new AbortController();
          return trustedChecks(world, places, opened)({ words, cwd: run.cwd, answer, timeoutMs, signal });
        },
        maxContinuations,
        now: world.now,
      },
    );
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

/** A prompt that is too long for the client goes into a file that the model is told to read. */
function fitting(
  world: World,
  client: GuidingClient,
  place: RunsPlace,
  run: AgentRun,
  text: string,
): string | undefined {
  if (fits(client, text)) return client.continuation.answer(text);
  const path = promptPath(place, run);
  const written = writeWhole(world, path, text);
  return written.kind === "written"
    ? client.continuation.answer(`Read all of '${path}' and do what it says.`)
    : undefined;
}

function promptPath(place: RunsPlace, { instance }: AgentRun): string {
  return join(runsDirectory(place), `${instance}.prompt.md`);
}

/** The last message of the client's model. */
interface Heard {
  readonly message: string;
  /** Whether the client stops after it was told to go on. */
  readonly isContinued: boolean;
}

interface GuideMeans {
  readonly prompts: PromptResolver;
  readonly checkByCommand: (words: readonly string[], answer: string) => Promise<StepCheckResult>;
  /** How often in a row the client can be told to go on. */
  readonly maxContinuations: number;
  readonly now: () => number;
}

interface Guided {
  readonly run: AgentRun;
  /** The next prompt; undefined where the model may stop. */
  readonly say: string | undefined;
}

/** One stop: judged as in a driven run, but a check by prompt is one more turn. An error ends the run. */
async function guide(definition: AgentDefinition, run: AgentRun, heard: Heard, means: GuideMeans): Promise<Guided> {
  const present = { ...run, continuations: heard.isContinued ? run.continuations : 0 };
  try {
    // A message is not about a prompt that the model has not been given.
    const next = run.isUntold ? present : await judgeMessage(definition, present, heard.message, means);
    if (next.result !== undefined) return { run: { ...next, status: "stopped" }, say: undefined };
    const say = await nextPrompt(definition, next, means.prompts);
    if (next.continuations >= means.maxContinuations) {
      return { run: { ...next, isUntold: true }, say: undefined };
    }
    return { run: { ...next, isUntold: false, continuations: next.continuations + 1 }, say };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { run: { ...present, status: "stopped", result: failed(why, run.summaries) }, say: undefined };
  }
}

/** The prompt of the step that a run is at, or of its check. */
export async function nextPrompt(definition: AgentDefinition, run: AgentRun, prompts: PromptResolver): Promise<string> {
  const step = stepOf(definition, run.step);
  if (step === undefined) throw new Error(`there is no step '${run.step}'`);
  const context = createStepContext(run.outputs);
  const variables = stepVariables(run.step, step, context, run.variables);
  if (run.awaiting === "review" && step.check?.type === "prompt") {
    return checkText(await prompts.resolve(step.check.prompt, checkVariables(run.step, variables, context)));
  }
  return stepText(run.step, step, await prompts.resolve(step.prompt, variables), run.complaint);
}

async function judgeMessage(
  definition: AgentDefinition,
  run: AgentRun,
  message: string,
  means: GuideMeans,
): Promise<AgentRun> {
  const step = stepOf(definition, run.step);
  if (step === undefined) throw new Error(`there is no step '${run.step}'`);
  if (run.awaiting === "review") return settle(definition, run, judgeReview({ text: message }), means);
  const context = createStepContext(run.outputs);
  const iteration = run.summaries.length + 1;
  const carry = carryOver(run.previousResponse, run.outputs);
  const turn = { name: run.step, step, answer: { text: message }, iteration, carry };
  const judged = judgeAnswer(turn, context, createCompletion(definition.completion));
  const outputs = { ...context.outputs } as AgentRun["outputs"];
  const answered: AgentRun = { ...run, outputs, previousResponse: keptResponse(message) };
  switch (judged.kind) {
    case "complete": {
      const ended = withSummary(answered, { pass: true, reason: judged.reason }, means);
      return { ...ended, result: succeeded(judged.reason, ended.summaries) };
    }
    case "checked":
      return settle(definition, answered, judged.result, means);
    case "command":
      return settle(definition, answered, await means.checkByCommand(judged.command, message), means);
    case "prompt":
      return { ...answered, awaiting: "review" };
  }
}

/** Ends the iteration, and moves on. */
function settle(definition: AgentDefinition, run: AgentRun, verdict: StepCheckResult, means: GuideMeans): AgentRun {
  const { complaint: _before, ...ended } = withSummary(run, verdict, means);
  const flow = createStepFlow(definition, { step: run.step, failures: run.failures });
  const transition = flow.transition(verdict);
  const { summaries } = ended;
  switch (transition.kind) {
    case "complete":
      return { ...ended, result: succeeded(transition.reason, summaries) };
    case "used-up":
      return { ...ended, result: failed(transition.error, summaries) };
    case "step": {
      const isRepeated = !verdict.pass && flow.position.step === run.step;
      const next: AgentRun = { ...ended, ...flow.position, ...(isRepeated && { complaint: verdict.reason }) };
      const { maxIterations } = limitsOf(definition);
      if (summaries.length < maxIterations) return next;
      const result: AgentResult = failed(limitReached(maxIterations), summaries);
      return { ...next, result };
    }
  }
}

function withSummary(run: AgentRun, { pass, reason }: StepCheckResult, { now }: GuideMeans): AgentRun {
  const summary: IterationSummary = {
    iteration: run.summaries.length + 1,
    step: run.step,
    passed: pass,
    reason: reason.slice(0, MAX_REASON_UNITS),
    queries: run.awaiting === "review" ? 2 : 1,
    durationMs: Math.max(0, now() - run.updatedAt),
  };
  return { ...run, awaiting: "answer", summaries: [...run.summaries, summary] };
}
