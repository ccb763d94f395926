import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FuzzFigures } from "./engine.ts";
import { announcements } from "./announcements.ts";
import type { Played, PlayOrder } from "./play-target.ts";

// Plays one target in a thread, and watches it: an input that does not end is a fault like another.

/** More than any input may take, of this whole process: while a thread plays, what else it does is little. */
const HUNG_PROCESSOR_MS = 1500;
/** For one that waits, and has none of the processor. */
const HUNG_MS = 120_000;
const LOOK_MS = 100;

const order = JSON.parse(process.argv[2] ?? "") as PlayOrder;
const { shared, read } = announcements();
const worker = new Worker(join(import.meta.dirname, "worker.ts"), { workerData: { ...order, shared } });
let [last, since, spentBefore] = [-1, performance.now(), spentMs()];
const timer = setInterval(() => {
  const { played, shape, input } = read();
  if (played !== last) [last, since, spentBefore] = [played, performance.now(), spentMs()];
  else if (played > 0 && (spentMs() - spentBefore > HUNG_PROCESSOR_MS || performance.now() - since > HUNG_MS)) {
    const faults = [{ message: "does not end within a second", input: input() }];
    const figures = { inputs: played, seconds: 0, blocks: 0, reached: 0, kept: 0, pumped: 0, shapes: 0, slowestMs: 0 };
    finish({ figures: { ...figures, faults }, hungShape: shape });
  }
}, LOOK_MS);
worker.on("message", (figures: FuzzFigures) => finish({ figures, hungShape: undefined }));
worker.on("error", (error) => {
  console.error(error);
  process.exit(1);
});

// Whoever called has gone.
process.stdin.on("end", () => process.kill(process.pid, "SIGKILL")).resume();

/** Whoever called ends this process: it may not be able to. */
function finish(played: Played): void {
  clearInterval(timer);
  process.stdout.write(`${JSON.stringify(played)}\n`);
}

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
