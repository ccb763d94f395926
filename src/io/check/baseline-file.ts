import { readBaseline, renderBaseline, type Baseline } from "../../core/check/baseline.ts";
import type { World } from "../../world.ts";
import { readText } from "../read-file.ts";
import { writeWhole } from "../write-file.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export type BaselineRead =
  | { readonly kind: "baseline"; readonly baseline: Baseline; readonly lineOf: (fingerprint: string) => number }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * @output the baseline, and in which line an entry stands; or why it can't be used
 * @effect reads
 * @error  none
 */
export function loadBaseline(path: string): BaselineRead {
  const read = readText(path, MAX_BYTES);
  if (read.kind === "absent") return { kind: "unusable", reason: "it is not there; '--write-baseline' writes it" };
  if (read.kind === "too-large") return { kind: "unusable", reason: `it is larger than ${MAX_BYTES} bytes` };
  if (read.kind === "unusable") return { kind: "unusable", reason: "it can't be read" };
  const baseline = readBaseline(dataOf(read.text));
  if (typeof baseline === "string") return { kind: "unusable", reason: baseline };
  const lines = read.text.split("\n");
  const lineOf = (fingerprint: string) =>
    1 +
    Math.max(
      0,
      lines.findIndex((line) => line.includes(`"${fingerprint}"`)),
    );
  return { kind: "baseline", baseline, lineOf };
}

/**
 * @output why it could not be written
 * @effect the file
 * @error  none
 */
export function saveBaseline(world: World, path: string, baseline: Baseline): string | undefined {
  const written = writeWhole(world, path, renderBaseline(baseline));
  return written.kind === "written" ? undefined : `it can't be written (${written.errno})`;
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
