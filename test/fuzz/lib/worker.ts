import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { announcer } from "./announcements.ts";
import { countModules, newCoverage } from "./coverage.ts";
import { fuzz } from "./engine.ts";
import { countNatives } from "./natives.ts";
import type { PlayOrder } from "./play-target.ts";
import type { FuzzTarget } from "./target.ts";

/** Our own code, and the packages that read what others write. */
const COUNTED = /\/src\/.+\.ts$|\/node_modules\/(?:jsonc-parser|smol-toml|yaml)\/.+\.[cm]?js$/;
/** How many characters a function of the language looks at in the time in which a block of ours is entered. */
const NATIVE_STEPS = 8;

// Plays one target with its sources counting their blocks, in a thread that can be given up.
const { name, place = "", shared, ...options } = workerData as PlayOrder & { shared: SharedArrayBuffer };
const corpus = join(place, "corpus", name);
const coverage = newCoverage();
countModules(coverage, COUNTED);
const { target } = (await import(join(place, `targets/${name}.ts`))) as { target: FuzzTarget };
const texts = readdirSync(corpus)
  .toSorted()
  .map((file) => readFileSync(join(corpus, file), "utf8"));
countNatives((steps) => coverage.add(steps / NATIVE_STEPS));
const figures = fuzz(target, texts, coverage, { ...options, before: announcer(shared) });
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
parentPort?.postMessage(figures);
