import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decideRecovery, type Failure, type RecoverySituation } from "../../../src/agent/engines/recovery.ts";

const TRANSIENT: Failure = { recoverable: true, isTransient: true, isSessionLost: false, retryAfterMs: undefined };
const LASTING: Failure = { ...TRANSIENT, isTransient: false };
const FATAL: Failure = { ...TRANSIENT, recoverable: false };
const LOST: Failure = { ...TRANSIENT, isSessionLost: true };
const LIMITED: Failure = { ...TRANSIENT, retryAfterMs: 7000 };

const FRESH: RecoverySituation = {
  retries: 0,
  maxRetries: 3,
  isRenewed: false,
  hasFallback: true,
  isOptional: true,
  patienceMs: 600_000,
  random: 0.5,
};
const USED_UP = { ...FRESH, retries: 3 };

describe("decideRecovery()", () => {
  test.each<[string, Failure, RecoverySituation, string]>([
    ["tries again first", TRANSIENT, FRESH, "retry"],
    ["tries as often as it may", TRANSIENT, { ...FRESH, retries: 2 }, "retry"],
    ["asks another engine then", TRANSIENT, USED_UP, "fallback"],
    ["leaves an optional step out then", TRANSIENT, { ...USED_UP, hasFallback: false }, "skip"],
    ["stops where the step is needed", TRANSIENT, { ...USED_UP, hasFallback: false, isOptional: false }, "stop"],
    ["never tries again where it may not", TRANSIENT, { ...FRESH, maxRetries: 0 }, "fallback"],
    ["asks no engine again that will say the same", LASTING, FRESH, "fallback"],
    ["stops at once where nothing can help", FATAL, FRESH, "stop"],
    ["begins a lost session anew, whatever else there is", LOST, USED_UP, "renew"],
    ["begins a session anew once", LOST, { ...FRESH, isRenewed: true }, "retry"],
    ["does not wait longer than it has patience for", LIMITED, { ...FRESH, patienceMs: 6999 }, "fallback"],
    ["has patience for its own delay in any case", TRANSIENT, { ...FRESH, patienceMs: 1 }, "retry"],
    ["waits as long as it is told to", LIMITED, { ...FRESH, patienceMs: 7700 }, "retry"],
  ])("%s", (_, failure, situation, kind) => {
    expect(decideRecovery(failure, situation).kind).toBe(kind as "retry");
  });

  test("waits twice as long each time, by half at random, and never more than a minute", () => {
    const delays = (random: number) =>
      [0, 1, 2, 10].map((retries) => {
        const recovery = decideRecovery(TRANSIENT, { ...FRESH, retries, maxRetries: 99, random });
        return recovery.kind === "retry" ? recovery.delayMs : undefined;
      });
    expect(delays(0)).toEqual([500, 1000, 2000, 30_000]);
    expect(delays(1)).toEqual([1000, 2000, 4000, 60_000]);
  });

  test("never comes back sooner than the service has asked for, nor more than a tenth later", () => {
    fc.assert(
      fc.property(
        fc.nat(3_600_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(20),
        (stated, random, retries) => {
          const failure = { ...TRANSIENT, retryAfterMs: stated };
          const situation = { ...FRESH, retries, maxRetries: 21, random, patienceMs: Number.POSITIVE_INFINITY };
          const recovery = decideRecovery(failure, situation);
          const delayMs = recovery.kind === "retry" ? recovery.delayMs : -1;
          return delayMs >= stated && delayMs <= stated * 1.1 + 1;
        },
      ),
    );
  });
});
