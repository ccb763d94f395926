import { expect, test } from "bun:test";
import { applyChange } from "../../src/ledger/changes.ts";
import { emptyLedger, findContext, findSession } from "../../src/ledger/contexts.ts";
import type { Context, Ledger } from "../../src/ledger/schema.ts";
import { EMPTY, fileAt, SURROUNDINGS } from "../support/samples.ts";

const MAIN = { session: "s", context: "main" };
const SUB = { session: "s", context: "sub" };
const ELSEWHERE = { cwd: "/q", root: "/q", markers: [".jj"] };
const A = fileAt("/r/AGENTS.md");
const B = fileAt("/r/a/AGENTS.md");
const SKILL = { path: "/r/SKILL.md", mtimeMs: 5 };

function contextOf(ledger: Ledger, key = MAIN): Context {
  return findContext(findSession(ledger, key.session), key.context);
}

function told(...files: (typeof A)[]): Ledger {
  return applyChange(emptyLedger("1:2"), MAIN, SURROUNDINGS, { kind: "cover", told: files, gone: [] }, 100);
}

test("emptyLedger() has no sessions", () => {
  expect(emptyLedger("1:2")).toEqual({ version: 1, tree: "1:2", n: 0, sessions: {} });
});

test("'cover' begins a session and a context when there is none", () => {
  expect(told(A)).toEqual({
    version: 1,
    tree: "1:2",
    n: 1,
    sessions: {
      s: {
        ...SURROUNDINGS,
        startedAt: 100,
        updatedAt: 100,
        contexts: {
          main: { ...EMPTY, coveredDirs: ["/r"], loadedVersions: { [A.path]: { mtimeMs: 1000, sizeBytes: 10, n: 1 } } },
        },
      },
    },
  });
});

test("'cover' adds to what is known, with a higher counter, and keeps where the session began", () => {
  const ledger = applyChange(told(B), MAIN, ELSEWHERE, { kind: "cover", told: [A], gone: [] }, 200);
  expect(ledger.n).toBe(2);
  expect(findSession(ledger, "s")).toMatchObject({ ...SURROUNDINGS, startedAt: 100, updatedAt: 200 });
  expect(contextOf(ledger).coveredDirs).toEqual(["/r", "/r/a"]);
  expect(contextOf(ledger).loadedVersions).toEqual({
    [B.path]: { mtimeMs: 1000, sizeBytes: 10, n: 1 },
    [A.path]: { mtimeMs: 1000, sizeBytes: 10, n: 2 },
  });
});

test("'cover' replaces a version and forgets what has gone", () => {
  const changed = fileAt(A.path, { version: { mtimeMs: 1, sizeBytes: 2 } });
  const ledger = applyChange(told(A, B), MAIN, SURROUNDINGS, { kind: "cover", told: [changed], gone: [B.path] }, 200);
  expect(contextOf(ledger).loadedVersions).toEqual({ [A.path]: { mtimeMs: 1, sizeBytes: 2, n: 2 } });
});

test("'cover' knows a path that is both gone and told", () => {
  const ledger = applyChange(told(A), MAIN, SURROUNDINGS, { kind: "cover", told: [A], gone: [A.path] }, 200);
  expect(Object.keys(contextOf(ledger).loadedVersions)).toEqual([A.path]);
});

test("'cover' touches no other context and no other session", () => {
  const before = applyChange(
    told(A),
    { session: "other", context: "main" },
    ELSEWHERE,
    { kind: "load-skill", skill: SKILL },
    150,
  );
  const ledger = applyChange(before, SUB, SURROUNDINGS, { kind: "cover", told: [B], gone: [A.path] }, 200);
  expect(contextOf(ledger)).toEqual(contextOf(before));
  expect(findSession(ledger, "other")).toEqual(findSession(before, "other") as never);
});

test("'cover' changes nothing in the ledger it was given", () => {
  const before = told(A);
  const text = JSON.stringify(before);
  applyChange(before, MAIN, ELSEWHERE, { kind: "cover", told: [B], gone: [A.path] }, 200);
  applyChange(before, MAIN, ELSEWHERE, { kind: "begin", told: [B] }, 200);
  applyChange(
    before,
    MAIN,
    ELSEWHERE,
    { kind: "resume", told: [], gone: [], skills: { changed: [SKILL], gone: [] } },
    200,
  );
  expect(JSON.stringify(before)).toBe(text);
});

test("'begin' forgets files, and keeps skills by name only", () => {
  const loaded = applyChange(told(A), MAIN, SURROUNDINGS, { kind: "load-skill", skill: SKILL }, 150);
  expect(contextOf(loaded).loadedSkills).toEqual({ [SKILL.path]: { mtimeMs: 5, n: 2 } });
  expect(contextOf(applyChange(loaded, MAIN, SURROUNDINGS, { kind: "begin", told: [] }, 200))).toEqual({
    epoch: 1,
    coveredDirs: [],
    loadedVersions: {},
    loadedSkills: { [SKILL.path]: { mtimeMs: 5, n: 0 } },
  });
});

test("'begin' knows only what it is told, in a new epoch", () => {
  const ledger = applyChange(told(A), MAIN, SURROUNDINGS, { kind: "begin", told: [B] }, 200);
  expect(contextOf(ledger)).toMatchObject({ epoch: 1, coveredDirs: ["/r/a"] });
  expect(Object.keys(contextOf(ledger).loadedVersions)).toEqual([B.path]);
});

const BASES: [key: typeof MAIN, expected: object][] = [
  [MAIN, ELSEWHERE],
  [SUB, SURROUNDINGS],
];
for (const [key, expected] of BASES) {
  test(`'begin' leaves the session at ${JSON.stringify(expected)} when '${key.context}' begins elsewhere`, () => {
    expect(findSession(applyChange(told(A), key, ELSEWHERE, { kind: "begin", told: [] }, 200), "s")).toMatchObject(
      expected,
    );
  });
}

test("'begin' begins a session when there is none", () => {
  const ledger = applyChange(emptyLedger(""), SUB, SURROUNDINGS, { kind: "begin", told: [] }, 200);
  expect(findSession(ledger, "s")).toMatchObject({ ...SURROUNDINGS, startedAt: 200 });
  expect(contextOf(ledger, SUB)).toEqual({ ...EMPTY, epoch: 1 });
});

test("'load-skill' counts a skill that is loaded again", () => {
  const once = applyChange(emptyLedger(""), MAIN, SURROUNDINGS, { kind: "load-skill", skill: SKILL }, 100);
  const twice = applyChange(once, MAIN, SURROUNDINGS, { kind: "load-skill", skill: { ...SKILL, mtimeMs: 6 } }, 200);
  expect(contextOf(twice).loadedSkills).toEqual({ [SKILL.path]: { mtimeMs: 6, n: 2 } });
});

test("'resume' takes the present as the baseline, changed skills by name, gone ones not at all", () => {
  const two = applyChange(
    applyChange(told(A), MAIN, SURROUNDINGS, { kind: "load-skill", skill: SKILL }, 1),
    MAIN,
    SURROUNDINGS,
    { kind: "load-skill", skill: { path: "/r/2", mtimeMs: 1 } },
    1,
  );
  const three = applyChange(two, MAIN, SURROUNDINGS, { kind: "load-skill", skill: { path: "/r/3", mtimeMs: 1 } }, 1);
  const ledger = applyChange(
    three,
    MAIN,
    ELSEWHERE,
    { kind: "resume", told: [], gone: [], skills: { changed: [{ ...SKILL, mtimeMs: 9 }], gone: ["/r/2"] } },
    300,
  );
  expect(findSession(ledger, "s")).toMatchObject({ ...ELSEWHERE, updatedAt: 300 });
  expect(contextOf(ledger).loadedSkills).toEqual({
    [SKILL.path]: { mtimeMs: 9, n: 0 },
    "/r/3": { mtimeMs: 1, n: 4 },
  });
  expect(contextOf(ledger).loadedVersions).toEqual(contextOf(told(A)).loadedVersions);
});

test("'resume' of the main context also updates the skills of its shell", () => {
  const SHELL = { session: "s", context: "shell" };
  const loaded = applyChange(
    applyChange(told(A), SHELL, SURROUNDINGS, { kind: "load-skill", skill: SKILL }, 1),
    SHELL,
    SURROUNDINGS,
    { kind: "load-skill", skill: { path: "/r/2", mtimeMs: 1 } },
    1,
  );
  const news = { changed: [{ ...SKILL, mtimeMs: 9 }], gone: ["/r/2"] };
  expect(
    contextOf(applyChange(loaded, MAIN, ELSEWHERE, { kind: "resume", told: [], gone: [], skills: news }, 300), SHELL)
      .loadedSkills,
  ).toEqual({
    [SKILL.path]: { mtimeMs: 9, n: 0 },
  });
  expect(
    contextOf(applyChange(loaded, SUB, ELSEWHERE, { kind: "resume", told: [], gone: [], skills: news }, 300), SHELL),
  ).toEqual(contextOf(loaded, SHELL));
  expect(
    findSession(applyChange(told(A), MAIN, ELSEWHERE, { kind: "resume", told: [], gone: [], skills: news }, 300), "s")
      ?.contexts,
  ).not.toHaveProperty("shell");
});

test("'resume' of a sub-agent leaves the session's surroundings as they are", () => {
  const ledger = applyChange(
    told(A),
    SUB,
    ELSEWHERE,
    { kind: "resume", told: [], gone: [], skills: { changed: [], gone: [] } },
    300,
  );
  expect(findSession(ledger, "s")).toMatchObject({ ...SURROUNDINGS, updatedAt: 300 });
});

for (const name of ["__proto__", "constructor", "toString"]) {
  test(`findSession() and findContext() treat '${name}' like any other name`, () => {
    const key = { session: name, context: name };
    expect(findSession(emptyLedger(""), name)).toBeUndefined();
    expect(contextOf(emptyLedger(""), key)).toEqual(EMPTY);
    const path = fileAt(`/r/${name}`);
    const ledger = applyChange(emptyLedger(""), key, SURROUNDINGS, { kind: "cover", told: [path], gone: [] }, 1);
    expect(Object.keys(ledger.sessions)).toEqual([name]);
    expect(Object.keys(contextOf(ledger, key).loadedVersions)).toEqual([`/r/${name}`]);
    expect(Object.getPrototypeOf(ledger.sessions)).toBe(Object.prototype);
  });
}
