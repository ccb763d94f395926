import { expect, test } from "bun:test";
import { additionsTo } from "../../src/ledger/changes.ts";
import { mergeSessions } from "../../src/ledger/contexts.ts";
import type { Context, Session } from "../../src/ledger/schema.ts";
import { contextTold, EMPTY, SURROUNDINGS } from "../support/samples.ts";

type Contexts = Readonly<Record<string, Context>>;

function session(contexts: Contexts, updatedAt = 2): Session {
  return { ...SURROUNDINGS, startedAt: 1, updatedAt, contexts };
}

const A = contextTold(["/a/A"]);
const AB = contextTold(["/a/A", "/b/A"]);
const SKILL: Context = { ...EMPTY, loadedSkills: { "/s": { mtimeMs: 1, n: 3 } } };
const RELOADED: Context = { ...EMPTY, loadedSkills: { "/s": { mtimeMs: 2, n: 4 } } };
const FORGOTTEN: Context = { ...SKILL, epoch: 1, loadedSkills: { "/s": { mtimeMs: 1, n: 0 } } };

const SAID: [what: string, before: Contexts, after: Contexts, added: Contexts][] = [
  ["nothing where nothing changed", { main: A }, { main: A }, {}],
  ["what was told, without what was known", { main: A }, { main: AB }, { main: contextTold(["/b/A"]) }],
  ["a skill that counts for more", { main: SKILL }, { main: RELOADED }, { main: RELOADED }],
  ["a new context", { main: A }, { main: A, a1: A }, { a1: A }],
  ["a new context called '__proto__'", { main: A }, { main: A, ["__proto__"]: A }, { ["__proto__"]: A }],
  [
    "each context that began anew, whole",
    { a: A, b: SKILL },
    { a: { ...A, epoch: 1 }, b: FORGOTTEN },
    {
      a: { ...A, epoch: 1 },
      b: FORGOTTEN,
    },
  ],
];
for (const [what, before, after, added] of SAID) {
  test(`additionsTo() holds ${what}`, () => {
    const found = additionsTo(session(before), session(after)) as Session;
    expect(found.contexts).toEqual(added);
    expect(mergeSessions(session(before), found).contexts).toEqual(after);
  });
}

const UNSAID: [what: string, before: Contexts, after: Contexts][] = [
  ["a file is gone", { main: AB }, { main: { ...AB, loadedVersions: A.loadedVersions } }],
  ["a directory is gone", { main: AB }, { main: { ...AB, coveredDirs: A.coveredDirs } }],
  ["a skill is gone", { main: SKILL }, { main: EMPTY }],
  ["a skill counts for less", { main: SKILL }, { main: { ...FORGOTTEN, epoch: 0 } }],
  ["a context is gone", { main: A, a1: A }, { main: A }],
  ["a context is younger", { main: { ...A, epoch: 1 } }, { main: AB }],
];
for (const [what, before, after] of UNSAID) {
  test(`additionsTo() is undefined when ${what}`, () => {
    expect(additionsTo(session(before), session(after))).toBeUndefined();
  });
}

test("additionsTo() holds all of a session that was not known", () => {
  expect(additionsTo(undefined, session({ main: A, a1: AB }))).toEqual(session({ main: A, a1: AB }));
});

test("additionsTo() holds what was told when the clock went backwards", () => {
  const added = additionsTo(session({ main: A }, 9), session({ main: AB }, 2));
  expect(added?.contexts).toEqual({ main: contextTold(["/b/A"]) });
});
