import { constants, fstatSync, openSync, read, readSync } from "node:fs";
import type { Readable } from "node:stream";

/** Nearly every input is shorter, and memory that is touched costs time. */
const FIRST_READ_BYTES = 16 * 1024;
const POLL_MS = 2;

const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** How long an open end may be silent: before the first byte, and after each. */
const PATIENCE_MS = 1500;
/** Faster: a hook holds up an agent. */
const EVENT_POLL_MS = 0.5;
/** How often the clock is looked at while a thread waits for bytes. */
const TICK_MS = 50;
/** A longer one was no wait: this process was stopped, or the machine asleep, and perhaps the client as well. */
const MAX_WAIT_MS = 2 * TICK_MS;
const BUSY = -1;

type Input = Uint8Array | undefined;
type IsAll = (bytes: Uint8Array) => boolean;

/** What reading needs of the process. */
export interface Means {
  pause(milliseconds: number): void;
  /** Standard input as a stream, in a runtime that can't end while a thread reads; undefined elsewhere. */
  stream(): Readable | undefined;
}

/** Where an event comes from: a descriptor that no read waits at, or reads that wait while this thread does not. */
type Source = number | Aside;

interface Aside {
  readonly whole: Uint8Array;
  /** How many bytes came to `at`; 0 at the end. */
  readonly readOn: (at: number) => Promise<number>;
  readonly first: Promise<number>;
}

let source: Source | undefined;
let pendingReads = 0;

/** Whether a read still waits that only the end of the process ends. */
export function isReading(): boolean {
  return pendingReads > 0;
}

/** Standard input to its end, however long that takes; undefined when it is longer than `limit` bytes. */
export function readToEnd({ pause }: Means, limit: number): Input {
  return readNow(0, limit, pause);
}

/** Called before the code is loaded that asks for the event: where a thread must read, it starts meanwhile. */
export function expectEvent(means: Means): void {
  source = openSource(means);
}

/**
 * A client's event: standard input to its end, until `isAll` says so, or until nothing has come for too long; undefined
 * when it is longer than an event. A promise only where reading it can't be kept from waiting.
 */
export function readEvent(means: Means, isAll: IsAll): Input | Promise<Input> {
  source ??= openSource(means);
  return typeof source === "number" ? readNow(source, MAX_EVENT_BYTES, means.pause, isAll) : readAside(source, isAll);
}

/**
 * A pipe is opened anew, so that reading it never waits. Nothing else can be: not a socket, which Claude Code has for
 * every hook, nor another user's pipe. Whether those wait is up to who made them.
 */
function openSource({ stream }: Means): Source {
  try {
    const facts = fstatSync(0);
    if (facts.isFile()) return 0;
    if (facts.isFIFO()) return openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // A system without this name for it, or a pipe that we may not open.
  }
  const whole = new Uint8Array(MAX_EVENT_BYTES + 1);
  const chunks = stream()?.[Symbol.asyncIterator]();
  const readOn = chunks === undefined ? inThread(whole) : fromStream(whole, chunks);
  return { whole, readOn, first: readOn(0) };
}

/** Descriptor 0 itself where that will do: `/dev/stdin` can't open a socket. With `isAll`, as an event is read. */
function readNow(descriptor: number, limit: number, pause: Means["pause"], isAll?: IsAll): Input {
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

/** The same where a read waits: meanwhile this thread looks at the clock. */
function readAside({ whole, readOn, first }: Aside, isAll: IsAll): Promise<Input> {
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

/** Whether nothing came for too long, as often as that is asked. */
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

function inThread(whole: Uint8Array): Aside["readOn"] {
  return (at) => {
    pendingReads++;
    return new Promise((settle) => {
      // As much as there is room for: of a packet, what finds none is lost.
      read(0, whole, at, whole.length - at, null, (error, count) => {
        pendingReads--;
        settle(error === null ? count : isBusy(error) ? BUSY : 0);
      });
    });
  };
}

function fromStream(whole: Uint8Array, chunks: AsyncIterator<Uint8Array>): Aside["readOn"] {
  // It stays open when all that is wanted has come.
  pendingReads++;
  return async (at) => {
    const { done, value } = await chunks.next().catch(() => ({ done: true as const, value: undefined }));
    if (done === true) return 0;
    whole.set(value.subarray(0, whole.length - at), at);
    return value.length;
  };
}

/** Whether the call may be made again. */
export function isBusy(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EAGAIN" || code === "EINTR";
}
