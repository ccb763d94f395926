import { expect } from "bun:test";
import { array, constantFrom, property, type Arbitrary } from "fast-check";
import { isInside, ladder, withoutIgnored } from "../../src/lib/paths.ts";
import { testProperty } from "./fuzz.ts";

const NAMES = ["a", "ab", "b", "..x", "...", ".a", "a b", "-", "日"];
const anyDirectory = (): Arbitrary<string[]> => array(constantFrom(...NAMES), { maxLength: 5 });
const print = (names: readonly string[]) => `/${names.join("/")}`;

testProperty(
  "isInside() is true when one path's components begin with the other's",
  property(anyDirectory(), anyDirectory(), (parent, below) => {
    const isPrefix = (longer: readonly string[]) => parent.every((name, index) => longer[index] === name);
    expect(isInside(print(parent), print(below))).toBe(isPrefix(below));
    expect(isInside(print(parent), print([...parent, ...below]))).toBe(true);
  }),
);

testProperty(
  "ladder() is every directory between, each the parent of the next",
  property(anyDirectory(), anyDirectory(), (root, below) => {
    const rungs = ladder(print(root), print([...root, ...below]));
    expect(rungs).toEqual([[], ...below.keys()].map((_, index) => print([...root, ...below.slice(0, index)])));
    expect(ladder(print(root), print(below)).length > 0).toBe(isInside(print(root), print(below)));
  }),
);

testProperty(
  "withoutIgnored() ends before the first ignored name below the root",
  property(anyDirectory(), anyDirectory(), array(constantFrom(...NAMES), { maxLength: 2 }), (root, below, ignore) => {
    const first = below.findIndex((name) => ignore.includes(name));
    const kept = withoutIgnored(ladder(print(root), print([...root, ...below])), ignore);
    expect(kept).toHaveLength(first < 0 ? below.length + 1 : first + 1);
  }),
);
