import { expect, test } from "bun:test";
import { constantFrom, jsonValue, nat, oneof, property, tuple, type Arbitrary } from "fast-check";
import { isLedger, isSession } from "../../src/ledger/format.ts";
import { LedgerSchema, SessionSchema } from "../../src/ledger/schema.ts";
import { anyLedger } from "./arbitraries.ts";
import { testProperty } from "./fuzz.ts";

type Json = unknown;

const NEARLY_RIGHT = [0, -1, 1, 2, 0.5, 1e15, 2 ** 53, 1e300, "", "1", "x", true, false, null, [], [1], ["a"], {}];

/** A ledger as JSON gives it back, one value in it replaced, taken away or added. */
function mutatedLedger(): Arbitrary<Json> {
  const replacement = oneof(constantFrom<Json[]>(...NEARLY_RIGHT), jsonValue({ maxDepth: 2 }));
  const edit = constantFrom("replace", "remove", "add");
  return tuple(anyLedger(), nat(), edit, replacement).map(([ledger, choice, how, value]) => {
    const root: Json = JSON.parse(JSON.stringify({ ledger }));
    const places = placesIn(root);
    const [holder, key] = places[choice % places.length] as Place;
    if (how === "replace") define(holder, key, value);
    else if (how === "remove") delete holder[key];
    else define(holder, "more", value);
    return (root as { ledger?: Json }).ledger;
  });
}

type Place = readonly [holder: Record<string, Json>, key: string];

function placesIn(value: Json): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, Json>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const].concat(placesIn(holder[key])));
}

/** Also for `__proto__`. */
function define(holder: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** zod looks at no value under the key `__proto__`, nor gives it back: see the last test. */
function isBeyondZod(value: Json): boolean {
  return placesIn({ value }).some(([, key]) => key === "__proto__");
}

function expectAgreement(value: Json): void {
  if (isBeyondZod(value)) return;
  expect(isLedger(value)).toBe(LedgerSchema.safeParse(value).success);
  expect(isSession(value)).toBe(SessionSchema.safeParse(value).success);
}

testProperty(
  "isLedger() accepts every ledger, as LedgerSchema does",
  property(anyLedger(), (ledger) => {
    expect(isLedger(ledger)).toBe(true);
    expect(LedgerSchema.safeParse(ledger).success).toBe(true);
    for (const session of Object.values(ledger.sessions)) expect(isSession(session)).toBe(true);
  }),
);

testProperty(
  "isLedger() agrees with LedgerSchema about every mutated ledger",
  property(mutatedLedger(), expectAgreement),
);

testProperty("isLedger() agrees with LedgerSchema about any JSON", property(jsonValue(), expectAgreement));

for (const value of NEARLY_RIGHT) {
  test(`isLedger() agrees with LedgerSchema about ${JSON.stringify(value)} in place of each value`, () => {
    const context = {
      epoch: 1,
      coveredDirs: ["/r"],
      loadedVersions: {
        "/r/A": { mtimeMs: 1, sizeBytes: 1, n: 1 },
        "/r/B": { mtimeMs: 1, sizeBytes: 1, n: 1, ctimeMs: 1, digest: 1, named: true, directory: "/r" },
      },
      loadedSkills: { "/s": { mtimeMs: 1, n: 1 } },
      delivery: { by: "SessionStart", at: 1, up: 1, cwd: "/r", due: { "/r/A": [[0, 1]] }, given: {} },
    };
    const session = {
      cwd: "/r",
      root: "/r",
      markers: ["m"],
      startedAt: 1,
      updatedAt: 1,
      contexts: { main: context },
      forgotten: { sub: 1 },
    };
    const text = JSON.stringify({ ledger: { version: 1, tree: "1:1", n: 1, sessions: { s: session } } });
    for (const index of placesIn(JSON.parse(text)).keys()) {
      const root = JSON.parse(text);
      const [holder, key] = placesIn(root)[index] as Place;
      define(holder, key, value);
      expectAgreement(root.ledger);
    }
  });
}

test("isLedger() is stricter than LedgerSchema about what stands under '__proto__'", () => {
  const value = JSON.parse('{"version":1,"tree":"1:1","n":0,"sessions":{"__proto__":5}}');
  expect([isLedger(value), LedgerSchema.safeParse(value).success]).toEqual([false, true]);
});
