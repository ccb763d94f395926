import { HELP_ARGS, textFlag, usage } from "../cli/args.ts";
import type { Client, ClientEvent, PlacedEvent } from "../clients/client.ts";
import { UNLIMITED } from "../clients/events.ts";
import { CLIENT_NAMES, loadClient } from "../clients/registry.ts";
import type { Command, Outcome } from "../command.ts";
import { hasPlugin } from "../config/settings.ts";
import { ONLY_PART, readPart, type Part } from "../hooks/part.ts";
import { tellTool } from "../hooks/tool.ts";
import { anyOf } from "../lib/text.ts";
import { findContext } from "../ledger/contexts.ts";
import { owedTo } from "../ledger/delivery.ts";
import { viewSession } from "../ledger/read.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  the client's event, as JSON on standard input
 * @effect the ledger, as the event demands
 * @error  usage, which exits 0 like everything else, so that the client's work goes on; `CODELIA_TRACE` shows what happened
 */
export const command: Command = {
  meta: {
    name: "hook",
    description: "Answer a client's hook: event on standard input, JSON on standard output.",
  },
  args: {
    client: { type: "positional", description: anyOf(CLIENT_NAMES) },
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
      return usage(unknownClient(name, CLIENT_NAMES));
    }
    if (part === undefined) return usage("'--part' must be like 1/4, for part 1 of 4, or 'whole'");
    try {
      await answer(world, part.isWhole ? { ...client, limit: UNLIMITED } : client, part);
    } catch (error) {
      world.trace("hook-failed", { message: error instanceof Error ? error.stack : String(error) });
    }
    for (const warning of world.takeWarnings()) world.trace("warning", { warning });
    return "ok";
  },
};

/** Mostly without a promise of its own: each costs a call of a hook more than what it waits for. */
function answer(world: World, client: Client, part: Part): unknown {
  let json: unknown;
  // A client that leaves its end open is not waited for: the event is there when its JSON is whole.
  const isAll = (bytes: Uint8Array): boolean => (json = parse(bytes)) !== undefined;
  const bytes = world.readEvent(isAll);
  if (bytes instanceof Promise)
    return bytes.then((read) => answerTo(world, client, part, eventIn(world, client, read, json)));
  return answerTo(world, client, part, eventIn(world, client, bytes, json));
}

function answerTo(world: World, client: Client, part: Part, event: ClientEvent | undefined): unknown {
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
  return opened.then((workspace) => actIn(world, workspace, client, placed, part));
}

type Placed = ClientEvent & { readonly what: PlacedEvent };

function actIn(world: World, workspace: Workspace, client: Client, event: Placed, part: Part): unknown {
  const { what } = event;
  if (hasPlugin(workspace.layers, world.env, "hook:event")) return actAsPlugged(world, workspace, client, event, part);
  // Nearly all that clients ask.
  if (what.kind === "before-tool" && part.index === 1) return tellTool(world, workspace, client, event, what);
  return act(world, workspace, client, event, part);
}

async function actAsPlugged(
  world: World,
  workspace: Workspace,
  client: Client,
  event: Placed,
  part: Part,
): Promise<void> {
  const { pluggedEvent } = await world.extensions();
  const what = pluggedEvent(world, workspace, client.name, event.name, event.what);
  return act(world, workspace, client, { ...event, what }, part);
}

function eventIn(world: World, client: Client, bytes: Uint8Array | undefined, json: unknown): ClientEvent | undefined {
  if (bytes === undefined) return none(world, "too-long");
  const input = json ?? parse(bytes);
  if (input === undefined) return none(world, bytes.length === 0 ? "nothing-sent" : "no-object");
  // What ends like an object and is JSON is one.
  return client.readEvent(input as Record<string, unknown>) ?? none(world, "not-for-us");
}

/** Undefined for what is not whole, or no object. */
function parse(bytes: Uint8Array): unknown {
  // A long one comes in many parts: parsing each time from its beginning would take longer than all else.
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

/** Whether the last byte that is no blank closes an object. */
function endsLikeEvent(bytes: Uint8Array): boolean {
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = bytes[index] ?? 0;
    if (byte > 0x20) return byte === 0x7d;
  }
  return false;
}

async function act(world: World, workspace: Workspace, client: Client, event: Placed, part: Part): Promise<void> {
  const { what } = event;
  if (what.kind === "begin") {
    const { beginContext } = await import("../hooks/begin.ts");
    return beginContext(world, workspace, client, event, what.inherits, part, what.once);
  }
  // Only a beginning has more to say than one answer holds.
  if (part.index > 1) return;
  switch (what.kind) {
    case "before-tool":
      return void (await tellTool(world, workspace, client, event, what));
    case "after-tool": {
      const { recordTool } = await import("../hooks/record-tool.ts");
      await recordTool(world, workspace, client, what);
      return carryOn(world, workspace, client, event);
    }
    case "tool": {
      const { recordTool } = await import("../hooks/record-tool.ts");
      await recordTool(world, workspace, client, what);
      const isSaid = await whether(world, (inside) => tellTool(inside, workspace, client, event, what));
      return isSaid ? undefined : carryOn(world, workspace, client, event);
    }
    case "prompt": {
      if (what.begins === true) {
        const { beginUnknown } = await import("../hooks/begin.ts");
        if (await beginUnknown(world, workspace, client, event)) return;
      }
      const { tellPrompt } = await import("../hooks/prompt.ts");
      const isSaid = await whether(world, (inside) => tellPrompt(inside, workspace, client, event, what.text));
      return isSaid ? undefined : carryOn(world, workspace, client, event);
    }
    case "resume": {
      const { tellResume } = await import("../hooks/resume.ts");
      return tellResume(world, workspace, client, event);
    }
    case "forget":
    case "end-of-context":
    case "end-of-session": {
      const { changeContexts } = await import("../hooks/contexts.ts");
      return changeContexts(world, workspace, what.kind);
    }
  }
}

/** Whether something was printed meanwhile: a client takes one answer. */
async function whether(world: World, tell: (world: World) => unknown): Promise<boolean> {
  let isSaid = false;
  const write: World["write"] = (data) => {
    isSaid = true;
    return world.write(data);
  };
  await tell({ ...world, write });
  return isSaid;
}

/** More of what the context's beginning could not give. */
async function carryOn(world: World, workspace: Workspace, client: Client, event: Placed): Promise<void> {
  if (workspace.noState || !isOwedMore(world, workspace)) return;
  const { carryOn: giveMore } = await import("../hooks/begin.ts");
  await giveMore(world, workspace, client, event);
}

function isOwedMore(world: World, { key, root, places }: Workspace): boolean {
  const { session } = viewSession(root.directory, key.session, places, world.home);
  return owedTo(findContext(session, key.context)) !== undefined;
}
