import { readFileSync } from "node:fs";
import { plugin } from "bun";
import { countBlocks } from "./blocks.ts";

const MOST_BLOCKS = 1 << 15;
/** Entered once, twice, three times, four to seven times, …: one bit each. */
const BUCKETS = new Uint8Array(256).map((_, count) => bucketOf(count));

export interface Coverage {
  /** A module's source, which from then on counts its blocks as it runs. */
  count(source: string): string;
  /** Blocks of what is loaded, entered or not. */
  blocks(): number;
  /** Those that were entered since the beginning. */
  reached(): number;
  words(): readonly string[];
  /** Forgets what the input before did. */
  reset(): void;
  /** Whether the input did anything that none before did; it is kept in mind. */
  isNews(): boolean;
  /** Blocks entered since the last reset: how much was done, whatever the machine's speed. */
  work(): number;
}

/** Coverage of what goes through `count`. One at a time: the counters stand in `globalThis`. */
export function newCoverage(): Coverage {
  const counters = new Uint32Array(MOST_BLOCKS);
  const seen = new Uint8Array(MOST_BLOCKS);
  const words = new Set<string>();
  let used = 0;
  Object.assign(globalThis, { $blocks: counters });
  return {
    count(source) {
      const counted = countBlocks(source, used);
      used += counted.blocks;
      if (used > MOST_BLOCKS) throw new Error(`more than ${MOST_BLOCKS} blocks`);
      for (const word of counted.words) words.add(word);
      return counted.text;
    },
    blocks: () => used,
    reached: () => seen.subarray(0, used).reduce((sum, bits) => sum + (bits === 0 ? 0 : 1), 0),
    words: () => [...words],
    reset: () => void counters.fill(0, 0, used),
    isNews() {
      let isNew = false;
      for (let index = 0; index < used; index++) {
        const count = counters[index] as number;
        if (count === 0) continue;
        const bit = BUCKETS[Math.min(count, 255)] as number;
        if (((seen[index] as number) & bit) !== 0) continue;
        seen[index] = (seen[index] as number) | bit;
        isNew = true;
      }
      return isNew;
    },
    work: () => counters.subarray(0, used).reduce((sum, count) => sum + count, 0),
  };
}

/** From now on the modules that match count their blocks as they are loaded. */
export function countModules(coverage: Coverage, modules: RegExp): void {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  plugin({
    name: "count blocks",
    setup(build) {
      build.onLoad({ filter: modules }, ({ path }) => ({
        contents: coverage.count(transpiler.transformSync(readFileSync(path, "utf8"))),
        loader: "js",
      }));
    },
  });
}

function bucketOf(count: number): number {
  if (count === 0) return 0;
  const limits = [1, 2, 3, 7, 15, 31, 127];
  const index = limits.findIndex((limit) => count <= limit);
  return 1 << (index === -1 ? limits.length : index);
}
