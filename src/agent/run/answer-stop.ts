import { join } from "node:path";
import type { AgentCommand } from "../../trust/agent-commands.ts";
import type { Continuation, EventKind, Host } from "../../clients/host.ts";
import type { UserPlaces } from "../../config/user-places.ts";
import { removeGuidedPointer, type GuidedPointer } from "./guided-pointer.ts";
import { removeQuietly, writeWhole } from "../../lib/write-file.ts";
import type { AgentRun } from "../agent-run.ts";
import type { World } from "../../world.ts";
import { assertNamesTrusted } from "../definition/named-files.ts";
import { commandWords } from "../definition/command-words.ts";
import { createPromptResolver } from "../definition/read-prompt.ts";
import { checkByCommand } from "./command-check.ts";
import { guide, type Guided } from "./guide.ts";
import { readRun, runsDirectory, saveRun, type RunsPlace } from "./store.ts";
import { failed } from "../judge/agent-result.ts";
import { limitsOf } from "../judge/limits.ts";
import { openDefinition } from "../definition/open-definition.ts";

/** One that can be had to go on. */
export type GuidingHost = Host & { readonly continuation: Continuation };

/** The host ends a hook after ten minutes: the verdict must be there before. */
const MAX_CHECK_MS = 570_000;

/**
 * The host's model has stopped in a session that is guided: it may, or is told the next prompt.
 *
 * @output the host's documented continuation, or nothing
 * @effect the record of the run, before anything is said: what can't be recorded is not said, or there would be no end
 *         to it; a check's command
 * @error  none but a failing disk's
 */
export async function answerStop(
  world: World,
  places: UserPlaces,
  host: GuidingHost,
  pointer: GuidedPointer,
  heard: Extract<EventKind, { kind: "stop" }>,
): Promise<void> {
  const read = readRun(pointer, pointer.instance);
  if (read.kind !== "run" || read.run.status !== "started" || read.run.session !== pointer.session) {
    world.trace("guided-run-gone", { instance: pointer.instance, kind: read.kind });
    return removeGuidedPointer(places, pointer.session);
  }
  const { run, say } = await judge(world, places, host.continuation.max, read.run, heard);
  const answer = say === undefined ? undefined : fitting(world, host, pointer, run, say);
  const saved = saveRun(world, pointer, run);
  world.trace("guided", { instance: run.instance, step: run.step, status: run.status, saved: saved.kind });
  if (run.status === "stopped") {
    removeGuidedPointer(places, pointer.session);
    removeQuietly(promptPath(pointer, run));
  }
  if (saved.kind === "changed" && answer !== undefined) world.write(answer);
}

async function judge(
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
        checkByCommand: (given, answer) => {
          const { signal } = new AbortController();
          const words = commandWords(validated.directory, given);
          const command: AgentCommand = { key: "the check's command", words, behind: [], kind: "command" };
          assertNamesTrusted(world, places, opened.trusted, [command], run.cwd);
          return checkByCommand(world, { words, cwd: run.cwd, answer, timeoutMs, signal });
        },
        maxContinuations,
        now: world.now,
      },
    );
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

/** What is longer than the host lets through is a file, which the model is told to read. */
function fitting(world: World, host: GuidingHost, place: RunsPlace, run: AgentRun, text: string): string | undefined {
  const answer = host.continuation.answer(text);
  if (host.fits(answer)) return answer;
  const path = promptPath(place, run);
  const written = writeWhole(world, path, text);
  return written.kind === "written"
    ? host.continuation.answer(`Read '${path}' to its end, and do what it says.`)
    : undefined;
}

function promptPath(place: RunsPlace, { instance }: AgentRun): string {
  return join(runsDirectory(place), `${instance}.prompt.md`);
}
