import { expect, test } from "bun:test";
import {
  adopt,
  cover,
  emptyLedger,
  findContext,
  findSession,
  load,
  startContext,
  startEpoch,
} from "../../src/ledger/contexts.ts";
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
  return cover(emptyLedger("1:2"), MAIN, SURROUNDINGS, { told: files, gone: [] }, 100);
}

test("emptyLedger() knows nobody", () => {
  expect(emptyLedger("1:2")).toEqual({ version: 1, tree: "1:2", n: 0, sessions: {} });
});

test("cover() begins a session and a context when there is none", () => {
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

test("cover() adds to what is known, with a higher counter, and keeps where the session began", () => {
  const ledger = cover(told(B), MAIN, ELSEWHERE, { told: [A], gone: [] }, 200);
  expect(ledger.n).toBe(2);
  expect(findSession(ledger, "s")).toMatchObject({ ...SURROUNDINGS, startedAt: 100, updatedAt: 200 });
  expect(contextOf(ledger).coveredDirs).toEqual(["/r", "/r/a"]);
  expect(contextOf(ledger).loadedVersions).toEqual({
    [B.path]: { mtimeMs: 1000, sizeBytes: 10, n: 1 },
    [A.path]: { mtimeMs: 1000, sizeBytes: 10, n: 2 },
  });
});

test("cover() replaces a version and forgets what has gone", () => {
  const changed = fileAt(A.path, { version: { mtimeMs: 1, sizeBytes: 2 } });
  const ledger = cover(told(A, B), MAIN, SURROUNDINGS, { told: [changed], gone: [B.path] }, 200);
  expect(contextOf(ledger).loadedVersions).toEqual({ [A.path]: { mtimeMs: 1, sizeBytes: 2, n: 2 } });
});

test("cover() knows a path that was gone and told at once", () => {
  const ledger = cover(told(A), MAIN, SURROUNDINGS, { told: [A], gone: [A.path] }, 200);
  expect(Object.keys(contextOf(ledger).loadedVersions)).toEqual([A.path]);
});

test("cover() touches no other context and no other session", () => {
  const before = load(told(A), { session: "other", context: "main" }, ELSEWHERE, SKILL, 150);
  const ledger = cover(before, SUB, SURROUNDINGS, { told: [B], gone: [A.path] }, 200);
  expect(contextOf(ledger)).toEqual(contextOf(before));
  expect(findSession(ledger, "other")).toEqual(findSession(before, "other") as never);
});

test("cover() changes nothing in the ledger it was given", () => {
  const before = told(A);
  const text = JSON.stringify(before);
  cover(before, MAIN, ELSEWHERE, { told: [B], gone: [A.path] }, 200);
  startContext(before, MAIN, ELSEWHERE, [B], 200);
  adopt(before, MAIN, ELSEWHERE, { changed: [SKILL], gone: [] }, 200);
  expect(JSON.stringify(before)).toBe(text);
});

test("startEpoch() forgets files, and keeps skills by name only", () => {
  const loaded = load(told(A), MAIN, SURROUNDINGS, SKILL, 150);
  expect(contextOf(loaded).loadedSkills).toEqual({ [SKILL.path]: { mtimeMs: 5, n: 2 } });
  expect(contextOf(startEpoch(loaded, MAIN, SURROUNDINGS, 200))).toEqual({
    epoch: 1,
    coveredDirs: [],
    loadedVersions: {},
    loadedSkills: { [SKILL.path]: { mtimeMs: 5, n: 0 } },
  });
});

test("startContext() knows just what it is told, in a new epoch", () => {
  const ledger = startContext(told(A), MAIN, SURROUNDINGS, [B], 200);
  expect(contextOf(ledger)).toMatchObject({ epoch: 1, coveredDirs: ["/r/a"] });
  expect(Object.keys(contextOf(ledger).loadedVersions)).toEqual([B.path]);
});

const BASES: [key: typeof MAIN, expected: object][] = [
  [MAIN, ELSEWHERE],
  [SUB, SURROUNDINGS],
];
for (const [key, expected] of BASES) {
  test(`startContext() leaves the session at ${JSON.stringify(expected)} when '${key.context}' begins elsewhere`, () => {
    expect(findSession(startContext(told(A), key, ELSEWHERE, [], 200), "s")).toMatchObject(expected);
  });
}

test("startContext() begins a session when there is none", () => {
  const ledger = startContext(emptyLedger(""), SUB, SURROUNDINGS, [], 200);
  expect(findSession(ledger, "s")).toMatchObject({ ...SURROUNDINGS, startedAt: 200 });
  expect(contextOf(ledger, SUB)).toEqual({ ...EMPTY, epoch: 1 });
});

test("load() counts a skill that is loaded again", () => {
  const once = load(emptyLedger(""), MAIN, SURROUNDINGS, SKILL, 100);
  const twice = load(once, MAIN, SURROUNDINGS, { ...SKILL, mtimeMs: 6 }, 200);
  expect(contextOf(twice).loadedSkills).toEqual({ [SKILL.path]: { mtimeMs: 6, n: 2 } });
});

test("adopt() takes the present as the baseline, changed skills by name, gone ones not at all", () => {
  const two = load(load(told(A), MAIN, SURROUNDINGS, SKILL, 1), MAIN, SURROUNDINGS, { path: "/r/2", mtimeMs: 1 }, 1);
  const three = load(two, MAIN, SURROUNDINGS, { path: "/r/3", mtimeMs: 1 }, 1);
  const ledger = adopt(three, MAIN, ELSEWHERE, { changed: [{ ...SKILL, mtimeMs: 9 }], gone: ["/r/2"] }, 300);
  expect(findSession(ledger, "s")).toMatchObject({ ...ELSEWHERE, updatedAt: 300 });
  expect(contextOf(ledger).loadedSkills).toEqual({
    [SKILL.path]: { mtimeMs: 9, n: 0 },
    "/r/3": { mtimeMs: 1, n: 4 },
  });
  expect(contextOf(ledger).loadedVersions).toEqual(contextOf(told(A)).loadedVersions);
});

test("adopt() of the main context counts for its shell's skills, where there is one", () => {
  const SHELL = { session: "s", context: "shell" };
  const loaded = load(
    load(told(A), SHELL, SURROUNDINGS, SKILL, 1),
    SHELL,
    SURROUNDINGS,
    { path: "/r/2", mtimeMs: 1 },
    1,
  );
  const news = { changed: [{ ...SKILL, mtimeMs: 9 }], gone: ["/r/2"] };
  expect(contextOf(adopt(loaded, MAIN, ELSEWHERE, news, 300), SHELL).loadedSkills).toEqual({
    [SKILL.path]: { mtimeMs: 9, n: 0 },
  });
  expect(contextOf(adopt(loaded, SUB, ELSEWHERE, news, 300), SHELL)).toEqual(contextOf(loaded, SHELL));
  expect(findSession(adopt(told(A), MAIN, ELSEWHERE, news, 300), "s")?.contexts).not.toHaveProperty("shell");
});

test("adopt() leaves the session where it is when a sub-agent is resumed elsewhere", () => {
  const ledger = adopt(told(A), SUB, ELSEWHERE, { changed: [], gone: [] }, 300);
  expect(findSession(ledger, "s")).toMatchObject({ ...SURROUNDINGS, updatedAt: 300 });
});

for (const name of ["__proto__", "constructor", "toString"]) {
  test(`findSession() and findContext() take '${name}' for a name like any other`, () => {
    const key = { session: name, context: name };
    expect(findSession(emptyLedger(""), name)).toBeUndefined();
    expect(contextOf(emptyLedger(""), key)).toEqual(EMPTY);
    const path = fileAt(`/r/${name}`);
    const ledger = cover(emptyLedger(""), key, SURROUNDINGS, { told: [path], gone: [] }, 1);
    expect(Object.keys(ledger.sessions)).toEqual([name]);
    expect(Object.keys(contextOf(ledger, key).loadedVersions)).toEqual([`/r/${name}`]);
    expect(Object.getPrototypeOf(ledger.sessions)).toBe(Object.prototype);
  });
}
