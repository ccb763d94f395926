import { expect, test } from "bun:test";
import { madeUpCollection } from "./collections.ts";
import { figuresOf, MADE_UP_TARGET, miniSearch, ourSearch } from "./measure.ts";

test("what people ask in their own words is found more often than by BM25 alone", () => {
  const wanted = madeUpCollection();
  const [ours, peer] = [figuresOf(wanted, ourSearch(wanted)), figuresOf(wanted, miniSearch(wanted))];
  expect(ours.queries).toBe(218);
  for (const target of [MADE_UP_TARGET, peer]) {
    expect(ours.mrr).toBeGreaterThanOrEqual(target.mrr);
    expect(ours.firstFive).toBeGreaterThanOrEqual(target.firstFive);
  }
});
