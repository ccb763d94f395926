import { expect, test } from "bun:test";
import { applyChange, forgetContexts, prune, restore } from "../../src/ledger/changes.ts";
import { emptyLedger, findContext, mergeLedgers } from "../../src/ledger/contexts.ts";
import type { Ledger, Session } from "../../src/ledger/schema.ts";
import { fileAt, SURROUNDINGS } from "../support/samples.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOTHING = { told: [], gone: [] };

/** A ledger whose sessions were last heard of at these times. */
function ledgerOf(times: Readonly<Record<string, number>>): Ledger {
  return Object.entries(times).reduce(
    (ledger, [session, now]) =>
      applyChange(ledger, { session, context: "main" }, SURROUNDINGS, { kind: "cover", ...NOTHING }, now),
    emptyLedger("1:2"),
  );
}

const PRUNED: [does: string, times: Record<string, number>, now: number, idle: string[]][] = [
  ["keeps a session of just a day", { a: 0 }, DAY_MS, []],
  ["takes out a session of more than a day", { a: 0, b: 1 }, DAY_MS + 1, ["a"]],
  ["takes out several", { a: 0, b: 1, c: DAY_MS }, 2 * DAY_MS, ["a", "b"]],
  ["keeps the session that is at work, however old", { kept: 0, a: 0 }, 9 * DAY_MS, ["a"]],
  ["keeps all when the clock went backwards", { a: 9 * DAY_MS }, 0, []],
  ["takes out a session named '__proto__'", { ["__proto__"]: 0, b: 9 * DAY_MS }, 9 * DAY_MS, ["__proto__"]],
];
for (const [does, times, now, idle] of PRUNED) {
  test(`prune() ${does}`, () => {
    const ledger = ledgerOf(times);
    const pruned = prune(ledger, "kept", now);
    expect(pruned.idle.map(([id]) => id)).toEqual(idle);
    expect(pruned.idle.map(([, session]) => session)).toEqual(idle.map((id) => ledger.sessions[id] as never));
    expect(Object.keys(pruned.ledger.sessions)).toEqual(Object.keys(times).filter((id) => !idle.includes(id)));
    expect({ ...pruned.ledger, sessions: {} }).toEqual({ ...ledger, sessions: {} });
  });
}

const TWO = applyChange(
  ledgerOf({ s: 1, t: 1 }),
  { session: "s", context: "sub" },
  SURROUNDINGS,
  { kind: "load-skill", skill: { path: "/k", mtimeMs: 1 } },
  2,
);
const DROPPED: [does: string, session: string, context: string, left: object][] = [
  ["drops one context", "s", "sub", { s: ["main"], t: ["main"] }],
  ["changes nothing when it does not know the context", "s", "x", { s: ["main", "sub"], t: ["main"] }],
  ["changes nothing when it does not know the session", "x", "main", { s: ["main", "sub"], t: ["main"] }],
  ["changes nothing for a property of every object", "constructor", "main", { s: ["main", "sub"], t: ["main"] }],
];
for (const [does, session, context, left] of DROPPED) {
  test(`the end of a context ${does}`, () => {
    const ended = applyChange(TWO, { session, context }, SURROUNDINGS, { kind: "end", contexts: [context] }, 3);
    expect(contextsOf(ended)).toEqual(left);
  });
}

function contextsOf({ sessions }: Ledger): object {
  return Object.fromEntries(Object.entries(sessions).map(([id, { contexts }]) => [id, Object.keys(contexts)]));
}

test("forgetContexts() isn't undone by earlier records, and keeps later ones", () => {
  const forgotten = forgetContexts(TWO, "s", ["main", "sub"]);
  expect(contextsOf(forgotten)).toEqual({ s: [], t: ["main"] });
  expect(contextsOf(mergeLedgers(TWO, forgotten))).toEqual({ s: [], t: ["main"] });
  const key = { session: "s", context: "sub" };
  const told = { told: [fileAt("/r/AGENTS.md")], gone: [] };
  const after = applyChange(forgotten, key, SURROUNDINGS, { kind: "cover", ...told }, 9);
  expect(contextsOf(mergeLedgers(TWO, after))).toEqual({ s: ["sub"], t: ["main"] });
  expect(findContext(mergeLedgers(TWO, after).sessions["s"], "sub")).toEqual(findContext(after.sessions["s"], "sub"));
  const begun = applyChange(forgotten, key, SURROUNDINGS, { kind: "begin", told: [] }, 9);
  expect(findContext(begun.sessions["s"], "sub").epoch).toBe(findContext(forgotten.sessions["s"], "sub").epoch + 1);
});

test("forgetContexts() forgets again what was told since", () => {
  const once = forgetContexts(TWO, "s", ["sub"]);
  const key = { session: "s", context: "sub" };
  const again = applyChange(once, key, SURROUNDINGS, { kind: "cover", told: [fileAt("/r/AGENTS.md")], gone: [] }, 9);
  const twice = forgetContexts(again, "s", ["sub"]);
  expect(contextsOf(mergeLedgers(again, twice))).toEqual({ s: ["main"], t: ["main"] });
});

test("forgetContexts() changes nothing for an unknown session", () => {
  expect(forgetContexts(TWO, "x", ["main"])).toBe(TWO);
});

test("restore() puts a session back, under any name", () => {
  const session = TWO.sessions["s"] as Session;
  for (const id of ["s", "new", "__proto__"]) {
    const { sessions } = restore(TWO, id, { ...session, updatedAt: 77 });
    expect(Object.keys(sessions).toSorted()).toEqual([...new Set(["s", "t", id])].toSorted());
    expect(Object.entries(sessions).find(([name]) => name === id)?.[1].updatedAt).toBe(77);
  }
});
