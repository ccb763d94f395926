import { HELP_ARGS, notFound, textFlag, usage } from "../cli/args.ts";
import type { Client, ClientEvent } from "../clients/client.ts";
import { UNLIMITED } from "../clients/events.ts";
import { clientNames, loadClient } from "../clients/registry.ts";
import type { Command, Outcome } from "../command.ts";
import { answerIn, type Placed } from "../hooks/answer.ts";
import { ONLY_PART, readPart, type Part } from "../hooks/part.ts";
import type { Table } from "../lib/table.ts";
import { anyOf } from "../lib/words.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  the client's event, as JSON on standard input
 * @effect the ledger, depending on the event
 * @error  usage, which exits 0 like everything else, so that the client's work goes on; `CODELIA_TRACE` shows what
 *          happened
 */
export const command: Command = {
  meta: {
    name: "hook",
    description: "Answer a client's hook: event on standard input, JSON on standard output.",
  },
  args: {
    client: {
      type: "positional",
      get description() {
        return anyOf(clientNames());
      },
    },
    mod: { type: "boolean", description: "answer a module in the client: no limit, instruction files apart" },
    part: { type: "string", valueHint: "I/N", description: "print part I of N of a long text, or the whole" },
    ...HELP_ARGS,
  },
  maxOperands: 1,
  async run(world, { flags, operands }): Promise<Outcome> {
    if (world.env["CODELIA_DISABLE"] === "1") return "ok";
    const [name = ""] = operands;
    const client = await loadClient(name);
    const asked = flags["part"];
    const part = asked === undefined ? ONLY_PART : readPart(textFlag(asked));
    if (client === undefined) {
      const { unknownClient } = await import("../clients/choose.ts");
      return notFound(unknownClient(name, clientNames()));
    }
    if (part === undefined) return usage("'--part' must be like 1/4, for part 1 of 4, or 'whole'");
    if (flags["mod"] === true) {
      const bytes = await world.readEvent((read) => parse(read) !== undefined);
      const input = bytes && parse(bytes);
      const { answerMod } = await import("../hooks/channels/answer.ts");
      if (input !== undefined) await answerMod(world, client, input as Table, answerTo);
      return "ok";
    }
    try {
      await answer(world, part.isWhole ? { ...client, limit: UNLIMITED } : client, part);
    } catch (error) {
      world.trace("hook-failed", { message: error instanceof Error ? error.stack : String(error) });
    }
    for (const warning of world.takeWarnings()) world.trace("warning", { warning });
    return "ok";
  },
};

/** Creates no promise unless it must wait: a promise would cost a hook call more than the wait itself. */
function answer(world: World, client: Client, part: Part): unknown {
  let json: unknown;
  // Some clients leave the input open, so the event is complete as soon as its JSON is.
  const isAll = (bytes: Uint8Array): boolean => (json = parse(bytes)) !== undefined;
  const bytes = world.readEvent(isAll);
  if (bytes instanceof Promise)
    return bytes.then((read) => answerTo(world, client, part, eventIn(world, client, read, json)));
  return answerTo(world, client, part, eventIn(world, client, bytes, json));
}

/** Opens the event's workspace and answers. `prepare`: adds what is known of the event once there is a workspace. */
export function answerTo(
  world: World,
  client: Client,
  part: Part,
  event: ClientEvent | undefined,
  prepare?: (workspace: Workspace) => Promise<Pick<ClientEvent, "given">>,
): unknown {
  if (event === undefined) return undefined;
  world.trace("event", { name: event.name, kind: event.what.kind, context: event.context });
  const { session, context, what } = event;
  if (what.kind === "stop") {
    return import("../hooks/stop.ts").then(({ tellStop }) => tellStop(world, client, session, what));
  }
  const placed: Placed = { ...event, what };
  const opened = openWorkspace(world, {
    cwd: event.cwd,
    root: undefined,
    noState: false,
    key: { session, context },
  });
  if (prepare !== undefined) {
    return opened.then(async (workspace) =>
      answerIn(world, workspace, client, { ...placed, ...(await prepare(workspace)) }, part),
    );
  }
  return opened.then((workspace) => answerIn(world, workspace, client, placed, part));
}

function eventIn(world: World, client: Client, bytes: Uint8Array | undefined, json: unknown): ClientEvent | undefined {
  if (bytes === undefined) return none(world, "too-long");
  const input = json ?? parse(bytes);
  if (input === undefined) return none(world, bytes.length === 0 ? "nothing-sent" : "no-object");
  // Complete if it ends like an object and is valid JSON.
  const event = client.readEvent(input as Record<string, unknown>);
  if (event === undefined) return none(world, "not-for-us");
  // Other hooks of ours answer for this session, but its end is not announced to them.
  const isAnswered = event.session === world.env["CODELIA_ANSWERED"] && event.what.kind !== "end-of-session";
  return isAnswered ? none(world, "answered") : event;
}

/** Undefined if it is incomplete or not an object. */
function parse(bytes: Uint8Array): unknown {
  // A long one arrives in many parts: parsing from the start each time would take longer than anything else.
  if (!endsLikeEvent(bytes)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function none(world: World, why: string): undefined {
  world.trace("no-event", { why });
}

/** Whether the last non-blank byte closes an object. */
function endsLikeEvent(bytes: Uint8Array): boolean {
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = bytes[index] ?? 0;
    if (byte > 0x20) return byte === 0x7d;
  }
  return false;
}
