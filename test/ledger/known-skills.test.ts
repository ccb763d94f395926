import { expect, test } from "bun:test";
import { knownSkills } from "../../src/ledger/contexts.ts";
import type { Session } from "../../src/ledger/schema.ts";
import { EMPTY, SURROUNDINGS } from "../support/samples.ts";

const SESSION: Session = {
  ...SURROUNDINGS,
  startedAt: 0,
  updatedAt: 0,
  contexts: {
    main: { ...EMPTY, loadedSkills: { "/both": { mtimeMs: 2, n: 3 }, "/main": { mtimeMs: 1, n: 1 } } },
    shell: { ...EMPTY, loadedSkills: { "/both": { mtimeMs: 1, n: 4 }, "/shell": { mtimeMs: 1, n: 0 } } },
    agent: { ...EMPTY, loadedSkills: { "/agent": { mtimeMs: 1, n: 5 } } },
  },
};

const CASES: [context: string, known: object][] = [
  ["main", { "/both": { mtimeMs: 1, n: 4 }, "/main": { mtimeMs: 1, n: 1 }, "/shell": { mtimeMs: 1, n: 0 } }],
  ["shell", SESSION.contexts["shell"]?.loadedSkills ?? {}],
  ["agent", SESSION.contexts["agent"]?.loadedSkills ?? {}],
  ["nobody", {}],
];
for (const [context, known] of CASES) {
  test(`knownSkills() of '${context}'`, () => expect(knownSkills(SESSION, context)).toEqual(known as never));
}

test("knownSkills() of no session are none", () => expect(knownSkills(undefined, "main")).toEqual({}));
