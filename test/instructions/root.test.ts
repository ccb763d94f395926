import { expect, test } from "bun:test";
import { rootMarker, type RungFacts } from "../../src/instructions/root.ts";
import { needsStateOnlyMark } from "../../src/ledger/make-place.ts";
import { DEFAULT_MARKERS } from "../../src/config/settings.ts";

const PLAIN: RungFacts = { markers: [], codeliaIsGlobal: false, codeliaIsStateOnly: false };

const MARKERS: [when: string, facts: Partial<RungFacts>, expected: string | undefined][] = [
  ["there is none", {}, undefined],
  ["there is one", { markers: [".git"] }, ".git"],
  ["there are several: the first of the configured order", { markers: [".codelia", ".git"] }, ".codelia"],
  ["the only one is the user's global directory", { markers: [".codelia"], codeliaIsGlobal: true }, undefined],
  ["the only one was made for the ledger", { markers: [".codelia"], codeliaIsStateOnly: true }, undefined],
  ["another stands beside the global directory", { markers: [".codelia", ".jj"], codeliaIsGlobal: true }, ".jj"],
  ["another stands beside our own state", { markers: [".codelia", ".git"], codeliaIsStateOnly: true }, ".git"],
  ["it is not one of the default ones", { markers: ["go.mod"] }, "go.mod"],
];
for (const [when, facts, expected] of MARKERS) {
  test(`rootMarker() finds ${expected} when ${when}`, () => {
    expect(rootMarker({ ...PLAIN, ...facts })).toBe(expected);
  });
}

test("DEFAULT_MARKERS are those of the spec, in its order", () => {
  expect(DEFAULT_MARKERS).toEqual([".codelia", ".git", ".jj"]);
});

const MARKS: [present: string[], markers: readonly string[], expected: boolean][] = [
  [[], DEFAULT_MARKERS, true],
  [["go.mod"], DEFAULT_MARKERS, true],
  [["go.mod"], ["go.mod"], true],
  [[".git"], DEFAULT_MARKERS, false],
  [["go.mod", ".jj"], DEFAULT_MARKERS, false],
  [[".codelia"], DEFAULT_MARKERS, true],
  [[".git"], ["go.mod"], true],
  [[".git"], [".jj", ".git"], false],
];
for (const [present, markers, expected] of MARKS) {
  test(`needsStateOnlyMark() says ${expected} when the root holds ${present.join()} of ${markers.join()}`, () => {
    expect(needsStateOnlyMark(present, markers)).toBe(expected);
  });
}
