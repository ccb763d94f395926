import { expect, test } from "bun:test";
import { decideResume, hasChanges, isRecordable } from "../../src/instructions/resume.ts";
import type { Context, Session } from "../../src/ledger/schema.ts";
import { contextTold, EMPTY, factsOf, fileAt, SURROUNDINGS } from "../support/samples.ts";

const A = fileAt("/r/AGENTS.md");
const SESSION: Session = { ...SURROUNDINGS, startedAt: 0, updatedAt: 0, contexts: {} };

interface Case {
  readonly name?: string;
  readonly session?: Session | undefined;
  readonly context?: Context;
  readonly present?: typeof SURROUNDINGS;
  readonly files?: readonly (typeof A)[];
  /** Present mtimes of skills. */
  readonly mtimes?: Readonly<Record<string, number>>;
}

function decide(given: Case) {
  const { name = "main", context = contextTold([A.path]), present = SURROUNDINGS, files = [A], mtimes = {} } = given;
  const session = "session" in given ? given.session : SESSION;
  const directories = new Set(["/r"]);
  const applying = { files, passedOver: [], directories, home: [], homeDirectory: "/h" };
  const told = session && { ...session, contexts: { [name]: context } };
  const facts = {
    ...factsOf([...files, A]),
    mtimeAt: (path: string) => mtimes[path] ?? (path === A.path ? 1000 : undefined),
  };
  return decideResume(told, name, present, applying, facts, 1000);
}

function knowing(loadedSkills: Context["loadedSkills"]): Context {
  return { ...contextTold([A.path]), loadedSkills };
}

const ALIAS = fileAt("/r/LOCAL.md", { identity: A.path });
const CASES: [when: string, given: Case, news: boolean, recordable: boolean][] = [
  ["nothing has changed", {}, false, false],
  ["nothing was known", { session: undefined, files: [] }, false, true],
  ["nothing was known and a file applies", { session: undefined }, true, true],
  ["the cwd has changed", { present: { ...SURROUNDINGS, cwd: "/r/b" } }, true, true],
  ["the root has changed", { present: { ...SURROUNDINGS, root: "/" } }, true, true],
  ["a marker has changed", { present: { ...SURROUNDINGS, markers: [".jj"] } }, true, true],
  ["a marker was added", { present: { ...SURROUNDINGS, markers: [".git", ".jj"] } }, true, true],
  [
    "the markers have another order",
    {
      session: { ...SESSION, markers: [".jj", ".git"] },
      present: { ...SURROUNDINGS, markers: [".git", ".jj"] },
    },
    true,
    true,
  ],
  ["the cwd has changed under a sub-agent", { name: "sub", present: { ...SURROUNDINGS, cwd: "/r/b" } }, false, false],
  ["a file is new under a sub-agent", { name: "sub", files: [A, fileAt("/r/a/AGENTS.md")] }, true, true],
  ["a file is new", { files: [A, fileAt("/r/a/AGENTS.md")] }, true, true],
  ["a file has changed", { files: [fileAt(A.path, { version: { mtimeMs: 5, sizeBytes: 5 } })] }, true, true],
  ["a file has gone", { files: [] }, true, true],
  ["a told file has another name now", { files: [A, ALIAS] }, false, true],
  ["a skill is as it was", { context: knowing({ "/s": { mtimeMs: 1, n: 3 } }), mtimes: { "/s": 1 } }, false, false],
  ["a skill has changed", { context: knowing({ "/s": { mtimeMs: 1, n: 3 } }), mtimes: { "/s": 2 } }, true, true],
  ["a skill has gone", { context: knowing({ "/s": { mtimeMs: 1, n: 3 } }) }, true, true],
  [
    "a skill known by name has changed",
    {
      context: knowing({ "/s": { mtimeMs: 1, n: 0 } }),
      mtimes: { "/s": 2 },
    },
    false,
    false,
  ],
  ["a skill known by name has gone", { context: knowing({ "/s": { mtimeMs: 1, n: 0 } }) }, true, true],
];
for (const [when, given, news, recordable] of CASES) {
  test(`decideResume() has ${news ? "news" : recordable ? "only something to record" : "nothing"} when ${when}`, () => {
    const diff = decide(given);
    expect({ news: hasChanges(diff), recordable: isRecordable(diff) }).toEqual({ news, recordable });
  });
}

test("decideResume() sets what was told against the present", () => {
  const present = { cwd: "/q", root: "/q", markers: [] };
  const { before, after } = decide({ present: present as never });
  expect(before).toEqual(SURROUNDINGS);
  expect(after).toEqual(present as never);
});

test("decideResume() reports a file that has vanished with its directory, once", () => {
  const gone = "/r/far/away/AGENTS.md";
  expect(decide({ context: contextTold([A.path, gone]) }).pending.gone).toEqual([gone]);
  expect(decide({ context: contextTold(["/r/CLAUDE.md", A.path]) }).pending.gone).toEqual(["/r/CLAUDE.md"]);
});

test("decideResume() holds no file back", () => {
  const files = Array.from({ length: 200 }, (_, index) => fileAt(`/r/${index}/AGENTS.md`));
  const { pending } = decide({ context: EMPTY, files });
  expect([pending.tell.length, pending.remaining]).toEqual([200, 0]);
});

test("decideResume() names changed skills with their present mtime", () => {
  const context = knowing({ "/a": { mtimeMs: 1, n: 1 }, "/b": { mtimeMs: 1, n: 1 }, "/c": { mtimeMs: 1, n: 1 } });
  const { skills } = decide({ context, mtimes: { "/a": 1, "/b": 7 } });
  expect(skills).toEqual({ changed: [{ path: "/b", mtimeMs: 7 }], gone: ["/c"] });
});
