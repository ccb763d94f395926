import { expect, test } from "bun:test";
import { holderState, parseHolder, type Holder, type Sighting } from "../../src/lib/lock.ts";

const OWN: Holder = { pid: 1, startTime: "10", bootId: "boot", pidNamespace: "pid:[1]", nonce: "ownownown" };
const OTHER: Holder = { ...OWN, pid: 2, startTime: "20", nonce: "otherother" };
const ALIVE: Sighting = { isAlive: true, startTime: "20" };
const DEAD: Sighting = { isAlive: false, startTime: "" };

const JUDGED: [state: string, when: string, holder: Partial<Holder>, own: Partial<Holder>, seen: Sighting][] = [
  ["holds", "it is alive", {}, {}, ALIVE],
  ["gone", "it is dead", {}, {}, DEAD],
  ["gone", "its pid is another process's now", {}, {}, { isAlive: true, startTime: "99" }],
  ["holds", "its start time was not known", { startTime: "" }, {}, ALIVE],
  ["holds", "the start time of what has its pid can't be known", {}, {}, { isAlive: true, startTime: "" }],
  ["gone", "the machine was started anew", { bootId: "before" }, {}, ALIVE],
  ["gone", "the machine was started anew, whatever the namespace", { bootId: "x", pidNamespace: "y" }, {}, ALIVE],
  ["unknown", "its boot is not known", { bootId: "" }, {}, DEAD],
  ["unknown", "our boot is not known", {}, { bootId: "" }, DEAD],
  ["unknown", "it lives in another pid namespace", { pidNamespace: "pid:[2]" }, {}, DEAD],
  ["unknown", "its namespace is not known", { pidNamespace: "" }, {}, DEAD],
  ["gone", "nothing but pids is known, and it is dead", { bootId: "" }, { bootId: "" }, DEAD],
];
for (const [state, when, holder, own, seen] of JUDGED) {
  test(`holderState() says ${state} when ${when}`, () => {
    expect(holderState({ ...OTHER, ...holder }, { ...OWN, ...own }, seen)).toBe(state as never);
  });
}

test("parseHolder() gives back what a holder writes, and nothing that is added", () => {
  expect(parseHolder(JSON.stringify({ ...OWN, more: 1 }))).toEqual(OWN);
});

const REFUSED: [what: string, text: string][] = [
  ["an empty file", ""],
  ["half a file", JSON.stringify(OWN).slice(0, 40)],
  ["null", "null"],
  ["a list", "[]"],
  ["a number", "7"],
  ["a missing part", JSON.stringify({ ...OWN, bootId: undefined })],
  ["a part of another type", JSON.stringify({ ...OWN, startTime: 3 })],
  ["a pid of 0", JSON.stringify({ ...OWN, pid: 0 })],
  ["a negative pid", JSON.stringify({ ...OWN, pid: -1 })],
  ["a pid with a fraction", JSON.stringify({ ...OWN, pid: 1.5 })],
  ["a pid as text", JSON.stringify({ ...OWN, pid: "1" })],
  ["a nonce that leads elsewhere", JSON.stringify({ ...OWN, nonce: "../../../etc/x" })],
  ["a nonce with capital letters", JSON.stringify({ ...OWN, nonce: "OWNOWNOWN" })],
  ["a nonce that is too short", JSON.stringify({ ...OWN, nonce: "1234567" })],
  ["a nonce that is too long", JSON.stringify({ ...OWN, nonce: "1".repeat(33) })],
  ["a nonce with a line after it", JSON.stringify({ ...OWN, nonce: "12345678\n" })],
];
for (const [what, text] of REFUSED) {
  test(`parseHolder() refuses ${what}`, () => {
    expect(parseHolder(text)).toBeUndefined();
  });
}
