import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FuzzFigures } from "./engine.ts";

export interface PlayOrder {
  readonly name: string;
  readonly inputs: number;
  readonly seed: number;
  readonly seconds: number;
}

const HUNG_MS = 10_000;
const LOOK_MS = 500;
/** Longer than any input. */
const MOST_UNITS = 1 << 18;
const HEAD_BYTES = 8;

export const TARGETS: readonly string[] = readdirSync(join(import.meta.dirname, "../targets"))
  .map((file) => file.slice(0, -".ts".length))
  .toSorted();

/** Plays a target in a thread of its own; an input that does not end is a fault like another. */
export function playTarget(order: PlayOrder): Promise<FuzzFigures> {
  const shared = new SharedArrayBuffer(HEAD_BYTES + 2 * MOST_UNITS);
  const worker = new Worker(join(import.meta.dirname, "worker.ts"), { workerData: { ...order, shared } });
  const { promise, resolve, reject } = Promise.withResolvers<FuzzFigures>();
  const head = new Uint32Array(shared, 0, 2);
  let [last, since] = [-1, performance.now()];
  const timer = setInterval(() => {
    const played = Atomics.load(head, 0);
    if (played !== last) [last, since] = [played, performance.now()];
    else if (performance.now() - since > HUNG_MS) {
      const input = inputIn(shared);
      const fault = { message: `does not end within ${HUNG_MS / 1000} s`, input };
      const figures = { inputs: played, seconds: 0, blocks: 0, reached: 0, kept: 0, pumped: 0, slowestMs: HUNG_MS };
      resolve({ ...figures, faults: [fault] });
    }
  }, LOOK_MS);
  worker.on("message", resolve);
  worker.on("error", reject);
  return promise.finally(() => {
    clearInterval(timer);
    void worker.terminate();
  });
}

/** Writes down which input comes next, where the other thread can read it. */
export function noteBeforehand(shared: SharedArrayBuffer): (input: string) => void {
  const head = new Uint32Array(shared, 0, 2);
  const units = new Uint16Array(shared, HEAD_BYTES);
  return (input) => {
    const length = Math.min(input.length, MOST_UNITS);
    for (let index = 0; index < length; index++) units[index] = input.charCodeAt(index);
    head[1] = length;
    Atomics.add(head, 0, 1);
  };
}

function inputIn(shared: SharedArrayBuffer): string {
  const length = new Uint32Array(shared, 0, 2)[1] ?? 0;
  const units = new Uint16Array(shared, HEAD_BYTES, length);
  return Array.from(units, (unit) => String.fromCharCode(unit)).join("");
}

export function describeFuzz({ inputs, seconds, blocks, reached, kept, pumped }: FuzzFigures): string {
  const share = `${reached} of ${blocks} blocks reached`;
  return `${inputs} inputs in ${seconds.toFixed(1)} s, ${share}, ${kept} kept, growth measured ${pumped} times`;
}
