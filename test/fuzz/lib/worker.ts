import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { countModules, newCoverage } from "./coverage.ts";
import { fuzz } from "./engine.ts";
import { noteBeforehand, type PlayOrder } from "./play-target.ts";
import type { FuzzTarget } from "./target.ts";

// Plays one target with its sources counting their blocks, in a thread that can be given up.
const { name, inputs, seed, seconds, shared } = workerData as PlayOrder & { shared: SharedArrayBuffer };
const corpus = join(import.meta.dirname, "../corpus", name);
const coverage = newCoverage();
countModules(coverage, /\/src\/.+\.ts$/);
const { target } = (await import(`../targets/${name}.ts`)) as { target: FuzzTarget };
const texts = readdirSync(corpus)
  .toSorted()
  .map((file) => readFileSync(join(corpus, file), "utf8"));
const figures = fuzz(target, texts, coverage, { inputs, seed, seconds, before: noteBeforehand(shared) });
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
parentPort?.postMessage(figures);
