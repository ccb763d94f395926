import { expect } from "bun:test";
import { property } from "fast-check";
import { mergeLedgers } from "../../src/ledger/contexts.ts";
import { isLedger } from "../../src/ledger/format.ts";
import type { Context } from "../../src/ledger/schema.ts";
import { anyLedger } from "./arbitraries.ts";
import { testProperty } from "./fuzz.ts";

/** JSON with every key in order; it shows own keys only, and all of them. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

testProperty(
  "mergeLedgers() is commutative",
  property(anyLedger(), anyLedger(), (left, right) => {
    expect(canonical(mergeLedgers(left, right))).toBe(canonical(mergeLedgers(right, left)));
  }),
);

testProperty(
  "mergeLedgers() is associative",
  property(anyLedger(), anyLedger(), anyLedger(), (first, second, third) => {
    const fromLeft = mergeLedgers(mergeLedgers(first, second), third);
    const fromRight = mergeLedgers(first, mergeLedgers(second, third));
    expect(canonical(fromLeft)).toBe(canonical(fromRight));
  }),
);

testProperty(
  "mergeLedgers() is idempotent",
  property(anyLedger(), anyLedger(), (left, right) => {
    expect(canonical(mergeLedgers(left, left))).toBe(canonical(left));
    const merged = mergeLedgers(left, right);
    expect(canonical(mergeLedgers(merged, right))).toBe(canonical(merged));
  }),
);

testProperty(
  "mergeLedgers() makes a ledger that knows every session of both, and every context that was not forgotten",
  property(anyLedger(), anyLedger(), (left, right) => {
    const merged = mergeLedgers(left, right);
    expect(isLedger(merged)).toBe(true);
    for (const ledger of [left, right]) {
      for (const [id, session] of Object.entries(ledger.sessions)) {
        expect(Object.keys(merged.sessions)).toContain(id);
        const known = Object.entries(merged.sessions).find(([name]) => name === id)?.[1];
        const forgotten = new Map(Object.entries(known?.forgotten ?? {}));
        const isLeft = ([name, { epoch }]: [string, Context]) => epoch >= (forgotten.get(name) ?? 0);
        const names = Object.entries(session.contexts)
          .filter(isLeft)
          .map(([name]) => name);
        expect(Object.keys(known?.contexts ?? {})).toEqual(expect.arrayContaining(names));
      }
    }
  }),
);
