import { WriteStream, type ReadStream } from "node:tty";
import type { Key } from "./keys.ts";
import type { World } from "../world.ts";
import { createKeyDecoder } from "./keys.ts";

interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

type TerminalEvent =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "resize" }
  /** The terminal was closed. */
  | { readonly kind: "end" };

export interface Terminal {
  size(): TerminalSize;
  /** Writes at once, escape sequences included. */
  write(text: string): void;
  /** Waits for the next event. */
  next(): Promise<TerminalEvent>;
  /** Whether an event is waiting. */
  hasNext(): boolean;
}

/** Switches to the alternate screen, turns on bracketed paste, and turns off line wrapping. */
const ENTER = "\u001B[?1049h\u001B[?2004h\u001B[?7l";
const LEAVE = "\u001B[?7h\u001B[?2004l\u001B[?25h\u001B[0m\u001B[?1049l";
/** The bytes of one key arrive within this time; a person's next key doesn't. */
const ESCAPE_MS = 100;
const DEADLY = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
const STANDARD_SIZE: TerminalSize = { columns: 80, rows: 24 };

/**
 * Gives `body` the terminal on standard input and standard error, with a screen of its own. Standard output is not
 * used.
 *
 * @ensures the terminal is restored in the end, even after an exception and before a signal takes effect
 */
export async function withTerminal<Result>(
  world: World,
  body: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const input = world.keyboard();
  const events = createEvents();
  const stops = [
    listenToKeys(input, events),
    world.onSignal("SIGWINCH", () => events.push({ kind: "resize" })),
    world.onSignal("SIGCONT", () => takeAgain(world, input, events)),
    ...DEADLY.map((signal) =>
      world.onSignal(signal, () => {
        restore();
        world.raise(signal);
      }),
    ),
  ];
  function restore(): void {
    for (const stop of stops.splice(0)) stop();
    world.draw(LEAVE);
    setRaw(input, false);
    input.destroy();
  }
  try {
    setRaw(input, true);
    world.draw(ENTER);
    return await body({ size, write: (text) => world.draw(text), next: events.next, hasNext: events.hasNext });
  } finally {
    if (stops.length > 0) restore();
  }
}

/** How wide the terminal on standard output is. */
export function outputColumns(): number {
  const { columns } = new WriteStream(1);
  return columns > 0 ? columns : STANDARD_SIZE.columns;
}

/** Asks the terminal each time: a stream remembers the size it was opened with. */
function size(): TerminalSize {
  const { columns, rows } = new WriteStream(2);
  return columns > 0 && rows > 0 ? { columns, rows } : STANDARD_SIZE;
}

/** Sets the terminal up again after the program was stopped and continued. */
function takeAgain(world: World, input: ReadStream, events: Events): void {
  setRaw(input, false);
  setRaw(input, true);
  world.draw(ENTER);
  events.push({ kind: "resize" });
}

function setRaw(input: ReadStream, isRaw: boolean): void {
  try {
    input.setRawMode(isRaw);
  } catch {
    // The terminal was closed, which `next` reports.
  }
}

function listenToKeys(input: ReadStream, events: Events): () => void {
  const decoder = createKeyDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pushKeys = (keys: readonly Key[]) => {
    for (const key of keys) events.push({ kind: "key", key });
  };
  input.on("data", (bytes: Uint8Array) => {
    clearTimeout(timer);
    pushKeys(decoder.decode(bytes));
    if (decoder.isUndecided()) timer = setTimeout(() => pushKeys(decoder.settle()), ESCAPE_MS);
  });
  for (const name of ["end", "error", "close"]) input.on(name, () => events.push({ kind: "end" }));
  return () => clearTimeout(timer);
}

type Events = ReturnType<typeof createEvents>;

/** A queue of events. */
function createEvents() {
  const waiting: TerminalEvent[] = [];
  let wake: ((event: TerminalEvent) => void) | undefined;
  return {
    push(event: TerminalEvent): void {
      if (wake === undefined) return void waiting.push(event);
      wake(event);
      wake = undefined;
    },
    next(): Promise<TerminalEvent> {
      const event = waiting.shift();
      if (event !== undefined) return Promise.resolve(event);
      const { promise, resolve } = Promise.withResolvers<TerminalEvent>();
      wake = resolve;
      return promise;
    },
    hasNext: () => waiting.length > 0,
  };
}
