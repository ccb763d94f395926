import { expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { applyChange } from "../../src/ledger/changes.ts";
import { emptyLedger, findContext, findSession } from "../../src/ledger/contexts.ts";
import { treeOf, type LedgerLocation } from "../../src/ledger/location.ts";
import { lateLedger, readLate, viewIn } from "../../src/ledger/read.ts";
import { addLate, forgetLate } from "../../src/ledger/late.ts";
import type { Ledger, Session } from "../../src/ledger/schema.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";
import { errno, hookDisk, once } from "../support/disk-hooks.ts";

const LATE = ".codelia/session.json.late";
const NONCE = "ournonce";

function placeIn(tree: TempTree): LedgerLocation {
  return { directory: tree.path(".codelia"), isInProject: true, root: tree.root, treeFile: tree.path("tree") };
}

/** That one context was told one file. */
function record(place: LedgerLocation, context: string, more: Partial<Ledger> = {}): Ledger {
  const told = [{ path: "/r/AGENTS.md", directory: "/r", version: { mtimeMs: 1, sizeBytes: 1 } }];
  const surroundings = { cwd: "/r", root: "/r", markers: [] };
  const ledger = applyChange(
    emptyLedger(treeOf(place) ?? ""),
    { session: "s", context },
    surroundings,
    { kind: "cover", told, gone: [] },
    5,
  );
  return { ...ledger, ...more };
}

/** What lines beside a ledger say, by default all that there are. */
function readIn(place: LedgerLocation, lines = readLate(place)): Session | undefined {
  return lines === undefined ? undefined : findSession(lateLedger(place, lines, undefined), "s");
}

function contextsIn(place: LedgerLocation, lines?: string): string[] {
  return Object.keys(readIn(place, lines)?.contexts ?? {});
}

const names = (tree: TempTree) => readdirSync(tree.path(".codelia"));

test("late records of several processes are read as one", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  expect(readLate(place)).toBeUndefined();
  expect([addLate(place, record(place, "a")), addLate(place, record(place, "b"))]).toEqual([true, true]);
  const late = readLate(place);
  expect(contextsIn(place, late)).toEqual(["a", "b"]);
  const told = findContext(readIn(place), "b");
  expect(Object.keys(told.loadedVersions)).toEqual(["/r/AGENTS.md"]);
});

test("forgetLate() leaves nothing of the lines", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  addLate(place, record(place, "a"));
  forgetLate(place, readLate(place) as string, NONCE);
  expect(readLate(place)).toBeUndefined();
  expect(names(tree)).toEqual([]);
});

test("a line that is added before the lines are forgotten is kept", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  addLate(place, record(place, "a"));
  const late = readLate(place) as string;
  addLate(place, record(place, "b"));
  forgetLate(place, late, NONCE);
  expect(contextsIn(place)).toEqual(["b"]);
  expect(names(tree)).toEqual(["session.json.late"]);
});

test("a line that is added while the lines are being forgotten is kept", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  addLate(place, record(place, "a"));
  const late = readLate(place) as string;
  const isTaken = (path: string) => path.endsWith(`.${NONCE}.tmp`);
  using _ = hookDisk({ remove: once(isTaken, () => void addLate(place, record(place, "b"))) });
  forgetLate(place, late, NONCE);
  expect(contextsIn(place)).toEqual(["b"]);
});

test("a line that is written into a file that was just taken away is written again", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  addLate(place, record(place, "a"));
  const late = readLate(place) as string;
  let isOpened = false;
  using _ = hookDisk({
    write: (original) => (descriptor, bytes) => {
      if (!isOpened) {
        isOpened = true;
        forgetLate(place, late, NONCE);
      }
      return original(descriptor, bytes);
    },
  });
  expect(addLate(place, record(place, "b"))).toBe(true);
  expect(contextsIn(place)).toEqual(["b"]);
});

test("a line of which only the beginning could be read yet is kept", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  addLate(place, record(place, "a"));
  const [whole, line] = [tree.read(LATE), `\n${JSON.stringify(record(place, "b"))}\n`];
  tree.write(LATE, whole + line.slice(0, 50));
  const late = readLate(place) as string;
  expect(contextsIn(place, late)).toEqual(["a"]);
  tree.write(LATE, whole + line);
  forgetLate(place, late, NONCE);
  expect(contextsIn(place)).toEqual(["b"]);
});

test("a line that a full disk cut short does not take the next one with it", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  let writes = 0;
  {
    using _ = hookDisk({
      write: (original) => (descriptor, bytes) => {
        if (writes++ > 0) throw errno("ENOSPC");
        return original(descriptor, bytes.subarray(0, 40));
      },
    });
    expect(addLate(place, record(place, "a"))).toBe(false);
  }
  expect(addLate(place, record(place, "b"))).toBe(true);
  expect(contextsIn(place)).toEqual(["b"]);
});

test("lines for another directory are ignored", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  tree.write(
    LATE,
    ["garbage", "", "null", '{"version":2}', JSON.stringify(record(place, "x", { tree: "1:1" }))].join("\n"),
  );
  expect(contextsIn(place)).toEqual([]);
  expect(addLate(place, record(place, "b"))).toBe(true);
  expect(contextsIn(place)).toEqual(["b"]);
});

test("a FIFO in the place of late records doesn't block", () => {
  using tree = tempTree({ ".codelia/": dir, [LATE]: { fifo: true } });
  const place = placeIn(tree);
  expect(readLate(place)).toBeUndefined();
  expect(addLate(place, record(place, "a"))).toBe(false);
});

test("nothing is added to a file that would become too large", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  const [large, tooLarge] = ["x".repeat(1024 * 1024 - 100), "x".repeat(1024 * 1024 + 1)];
  for (const text of [large, tooLarge]) {
    tree.write(LATE, text);
    expect(addLate(place, record(place, "a"))).toBe(false);
    expect(readFileSync(tree.path(LATE), "utf8")).toBe(text);
  }
});

test("two processes that add to a nearly full file at once leave it readable", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  const lineBytes = JSON.stringify(record(place, "a")).length + 2;
  tree.write(LATE, "\n".repeat(1024 * 1024 - lineBytes - 10));
  const isLate = (path: string) => path === tree.path(LATE);
  using _ = hookDisk({ openToAppend: once(isLate, () => expect(addLate(place, record(place, "b"))).toBe(true)) });
  expect(addLate(place, record(place, "a"))).toBe(true);
  expect(contextsIn(place)).toEqual(["a", "b"]);
});

const STRUCK: [what: string, hooks: Parameters<typeof hookDisk>[0]][] = [
  ["can't be brought back", { openToAppend: failing("ENOSPC", LATE) }],
  ["are brought back in part", { write: () => () => fail("ENOSPC") }],
  ["can't be read once taken away", { openToRead: failing("EIO", `${LATE}.${NONCE}.tmp`) }],
];
for (const [what, hooks] of STRUCK) {
  test(`lines that were added since and ${what} are kept`, () => {
    using tree = tempTree({ ".codelia/": dir });
    const place = placeIn(tree);
    addLate(place, record(place, "a"));
    const late = readLate(place) as string;
    addLate(place, record(place, "b"));
    {
      using _ = hookDisk(hooks);
      forgetLate(place, late, NONCE);
    }
    expect(contextsIn(place)).toContain("b");
    expect(names(tree)).toEqual(["session.json.late"]);
  });
}

test("lines are kept while the directory can't be looked at", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  addLate(place, record(place, "a"));
  {
    using _ = hookDisk({ look: failing("EIO", ".codelia") });
    expect(readLate(place)).toBeUndefined();
  }
  expect(contextsIn(place)).toEqual(["a"]);
});

test("lines of other sessions aren't parsed", () => {
  using tree = tempTree({ ".codelia/": dir });
  const place = placeIn(tree);
  for (const context of ["a", "b"]) addLate(place, record(place, context));
  const parse = spyOn(JSON, "parse");
  expect(viewIn(place, "t").session).toBeUndefined();
  expect(parse).not.toHaveBeenCalled();
  expect(Object.keys(viewIn(place, "s").session?.contexts ?? {})).toEqual(["a", "b"]);
  parse.mockRestore();
});

function failing(code: string, name: string) {
  return <Call extends (path: string, ...rest: never[]) => unknown>(original: Call) =>
    ((path, ...rest) => (path.endsWith(`/${name}`) ? fail(code) : original(path, ...rest))) as Call;
}

function fail(code: string): never {
  throw errno(code);
}
