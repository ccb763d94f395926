import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { chooseChain, type Candidate, type Rung, type UnusableReason } from "../../src/instructions/chain.ts";
import { VERSION } from "../support/samples.ts";

function file(path: string, identity = path): Candidate {
  return { path, found: { kind: "file", version: VERSION, identity, realPath: path } };
}

function unusable(path: string, reason: UnusableReason = "dangling-link"): Candidate {
  return { path, found: { kind: "unusable", reason } };
}

function rung(main: readonly Candidate[], additional: readonly Candidate[] = []): Rung {
  return { directory: dirname((main[0] ?? additional[0])?.path ?? "/"), main, additional };
}

const CASES: [does: string, rungs: Rung[], files: string[], passedOver: unknown[]][] = [
  ["is empty when there is no ladder", [], [], []],
  ["is empty when no directory has a file", [rung([]), rung([])], [], []],
  ["keeps the order of the ladder", [rung([file("/r/A")]), rung([file("/r/a/A")])], ["/r/A", "/r/a/A"], []],
  [
    "takes the first main name and reports those it hides",
    [rung([file("/r/O"), file("/r/A"), file("/r/F")])],
    ["/r/O"],
    [
      { path: "/r/A", reason: "hidden", by: "/r/O" },
      { path: "/r/F", reason: "hidden", by: "/r/O" },
    ],
  ],
  [
    "falls to the next main name when the first can't be used",
    [rung([unusable("/r/O", "not-a-regular-file"), file("/r/A")])],
    ["/r/A"],
    [{ path: "/r/O", reason: "not-a-regular-file" }],
  ],
  [
    "reports each reason when nothing can be used",
    [
      rung(
        [unusable("/r/O", "link-outside-root"), unusable("/r/A", "no-permission")],
        [unusable("/r/L", "unreadable")],
      ),
    ],
    [],
    [
      { path: "/r/O", reason: "link-outside-root" },
      { path: "/r/A", reason: "no-permission" },
      { path: "/r/L", reason: "unreadable" },
    ],
  ],
  [
    "says hidden, not unusable, of what stands behind the chosen name",
    [rung([file("/r/O"), unusable("/r/A")])],
    ["/r/O"],
    [{ path: "/r/A", reason: "hidden", by: "/r/O" }],
  ],
  [
    "adds every additional file after the main one",
    [rung([file("/r/A")], [file("/r/L"), file("/r/M")]), rung([file("/r/a/A")])],
    ["/r/A", "/r/L", "/r/M", "/r/a/A"],
    [],
  ],
  ["takes additional files when there is no main one", [rung([], [file("/r/L")])], ["/r/L"], []],
  [
    "takes a file once, under its first name, when a deeper directory has it too",
    [rung([file("/r/A", "1")]), rung([file("/r/a/A", "1")]), rung([file("/r/a/b/A", "1")])],
    ["/r/A"],
    [
      { path: "/r/a/A", reason: "duplicate", by: "/r/A" },
      { path: "/r/a/b/A", reason: "duplicate", by: "/r/A" },
    ],
  ],
  [
    "lets a duplicate hide the names behind it",
    [rung([file("/r/A", "1")]), rung([file("/r/a/O", "1"), file("/r/a/A", "2")])],
    ["/r/A"],
    [
      { path: "/r/a/O", reason: "duplicate", by: "/r/A" },
      { path: "/r/a/A", reason: "hidden", by: "/r/a/O" },
    ],
  ],
  [
    "reports an additional file that is the main one under another name",
    [rung([file("/r/A", "1")], [file("/r/L", "1")])],
    ["/r/A"],
    [{ path: "/r/L", reason: "duplicate", by: "/r/A" }],
  ],
  ["says nothing of an additional name that is the main name", [rung([file("/r/A")], [file("/r/A")])], ["/r/A"], []],
  [
    "takes a hidden file that is an additional one too",
    [rung([file("/r/O"), file("/r/A")], [file("/r/A")])],
    ["/r/O", "/r/A"],
    [{ path: "/r/A", reason: "hidden", by: "/r/O" }],
  ],
];
for (const [does, rungs, files, passedOver] of CASES) {
  test(`chooseChain() ${does}`, () => {
    const chain = chooseChain(rungs);
    expect(chain.files.map(({ path }) => path)).toEqual(files);
    expect(chain.passedOver).toEqual(passedOver as typeof chain.passedOver);
  });
}

test("chooseChain() passes on what the probe saw, with the directory", () => {
  expect(chooseChain([rung([file("/r/A", "7:9")])]).files).toEqual([
    { kind: "file", path: "/r/A", directory: "/r", version: VERSION, identity: "7:9", realPath: "/r/A" },
  ]);
});

// `agents.fallbackFilenames: ["AGENTS.md"]` makes a probe see one name twice.
test("chooseChain() does not call a file hidden by itself when its name is given twice", () => {
  expect(chooseChain([rung([file("/r/A"), file("/r/A")])]).passedOver).toEqual([]);
});
