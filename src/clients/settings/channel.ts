import { textFlag, usage } from "../../cli/args.ts";
import type { Invocation, Problem } from "../../command.ts";
import { callProgram } from "../../lib/process.ts";
import { findProgram } from "../../lib/programs.ts";
import { anyOf } from "../../lib/words.ts";
import type { World } from "../../world.ts";
import { diskFacts } from "../tree-facts.ts";
import type { Channel, ClientChannel, ClientSettings, Scope, SettingsEnvironment } from "./model.ts";

/** A channel, and why a better one is not used. */
export interface ChosenChannel {
  readonly channel: Channel;
  readonly why?: string;
  /** Of the installed client, if it says one. */
  readonly version?: string;
}

const VERSION_TIMEOUT_MS = 10_000;
const MAX_VERSION_BYTES = 64 * 1024;

/** The channels of a client, best first. */
export function channelsOf({ channels = [] }: ClientSettings): readonly Channel[] {
  return [...channels.map(({ channel }) => channel), "command"];
}

/**
 * The channel that the user requests, or the best that the installed client supports.
 *
 * @effect runs the client for its version
 */
export function chooseChannel(
  world: World,
  client: ClientSettings,
  scope: Scope,
  places: SettingsEnvironment,
  { flags }: Invocation,
): ChosenChannel | Problem {
  const asked = textFlag(flags["channel"]) as Channel | undefined;
  const channels = channelsOf(client);
  if (asked !== undefined) {
    if (!channels.includes(asked))
      return usage(`'--channel' can't be '${asked}' for ${client.name}; ${anyOf(channels)}`);
    if (scope === "project" && client.plugin?.channels.includes(asked)) {
      return usage(`'--channel ${asked}' needs files of your own: use '--scope local' or '--scope user'`);
    }
  }
  const [best] = client.channels ?? [];
  const version = best === undefined ? undefined : versionOf(world, best.program, places.root);
  const chosen = asked === undefined ? bestChannel(world, client, scope, version) : { channel: asked };
  return { ...chosen, ...(version !== undefined && { version }) };
}

function bestChannel(world: World, client: ClientSettings, scope: Scope, version: string | undefined): ChosenChannel {
  const [best] = client.channels ?? [];
  if (best === undefined) return { channel: "command" };
  if (scope === "project") {
    return {
      channel: "command",
      why: "the file is shared, and others may have an older client; elsewhere a tool call starts none",
    };
  }
  const facts = diskFacts(world);
  const blocked = client.blocked?.(best.channel, facts);
  const usable = (client.channels ?? []).filter(({ channel }) => client.blocked?.(channel, facts) === undefined);
  if (blocked !== undefined && usable.length === 0) return { channel: "command", why: blocked };
  if (version === undefined) return { channel: "command", why: `'${best.program}' was not found on PATH` };
  const fitting = usable.find(({ since }) => !isOlder(version, since));
  if (fitting !== undefined) return { channel: fitting.channel, ...(blocked !== undefined && { why: blocked }) };
  return { channel: "command", why: `'${best.program}' ${version} is older than ${best.since}` };
}

/** Why the installed client does not support a channel; undefined if it does, or is not installed. */
export function whyTooOld(world: World, { program, since }: ClientChannel, root: string): string | undefined {
  const version = versionOf(world, program, root);
  if (version === undefined || !isOlder(version, since)) return undefined;
  return `'${program}' ${version} is older than ${since}: run 'codelia install ${program}' again`;
}

/** The version that a client's program prints. */
function versionOf(world: World, name: string, root: string): string | undefined {
  const program = findProgram(world, name, root);
  if (program === undefined) return undefined;
  const answer = callProgram(world, {
    program,
    args: ["--version"],
    cwd: world.home === "" ? root : world.home,
    env: {},
    timeoutMs: VERSION_TIMEOUT_MS,
    maxOutputBytes: MAX_VERSION_BYTES,
  });
  return answer.kind === "ended" ? /\d{1,4}\.\d{1,4}\.\d{1,4}/.exec(answer.stdout)?.[0] : undefined;
}

/** Whether a version comes before another; both are three numbers. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((each) => each.split(".").map(Number));
  const at = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return at >= 0 && (left?.[at] ?? 0) < (right?.[at] ?? 0);
}

/** A summary of an installation in two sentences. */
export function explainChannel({ channel, why }: ChosenChannel, { events }: Pick<ClientSettings, "events">): string[] {
  const reason = why === undefined ? "" : ` (${why})`;
  switch (channel) {
    case "mod":
      return [
        "a module in the client gives starts, hooks ask a running 'codelia mcp': no process is started for a tool call",
      ];
    case "mcp":
      return [
        `hooks ask a running 'codelia mcp': no process is started for a tool call; a start and an end run one${reason}`,
      ];
    case "command": {
      const isTwice = events.filter(({ name }) => TOOL_EVENT.test(name)).length > 1;
      return [`each event starts codelia, a tool call ${isTwice ? "twice" : "once"}${reason}`];
    }
  }
}

/** A tool call has one of them, or one before it and one after it. A plugin asks once. */
const TOOL_EVENT = /^(?:pre|post|before|after)tool(?:use)?$/i;
