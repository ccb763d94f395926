import { readGuidedPointer } from "../../agent/run/guided-pointer.ts";
import type { Client, ClientEvent } from "../../clients/client.ts";
import { userDirectoriesOf } from "../../config/user-directories.ts";
import { joinBytes } from "../../lib/bytes.ts";
import { ownProgram } from "../../lib/programs.ts";
import type { Table } from "../../lib/table.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { ONLY_PART, type Part } from "../part.ts";
import { readModEvent } from "./mod.ts";

// Events that don't come to a process of their own.

/** Answers an event from any channel. `prepare`: adds what is known once there is a workspace. */
export type AnswerEvent = (
  world: World,
  client: Client,
  part: Part,
  event: ClientEvent | undefined,
  prepare?: (workspace: Workspace) => Promise<Pick<ClientEvent, "given">>,
) => unknown;

/** Answers while others are answered, until the signal ends it. */
export type AnswerLater = (signal: AbortSignal) => Promise<void>;

/**
 * Answers an event that a hook sent to a running server.
 *
 * @output what answers it instead, if that may take minutes
 * @effect as the hook command's
 * @ensures never throws: failures are traced
 */
export async function answerCall(
  world: World,
  client: Client,
  part: Part,
  input: Table,
  answer: AnswerEvent,
): Promise<AnswerLater | undefined> {
  let later: AnswerLater | undefined;
  await traced(world, () => {
    const event = client.readEvent(input);
    if (event === undefined) return notForUs(world);
    if (event.what.kind !== "stop") return answer(world, client, part, { ...event, channel: "mcp" });
    if (!isGuided(world, event.session)) return undefined;
    later = (signal) => traced(world, () => answerByProcess(world, client, input, signal));
  });
  return later;
}

function isGuided(world: World, session: string): boolean {
  return readGuidedPointer(userDirectoriesOf(world.env, world.home), session) !== undefined;
}

/** As long as the client waits for the end of a turn. */
const STOP_MS = 600_000;

/** A step may be checked by a command that takes minutes. It is a process's work, with a world of its own. */
async function answerByProcess(world: World, client: Client, input: Table, signal: AbortSignal): Promise<void> {
  const { runProgram } = await import("../../lib/process.ts");
  const [program = "", ...words] = ownProgram(world);
  const output: Uint8Array[] = [];
  const end = await runProgram(world, {
    program,
    args: [...words, "hook", client.name],
    cwd: world.cwd(),
    env: { CODELIA_ANSWERED: "" },
    marker: { name: "CODELIA_STOP", value: world.random() },
    stdin: JSON.stringify(input),
    timeoutMs: STOP_MS,
    signal,
    onOutput: (bytes) => void output.push(bytes),
  });
  if (end.kind !== "ended") return world.trace("hook-failed", { message: end.kind });
  if (output.length > 0) world.write(joinBytes(output));
}

/** The same for an event that a module in the client sends to a process. */
export function answerMod(world: World, client: Client, input: Table, answer: AnswerEvent): Promise<void> {
  return traced(world, async () => {
    // The module asks first whether it can read an answer: what is told counts as told.
    if (input["ping"] === true) return void world.write('{"pong":true}\n');
    const setting = readModEvent(world, client, input);
    if (setting === undefined) return notForUs(world);
    await answer(setting.world, setting.client, ONLY_PART, setting.event, setting.prepare);
    setting.conclude();
  });
}

async function traced(world: World, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    world.trace("hook-failed", { message: error instanceof Error ? error.stack : String(error) });
  }
  for (const warning of world.takeWarnings()) world.trace("warning", { warning });
}

function notForUs(world: World): void {
  world.trace("no-event", { why: "not-for-us" });
}
