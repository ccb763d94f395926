import { expect, setDefaultTimeout, test } from "bun:test";
import { playOnce } from "./lib/once.ts";
import { ONCE_VARIANTS } from "./lib/once-variants.ts";

setDefaultTimeout(60_000);

// The short form; `npm run reliability` plays 64 processes × 50 rounds.
const [PROCESSES, ROUNDS] = [16, 3];

for (const variant of ONCE_VARIANTS) {
  test(`${PROCESSES} processes at once tell each of twenty files once: ${variant.name}`, async () => {
    const { calls, faults } = await playOnce(variant, ROUNDS, PROCESSES);
    expect(faults).toEqual([]);
    expect(calls).toBeGreaterThanOrEqual(PROCESSES * ROUNDS);
  });
}
