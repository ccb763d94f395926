import { constants, fstatSync, openSync, read, readSync } from "node:fs";
import type { Readable } from "node:stream";

/** Nearly every input is shorter, and using more memory costs time. */
const FIRST_READ_BYTES = 16 * 1024;
const POLL_MS = 2;

const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** How long to wait for the next bytes while the input stays open. */
const PATIENCE_MS = 1500;
/** Poll faster for an event, because a hook holds up an agent. */
const EVENT_POLL_MS = 0.5;
/** How often to check the clock while another thread waits for bytes. */
const TICK_MS = 50;
/**
 * After a longer interval this process was stopped or the machine asleep, and perhaps the client too: don't count it.
 */
const MAX_WAIT_MS = 2 * TICK_MS;
const BUSY = -1;

type Input = Uint8Array | undefined;
type IsAll = (bytes: Uint8Array) => boolean;

/** What reading needs from the process. */
export interface InputRuntime {
  pause(milliseconds: number): void;
  /** Standard input as a stream, in a runtime that can't exit while a thread reads; undefined elsewhere. */
  stream(): Readable | undefined;
}

/** Where an event comes from: a descriptor whose reads don't block, or reads that block another thread. */
type Source = number | AsyncSource;

interface AsyncSource {
  readonly whole: Uint8Array;
  /** Reads to offset `at`; resolves to the number of bytes, 0 at the end. */
  readonly readOn: (at: number) => Promise<number>;
  readonly first: Promise<number>;
}

let source: Source | undefined;
let pendingReads = 0;

/** Whether a read is still pending, which only the end of the process can end. */
export function isReading(): boolean {
  return pendingReads > 0;
}

/** All of standard input, however long it takes; undefined if it exceeds `limit` bytes. */
export function readToEnd({ pause }: InputRuntime, limit: number): Input {
  return readNow(0, limit, pause);
}

/** Call this before loading the code that needs the event, so that a read in another thread starts meanwhile. */
export function expectEvent(runtime: InputRuntime): void {
  source = openSource(runtime);
}

/**
 * A client's event: standard input until it ends, `isAll` returns true, or nothing has arrived for too long; undefined
 * if it is too long for an event. A promise only where reading would block.
 */
export function readEvent(runtime: InputRuntime, isAll: IsAll): Input | Promise<Input> {
  source ??= openSource(runtime);
  return typeof source === "number" ? readNow(source, MAX_EVENT_BYTES, runtime.pause, isAll) : readAsync(source, isAll);
}

/**
 * Reopens a pipe so that reading it never blocks. That is impossible for sockets, which Claude Code uses for every
 * hook, and for another user's pipe: whether those block depends on who created them.
 */
function openSource({ stream }: InputRuntime): Source {
  try {
    const facts = fstatSync(0);
    if (facts.isFile()) return 0;
    if (facts.isFIFO()) return openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // The system has no such name, or the pipe may not be opened.
  }
  const whole = new Uint8Array(MAX_EVENT_BYTES + 1);
  const chunks = stream()?.[Symbol.asyncIterator]();
  const readOn = chunks === undefined ? inThread(whole) : fromStream(whole, chunks);
  return { whole, readOn, first: readOn(0) };
}

/** Reads in this thread. With `isAll`, stops as for an event. */
function readNow(descriptor: number, limit: number, pause: InputRuntime["pause"], isAll?: IsAll): Input {
  let whole = new Uint8Array(FIRST_READ_BYTES);
  let total = 0;
  let isTooLong: (() => boolean) | undefined;
  for (;;) {
    if (total === whole.length) {
      const larger = new Uint8Array(whole.length * 2);
      larger.set(whole);
      whole = larger;
    }
    const room = whole.length - total;
    try {
      const count = readSync(descriptor, whole, total, room, null);
      if (count === 0) break;
      total += count;
      if (total > limit) return undefined;
      if (count < room && isAll?.(whole.subarray(0, total)) === true) break;
      isTooLong = undefined;
    } catch (error) {
      if (!isBusy(error)) break;
      if (isAll !== undefined && (isTooLong ??= startSilence())()) break;
      pause(isAll === undefined ? POLL_MS : EVENT_POLL_MS);
    }
  }
  return whole.subarray(0, total);
}

/** The same where reads block another thread: meanwhile this thread checks the clock. */
function readAsync({ whole, readOn, first }: AsyncSource, isAll: IsAll): Promise<Input> {
  let total = 0;
  let isTooLong = startSilence();
  return new Promise((settle) => {
    const end = (input: Input): void => {
      clearInterval(clock);
      settle(input);
    };
    const clock = setInterval(() => {
      if (isTooLong()) end(whole.subarray(0, total));
    }, TICK_MS);
    const take = (count: number): void => {
      if (count === BUSY) return void setTimeout(next, POLL_MS);
      total += count;
      if (total > MAX_EVENT_BYTES) return end(undefined);
      if (count === 0 || isAll(whole.subarray(0, total))) return end(whole.subarray(0, total));
      isTooLong = startSilence();
      next();
    };
    const next = () => void readOn(total).then(take);
    void first.then(take);
  });
}

/** Returns a function that tells whether nothing has arrived for too long. */
function startSilence(): () => boolean {
  let silentMs = 0;
  let before = performance.now();
  return () => {
    const now = performance.now();
    silentMs += Math.min(now - before, MAX_WAIT_MS);
    before = now;
    return silentMs > PATIENCE_MS;
  };
}

function inThread(whole: Uint8Array): AsyncSource["readOn"] {
  return (at) => {
    pendingReads++;
    return new Promise((settle) => {
      // Read as much as fits: the rest of a packet would be lost.
      read(0, whole, at, whole.length - at, null, (error, count) => {
        pendingReads--;
        settle(error === null ? count : isBusy(error) ? BUSY : 0);
      });
    });
  };
}

function fromStream(whole: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncSource["readOn"] {
  // The stream stays open even after the whole event has arrived.
  pendingReads++;
  return async (at) => {
    const { done, value } = await chunks.next().catch(() => ({ done: true as const, value: undefined }));
    if (done === true) return 0;
    whole.set(value.subarray(0, whole.length - at), at);
    return value.length;
  };
}

/** Whether the call may be repeated. */
export function isBusy(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EAGAIN" || code === "EINTR";
}
