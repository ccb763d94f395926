import { test } from "bun:test";
import { assert, type IAsyncProperty, type IProperty } from "fast-check";

const SEED = Number(process.env["CODELIA_FUZZ_SEED"] ?? 1);
const RUNS = Number(process.env["CODELIA_FUZZ_RUNS"] ?? 100);

/** A test of one property. `CODELIA_FUZZ_RUNS=10000 CODELIA_FUZZ_SEED=…` looks further than every day's run. */
export function testProperty<Values>(name: string, property: IProperty<Values> | IAsyncProperty<Values>): void {
  test(name, () => assert(property, { seed: SEED, numRuns: RUNS }), 5000 + 50 * RUNS);
}
