import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FuzzFigures } from "./engine.ts";

export interface PlayOrder {
  readonly name: string;
  /** Where its file and its corpus are. */
  readonly place?: string;
  readonly inputs: number;
  readonly seed: number;
  readonly seconds: number;
  /** How many shapes are made long beside those of the reader's own parts. */
  readonly shapes: number;
  readonly fromShape?: number;
}

/** What a process prints that has played a target. */
export interface Played {
  readonly figures: FuzzFigures;
  /** The shape that never ended: those behind it were not played. */
  readonly hungShape: number | undefined;
}

const MOST_HANGS = 3;

const PLACE = join(import.meta.dirname, "..");

export const TARGETS: readonly string[] = readdirSync(join(PLACE, "targets"))
  .map((file) => file.slice(0, -".ts".length))
  .toSorted();

/**
 * Plays a target in a process of its own: a thread that is inside a regular expression can't be ended, nor can the
 * process that it is a part of. Where a shape never ends the next process goes on behind it.
 */
export async function playTarget(order: PlayOrder): Promise<FuzzFigures> {
  const placed = { place: PLACE, ...order };
  const first = await playInProcess(placed);
  const faults = [...first.figures.faults];
  let { hungShape } = first;
  let { shapes } = first.figures;
  for (let hangs = 1; hungShape !== undefined && hangs < MOST_HANGS; hangs++) {
    const fromShape = hungShape + 1;
    const { figures, ...next } = await playInProcess({ ...placed, fromShape });
    faults.push(...figures.faults);
    shapes = fromShape + figures.shapes;
    ({ hungShape } = next);
  }
  return { ...first.figures, shapes, faults };
}

function playInProcess(order: PlayOrder): Promise<Played> {
  const { promise, resolve, reject } = Promise.withResolvers<Played>();
  const child = spawn(process.execPath, [join(import.meta.dirname, "play-child.ts"), JSON.stringify(order)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    // It may not be able to end by itself.
    if (output.endsWith("\n")) child.kill("SIGKILL");
  });
  child.on("error", reject);
  child.on("close", () => {
    try {
      resolve(JSON.parse(output));
    } catch {
      reject(new Error(`target '${order.name}' could not be played: ${output}`));
    }
  });
  return promise;
}

export function describeFuzz({ inputs, seconds, blocks, reached, kept, pumped, shapes }: FuzzFigures): string {
  const share = `${reached} of ${blocks} blocks reached`;
  const growth = `growth measured ${pumped} times, ${shapes} shapes`;
  return `${inputs} inputs in ${seconds.toFixed(1)} s, ${share}, ${kept} kept, ${growth}`;
}
