import { expect, test } from "bun:test";
import { knownSkills, mergeLedgers, mergeSessions } from "../../src/ledger/contexts.ts";
import type { Context, Ledger, Session } from "../../src/ledger/schema.ts";
import { EMPTY, SURROUNDINGS } from "../support/samples.ts";

function session(contexts: Session["contexts"], details: Partial<Session> = {}): Session {
  return { ...SURROUNDINGS, startedAt: 10, updatedAt: 20, contexts, ...details };
}

function merged(left: Partial<Context>, right: Partial<Context>): Context | undefined {
  const sessions = [left, right].map((context) => session({ main: { ...EMPTY, ...context } }));
  return mergeSessions(sessions[0] as Session, sessions[1] as Session).contexts["main"];
}

const told = (mtimeMs: number, n: number) => ({ mtimeMs, sizeBytes: 1, n });

const CONTEXTS: [does: string, left: Partial<Context>, right: Partial<Context>, expected: Partial<Context>][] = [
  [
    "takes the higher epoch whole",
    { epoch: 2, coveredDirs: ["/b"], loadedVersions: { "/b/A": told(1, 1) } },
    { epoch: 1, coveredDirs: ["/a"], loadedVersions: { "/a/A": told(9, 9) } },
    { epoch: 2, coveredDirs: ["/b"], loadedVersions: { "/b/A": told(1, 1) } },
  ],
  [
    "unites covered directories",
    { coveredDirs: ["/b", "/c"] },
    { coveredDirs: ["/a", "/b"] },
    {
      coveredDirs: ["/a", "/b", "/c"],
    },
  ],
  [
    "takes per path the version with the higher counter, though its mtime is lower",
    { loadedVersions: { "/A": told(100, 1), "/L": told(1, 1) } },
    { loadedVersions: { "/A": told(50, 2), "/R": told(1, 1) } },
    { loadedVersions: { "/A": told(50, 2), "/L": told(1, 1), "/R": told(1, 1) } },
  ],
  [
    "takes per path the later and then the larger version when the counters are the same",
    { loadedVersions: { "/A": told(1, 3), "/B": { mtimeMs: 1, sizeBytes: 7, n: 3 } } },
    { loadedVersions: { "/A": told(2, 3), "/B": { mtimeMs: 1, sizeBytes: 9, n: 3 } } },
    { loadedVersions: { "/A": told(2, 3), "/B": { mtimeMs: 1, sizeBytes: 9, n: 3 } } },
  ],
  [
    "takes per skill the entry with the higher counter",
    { loadedSkills: { "/s": { mtimeMs: 9, n: 0 } } },
    { loadedSkills: { "/s": { mtimeMs: 1, n: 4 }, "/t": { mtimeMs: 1, n: 1 } } },
    { loadedSkills: { "/s": { mtimeMs: 1, n: 4 }, "/t": { mtimeMs: 1, n: 1 } } },
  ],
];
for (const [does, left, right, expected] of CONTEXTS) {
  test(`mergeSessions() ${does}`, () => {
    expect(merged(left, right)).toEqual({ ...EMPTY, ...expected });
    expect(merged(right, left)).toEqual({ ...EMPTY, ...expected });
  });
}

test("mergeSessions() takes the surroundings of the later one, and the earlier beginning", () => {
  const early = session({}, { startedAt: 1, updatedAt: 2 });
  const late = session({}, { cwd: "/q", root: "/q", markers: [], startedAt: 5, updatedAt: 6 });
  for (const both of [mergeSessions(early, late), mergeSessions(late, early)]) {
    expect(both).toEqual({ cwd: "/q", root: "/q", markers: [], startedAt: 1, updatedAt: 6, contexts: {} });
  }
});

test("mergeLedgers() keeps every session and context, and the higher counter", () => {
  const left: Ledger = { version: 1, tree: "1:2", n: 3, sessions: { s: session({ main: EMPTY }), l: session({}) } };
  const right: Ledger = { version: 1, tree: "1:2", n: 7, sessions: { s: session({ sub: EMPTY }), r: session({}) } };
  expect(mergeLedgers(left, right)).toEqual({
    version: 1,
    tree: "1:2",
    n: 7,
    sessions: { l: session({}), r: session({}), s: session({ main: EMPTY, sub: EMPTY }) },
  });
});

const SKILLED: Session = {
  ...SURROUNDINGS,
  startedAt: 0,
  updatedAt: 0,
  contexts: {
    main: { ...EMPTY, loadedSkills: { "/both": { mtimeMs: 2, n: 3 }, "/main": { mtimeMs: 1, n: 1 } } },
    shell: { ...EMPTY, loadedSkills: { "/both": { mtimeMs: 1, n: 4 }, "/shell": { mtimeMs: 1, n: 0 } } },
    agent: { ...EMPTY, loadedSkills: { "/agent": { mtimeMs: 1, n: 5 } } },
  },
};

const KNOWN: [context: string, known: object][] = [
  ["main", { "/both": { mtimeMs: 1, n: 4 }, "/main": { mtimeMs: 1, n: 1 }, "/shell": { mtimeMs: 1, n: 0 } }],
  ["shell", SKILLED.contexts["shell"]?.loadedSkills ?? {}],
  ["agent", SKILLED.contexts["agent"]?.loadedSkills ?? {}],
  ["nobody", {}],
];
for (const [context, known] of KNOWN) {
  test(`knownSkills() of '${context}'`, () => expect(knownSkills(SKILLED, context)).toEqual(known as never));
}

test("knownSkills() of no session are none", () => expect(knownSkills(undefined, "main")).toEqual({}));
