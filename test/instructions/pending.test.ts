import { expect, test } from "bun:test";
import { dirname } from "node:path";
import type { InstructionFile, PassedOver } from "../../src/instructions/chain.ts";
import { decidePending, isNothing, isTold, toldOf, type Applying } from "../../src/instructions/pending.ts";
import type { Context } from "../../src/ledger/schema.ts";
import { contextTold, EMPTY, factsOf, fileAt, VERSION } from "../support/samples.ts";

interface Tree {
  readonly files?: readonly InstructionFile[];
  readonly passedOver?: readonly PassedOver[];
  readonly directories?: readonly string[];
  /** Known to the disk, but not on the ladder. */
  readonly elsewhere?: readonly InstructionFile[];
  readonly blank?: readonly string[];
  /** No text can be read. */
  readonly unread?: boolean;
}

function decide(tree: Tree, context: Context, maxFiles = 8) {
  const { files = [], passedOver = [], elsewhere = [] } = tree;
  const directories = new Set(tree.directories ?? files.map((file) => file.directory));
  const applying: Applying = { files, passedOver, directories, home: [], homeDirectory: "/home/.codelia" };
  const facts = factsOf([...files, ...elsewhere], tree.blank);
  const seen = tree.unread === true ? { ...facts, digestOf: () => undefined } : facts;
  const pending = decidePending(applying, context, seen, maxFiles);
  return {
    tell: pending.tell.map(({ path }) => path),
    remaining: pending.remaining,
    gone: [...pending.gone].toSorted(),
    aliases: pending.aliases.map(({ path }) => path),
    ...(pending.renewed.length > 0 && { renewed: pending.renewed.map(({ path }) => path) }),
  };
}

const NOTHING = { tell: [], remaining: 0, gone: [], aliases: [] };
const A = fileAt("/r/AGENTS.md");
const B = fileAt("/r/a/AGENTS.md");
const C = fileAt("/r/c/AGENTS.md");

/** That the first file was told, when its text had this digest. */
function toldSealed(digest: number): Context {
  return { ...EMPTY, loadedVersions: { [A.path]: { ...VERSION, n: 1, ctimeMs: 1, digest } } };
}

interface Expected {
  readonly tell?: string[];
  readonly remaining?: number;
  readonly gone?: string[];
  readonly aliases?: string[];
  readonly renewed?: string[];
}
const CASES: [does: string, tree: Tree, context: Context, expected: Expected][] = [
  ["says nothing when no file applies", {}, EMPTY, {}],
  ["tells what is new, root first", { files: [A, B] }, EMPTY, { tell: [A.path, B.path] }],
  ["says nothing when all is told", { files: [A, B] }, contextTold([A.path, B.path]), {}],
  ["tells only what is new when some is told", { files: [A, B] }, contextTold([A.path]), { tell: [B.path] }],
  [
    "tells a file again when its mtime is later",
    { files: [fileAt(A.path, { version: { mtimeMs: 2000, sizeBytes: 10 } })] },
    contextTold([A.path]),
    { tell: [A.path] },
  ],
  [
    "tells a file again when its mtime is earlier",
    { files: [fileAt(A.path, { version: { mtimeMs: 0, sizeBytes: 10 } })] },
    contextTold([A.path]),
    { tell: [A.path] },
  ],
  [
    "records, and does not tell, what has another ctime and says the same",
    { files: [fileAt(A.path, { version: { ...VERSION, ctimeMs: 2 } })] },
    toldSealed(A.path.length),
    { renewed: [A.path] },
  ],
  [
    "tells a file again when it has another ctime and says something else",
    { files: [fileAt(A.path, { version: { ...VERSION, ctimeMs: 2 } })] },
    toldSealed(7),
    { tell: [A.path] },
  ],
  [
    "tells a file again when it has another ctime and can't be read",
    { files: [fileAt(A.path, { version: { ...VERSION, ctimeMs: 2 } })], unread: true },
    toldSealed(7),
    { tell: [A.path] },
  ],
  [
    "says nothing of a ctime where none was recorded",
    { files: [fileAt(A.path, { version: { ...VERSION, ctimeMs: 2 } })] },
    contextTold([A.path]),
    {},
  ],
  [
    "tells a file again when its size differs under the same mtime",
    { files: [fileAt(A.path, { version: { mtimeMs: VERSION.mtimeMs, sizeBytes: 11 } })] },
    contextTold([A.path]),
    { tell: [A.path] },
  ],
  ["reports a known file that has gone", { directories: ["/r"] }, contextTold([A.path]), { gone: [A.path] }],
  ["says nothing of a known file where it did not look", { directories: ["/r/a"] }, contextTold([A.path]), {}],
  [
    "reports a known file that an override hides, and tells the override",
    {
      files: [fileAt("/r/AGENTS.override.md")],
      passedOver: [{ path: A.path, reason: "hidden", by: "/r/AGENTS.override.md" }],
    },
    contextTold([A.path]),
    { tell: ["/r/AGENTS.override.md"], gone: [A.path] },
  ],
  [
    "reports a known file that a blank override hides",
    {
      files: [fileAt("/r/AGENTS.override.md")],
      passedOver: [{ path: A.path, reason: "hidden", by: "/r/AGENTS.override.md" }],
      blank: ["/r/AGENTS.override.md"],
    },
    contextTold([A.path]),
    { gone: [A.path] },
  ],
  [
    "reports a known file that can't be used any more",
    { passedOver: [{ path: A.path, reason: "no-permission" }], directories: ["/r"] },
    contextTold([A.path]),
    { gone: [A.path] },
  ],
  [
    "does not report a known file that is the same as another now",
    { files: [A], passedOver: [{ path: B.path, reason: "duplicate", by: A.path }], directories: ["/r", "/r/a"] },
    contextTold([A.path, B.path]),
    {},
  ],
  ["says nothing of a blank file", { files: [A, B], blank: [A.path] }, EMPTY, { tell: [B.path] }],
  [
    "reports a known file that was made blank",
    { files: [fileAt(A.path, { version: { mtimeMs: 2000, sizeBytes: 0 } })], blank: [A.path] },
    contextTold([A.path]),
    { gone: [A.path] },
  ],
  [
    "records a file that was told under another name, and does not tell it",
    { files: [fileAt("/r/b/AGENTS.md", { identity: A.path })], elsewhere: [A] },
    contextTold([A.path]),
    { aliases: ["/r/b/AGENTS.md"] },
  ],
  [
    "tells a file whose other name was told in another version",
    {
      files: [fileAt("/r/b/AGENTS.md", { identity: A.path, version: { mtimeMs: 2000, sizeBytes: 10 } })],
      elsewhere: [fileAt(A.path, { version: { mtimeMs: 2000, sizeBytes: 10 } })],
    },
    contextTold([A.path]),
    { tell: ["/r/b/AGENTS.md"] },
  ],
  [
    "tells a file whose inode belonged to a told file that has gone",
    { files: [fileAt("/r/b/AGENTS.md", { identity: A.path })] },
    contextTold([A.path]),
    { tell: ["/r/b/AGENTS.md"] },
  ],
  [
    "takes a path like a property of every object for what it is: new",
    { files: [fileAt("constructor"), fileAt("__proto__")] },
    EMPTY,
    { tell: ["constructor", "__proto__"] },
  ],
];
for (const [does, tree, context, expected] of CASES) {
  test(`decidePending() ${does}`, () => {
    expect(decide(tree, context)).toEqual({ ...NOTHING, ...expected });
  });
}

const DEEP = ["/r/AGENTS.md", "/r/a/AGENTS.md", "/r/a/b/AGENTS.md", "/r/a/b/c/AGENTS.md"].map((path) => fileAt(path));
const OVERFLOWS: [does: string, files: InstructionFile[], maxFiles: number, tell: string[], remaining: number][] = [
  ["tells all when they just fit", DEEP, 4, DEEP.map(({ path }) => path), 0],
  ["keeps the nearest and leaves the rest", DEEP, 2, ["/r/a/b/AGENTS.md", "/r/a/b/c/AGENTS.md"], 2],
  ["keeps the very nearest when there is room for one", DEEP, 1, ["/r/a/b/c/AGENTS.md"], 3],
  [
    "keeps the deepest of several ladders, in their order",
    [fileAt("/r/AGENTS.md"), fileAt("/r/a/b/AGENTS.md"), fileAt("/r/c/AGENTS.md"), fileAt("/r/c/d/AGENTS.md")],
    2,
    ["/r/a/b/AGENTS.md", "/r/c/d/AGENTS.md"],
    2,
  ],
  [
    "keeps the later of one directory's files",
    [fileAt("/r/AGENTS.md"), fileAt("/r/LOCAL.md"), fileAt("/r/MORE.md")],
    2,
    ["/r/LOCAL.md", "/r/MORE.md"],
    1,
  ],
];
for (const [does, files, maxFiles, tell, remaining] of OVERFLOWS) {
  test(`decidePending() ${does}`, () => {
    expect(decide({ files }, EMPTY, maxFiles)).toEqual({ ...NOTHING, tell, remaining });
  });
}

test("decidePending() does not count blank, told and aliased files towards the limit", () => {
  const files = [...DEEP, fileAt("/r/x/AGENTS.md", { identity: "told" }), fileAt("/r/y/AGENTS.md")];
  const tree = { files, elsewhere: [fileAt("/r/told", { identity: "told" })], blank: ["/r/y/AGENTS.md"] };
  const told = contextTold(["/r/told", "/r/AGENTS.md", "/r/a/AGENTS.md"]);
  expect(decide(tree, told, 2)).toEqual({
    tell: ["/r/a/b/AGENTS.md", "/r/a/b/c/AGENTS.md"],
    remaining: 0,
    gone: ["/r/told"],
    aliases: ["/r/x/AGENTS.md"],
  });
});

test("decidePending() asks nothing of the disk when all is told", () => {
  const refuse = () => {
    throw new Error("asked");
  };
  const directories = new Set(["/r", "/r/a"]);
  const home = fileAt("/h/AGENTS.md");
  const applying = { files: [A, B], passedOver: [], directories, home: [home], homeDirectory: "/h" };
  const context = { ...contextTold([A.path, B.path, home.path]), epoch: 1 };
  const pending = decidePending(
    applying,
    context,
    { isBlank: refuse, isUnread: refuse, digestOf: refuse, identityAt: refuse },
    8,
  );
  expect(isNothing(pending)).toBe(true);
});

test("isNothing() is false for each thing that there is to tell or to record", () => {
  const nothing = { tell: [], changed: [], remaining: 0, gone: [], aliases: [], renewed: [] };
  expect(isNothing(nothing)).toBe(true);
  expect(isNothing({ ...nothing, tell: [A] })).toBe(false);
  expect(isNothing({ ...nothing, gone: ["/r"] })).toBe(false);
  expect(isNothing({ ...nothing, aliases: [A] })).toBe(false);
  expect(isNothing({ ...nothing, renewed: [A] })).toBe(false);
});

test("toldOf() is what was told and what was known by another name, not what remains", () => {
  const pending = { tell: [A], changed: [], aliases: [B], gone: ["/r/x"], remaining: 3, renewed: [C] };
  const digest = ({ path }: InstructionFile) => path.length;
  const recorded = (file: InstructionFile, isNamed: boolean) => {
    const { path, directory, version } = file;
    return { path, directory, version, digest: digest(file), isNamed };
  };
  expect(toldOf(pending, factsOf([]), { named: new Set([B.path]) })).toEqual({
    told: [{ ...recorded(A, false), how: "named" }, recorded(B, true), recorded(C, true)],
    gone: ["/r/x"],
  });
});

test("isTold() knows own paths only, in each number", () => {
  const context = contextTold([A.path]);
  expect(isTold(context, A.path, VERSION)).toBe(true);
  expect(isTold(context, A.path, { ...VERSION, ctimeMs: 1 })).toBe(true);
  const sealed = contextTold([A.path], { ...VERSION, ctimeMs: 1 });
  expect(isTold(sealed, A.path, { ...VERSION, ctimeMs: 1 })).toBe(true);
  expect(isTold(sealed, A.path, { ...VERSION, ctimeMs: 2 })).toBe(false);
  expect(isTold(context, A.path, { ...VERSION, mtimeMs: 1 })).toBe(false);
  expect(isTold(context, A.path, { ...VERSION, sizeBytes: 1 })).toBe(false);
  expect(isTold(context, dirname(A.path), VERSION)).toBe(false);
  expect(isTold(context, "toString", VERSION)).toBe(false);
});
