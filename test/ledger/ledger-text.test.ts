import { expect, test } from "bun:test";
import { applyChange } from "../../src/ledger/changes.ts";
import { emptyLedger } from "../../src/ledger/contexts.ts";
import { printLedger, readSession } from "../../src/ledger/format.ts";
import { fileAt, SURROUNDINGS } from "../support/samples.ts";

const ONE = applyChange(
  emptyLedger("64769:131"),
  { session: "s", context: "main" },
  SURROUNDINGS,
  { kind: "cover", told: [fileAt("/r/AGENTS.md")], gone: [] },
  100,
);
const TWO = applyChange(
  ONE,
  { session: "t", context: "main" },
  SURROUNDINGS,
  { kind: "cover", told: [], gone: [] },
  100,
);

test("printLedger() is JSON with one session a line", () => {
  expect(printLedger(emptyLedger("1:2"))).toBe('{"version":1,"tree":"1:2","n":0,"sessions":{\n\n}}\n');
  const text = printLedger(TWO);
  expect(JSON.parse(text)).toEqual(TWO);
  expect(text.split("\n").map((line) => line.slice(0, 5))).toEqual(['{"ver', '"s":{', '"t":{', "}}", ""]);
});

test("readSession() finds each of several sessions, and the tree", () => {
  for (const id of ["s", "t"]) {
    const session = TWO.sessions[id] as never;
    expect(readSession(printLedger(TWO), id)).toEqual({ kind: "session", tree: "64769:131", session });
  }
});

for (const id of ["", "x", 's":{"cwd', "s\n", "__proto__"]) {
  test(`readSession() finds nothing when there is no session ${JSON.stringify(id)}`, () => {
    expect(readSession(printLedger(TWO), id)).toEqual({ kind: "absent", tree: "64769:131" });
  });
}

for (const id of ["sessions", "cwd", "main", "/r/AGENTS.md"]) {
  test(`readSession() does not judge whether '${id}', which stands elsewhere, is a session too`, () => {
    expect(readSession(printLedger(TWO), id)).toEqual({ kind: "other-shape" });
  });
}

const TEXT = printLedger(TWO);
const OTHER_SHAPES: [what: string, text: string][] = [
  ["an empty file", ""],
  ["a ledger on one line", `${JSON.stringify(TWO)}\n`],
  ["a ledger that was formatted", `${JSON.stringify(TWO, undefined, 2)}\n`],
  ["a newer version", TEXT.replace('"version":1', '"version":2')],
  ["a ledger cut short", TEXT.slice(0, -2)],
  ["a session cut short", TEXT.replace('"epoch":0', '"epoch":')],
  ["a session of another shape", TEXT.replace('"epoch":0', '"epoch":"0"')],
  ["a session without its value", TEXT.replace(/"s":.*\n/, '"s":\n')],
  ["a key with a space after it", TEXT.replace('"s":{', '"s" :{')],
  ["two sessions in a line", TEXT.replace(/\n("[^\n]*,)\n/, (_, first: string) => `\n${first} `)],
  ["a key on a line of its own", TEXT.replace('"s":{', '"s":\n{')],
];
for (const [what, text] of OTHER_SHAPES) {
  test(`readSession() does not judge ${what}`, () => {
    expect(readSession(text, "s")).toEqual({ kind: "other-shape" });
  });
}
