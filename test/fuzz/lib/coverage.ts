import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plugin } from "bun";
import { REPOSITORY } from "../../support/run-codelia.ts";
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
  hasChanges(): boolean;
  /** Further steps, of functions that are not ours. */
  add(steps: number): void;
  /** Blocks entered since the last reset, and steps added: how much was done, whatever the machine's speed. */
  work(): number;
}

/** Coverage of what goes through `count`. One at a time: the counters stand in `globalThis`. */
export function newCoverage(): Coverage {
  const counters = new Uint32Array(MOST_BLOCKS);
  const seen = new Uint8Array(MOST_BLOCKS);
  const words = new Set<string>();
  let used = 0;
  let added = 0;
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
    reset() {
      counters.fill(0, 0, used);
      added = 0;
    },
    hasChanges() {
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
    add: (steps) => void (added += steps),
    work: () => counters.subarray(0, used).reduce((sum, count) => sum + count, added),
  };
}

/** Packages that Bun takes as CommonJS, which it can't have counted, each with the same as a module. */
const AS_MODULES: Readonly<Record<string, string>> = {
  yaml: "node_modules/yaml/browser/index.js",
  "jsonc-parser": "node_modules/jsonc-parser/lib/esm/main.js",
};

/** From now on the modules that match count their blocks as they are loaded. */
export function countModules(coverage: Coverage, modules: RegExp): void {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  plugin({
    name: "count blocks",
    setup(build) {
      build.onLoad({ filter: modules }, ({ path }) => ({
        contents: coverage.count(withModules(transpiler.transformSync(readFileSync(path, "utf8")))),
        loader: "js",
      }));
    },
  });
}

function withModules(source: string): string {
  return source.replaceAll(/ from "([\w-]+)"/g, (whole, name: string) => {
    const path = Object.hasOwn(AS_MODULES, name) ? AS_MODULES[name] : undefined;
    return path === undefined ? whole : ` from ${JSON.stringify(join(REPOSITORY, path))}`;
  });
}

function bucketOf(count: number): number {
  if (count === 0) return 0;
  const limits = [1, 2, 3, 7, 15, 31, 127];
  const index = limits.findIndex((limit) => count <= limit);
  return 1 << (index === -1 ? limits.length : index);
}
