import type { Table } from "../lib/table.ts";
import type { World } from "../world.ts";

/** An event of a client, as its hook sends it. */
export interface HookCall {
  /** As in `codelia hook NAME`. */
  readonly client: string;
  /** As in `--part`. */
  readonly part: string | undefined;
  readonly given: Table;
  /** The client's own data about the call, besides the arguments. */
  readonly meta: Table;
}

/** Answers one event as `codelia hook` does; what it prints is the answer. Or gives what will answer it. */
export type AnswerHook = (world: World, call: HookCall) => Promise<AnswerLater | undefined>;

/** Answers while others are answered, until the signal ends it. */
type AnswerLater = (signal: AbortSignal) => Promise<void>;

/** The call in a tool's arguments; undefined if it names no client. */
export function readHookCall({ client, part, ...given }: Table, meta: Table): HookCall | undefined {
  if (typeof client !== "string") return undefined;
  return { client, part: typeof part === "string" ? part : undefined, given, meta };
}

/**
 * Answers one event in a world of its own: like a process, it shares no state with the next event. What takes longer
 * goes on until `signal`, and nobody waits for it.
 *
 * @input  heardAt: the server's clock when the event came; answer: takes the output, before it is recorded
 */
export async function callHook(
  world: World,
  hook: AnswerHook,
  call: HookCall,
  heardAt: number,
  answer: (text: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { cwd } = call.given;
  const warnings: string[] = [];
  let isAnswered = false;
  const own: World = {
    ...world,
    cwd: () => (typeof cwd === "string" ? cwd : world.cwd()),
    // The server never changes directory: relative paths would lead elsewhere for every later event.
    changeDirectory: undefined,
    ticks: () => world.ticks() - heardAt,
    readStdin: () => new Uint8Array(),
    isTerminal: () => false,
    warn: (sentence) => void warnings.push(sentence),
    takeWarnings: () => warnings.splice(0),
    complain: (text) => world.trace("complaint", { text }),
    write(data) {
      isAnswered = true;
      return answer(typeof data === "string" ? data : new TextDecoder().decode(data));
    },
  };
  const conclude = () => {
    if (!isAnswered) answer("");
  };
  const later = await hook(own, call);
  if (later === undefined) conclude();
  else void later(signal).then(conclude);
}
