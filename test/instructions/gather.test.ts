import { expect, test } from "bun:test";
import { statSync, type Stats } from "node:fs";
import { ladder } from "../../src/lib/paths.ts";
import { probeLadder, type Names } from "../../src/instructions/gather.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { errno, hookDisk } from "../support/disk-hooks.ts";

const NAMES: Names = { main: ["AGENTS.override.md", "AGENTS.md"], additional: ["LOCAL.md"] };

/** What is found from `r` down to a directory, by path below the tree: where it is read from, or why it isn't. */
function probe(tree: TempTree, directory = "r", root = "r", names = NAMES): Record<string, string> {
  const rungs = probeLadder(ladder(tree.path(root), tree.path(directory)), names);
  const candidates = rungs.flatMap(({ main, additional }) => main.concat(additional));
  const below = (path: string) => path.slice(tree.root.length + 1);
  return Object.fromEntries(
    candidates.map(({ path, found }) => [below(path), found.kind === "file" ? below(found.realPath) : found.reason]),
  );
}

const CASES: [does: string, entries: Record<string, Entry>, directory: string, found: Record<string, string>][] = [
  ["finds nothing when there is nothing", { "r/a/": dir }, "r/a", {}],
  [
    "finds every name in every directory",
    { "r/AGENTS.md": "", "r/AGENTS.override.md": "", "r/LOCAL.md": "", "r/a/AGENTS.md": "", "r/b/AGENTS.md": "" },
    "r/a",
    {
      "r/AGENTS.override.md": "r/AGENTS.override.md",
      "r/AGENTS.md": "r/AGENTS.md",
      "r/LOCAL.md": "r/LOCAL.md",
      "r/a/AGENTS.md": "r/a/AGENTS.md",
    },
  ],
  ["looks below a directory that does not exist", { "r/AGENTS.md": "" }, "r/x/y", { "r/AGENTS.md": "r/AGENTS.md" }],
  [
    "follows a link inside the root",
    { "r/CLAUDE.md": "", "r/AGENTS.md": { link: "CLAUDE.md" } },
    "r",
    { "r/AGENTS.md": "r/CLAUDE.md" },
  ],
  [
    "follows a link up to the root",
    { "r/AGENTS.md": "", "r/a/AGENTS.md": { link: "../AGENTS.md" } },
    "r/a",
    { "r/AGENTS.md": "r/AGENTS.md", "r/a/AGENTS.md": "r/AGENTS.md" },
  ],
  [
    "follows a chain of links inside the root",
    { "r/x/f": "", "r/l": { link: "x/f" }, "r/AGENTS.md": { link: "l" } },
    "r",
    { "r/AGENTS.md": "r/x/f" },
  ],
  [
    "follows a link that leads out and in again",
    { "r/f": "", out: { link: "r" }, "r/AGENTS.md": { link: "../out/f" } },
    "r",
    { "r/AGENTS.md": "r/f" },
  ],
  [
    "follows no link out of the root",
    { secret: "", "r/AGENTS.md": { link: "../secret" } },
    "r",
    { "r/AGENTS.md": "link-outside-root" },
  ],
  [
    "follows no absolute link out of the root",
    { "r/AGENTS.md": { link: "/etc/hosts" } },
    "r",
    { "r/AGENTS.md": "link-outside-root" },
  ],
  [
    "follows no link to a sibling whose name begins like the root's",
    { "r2/f": "", "r/AGENTS.md": { link: "../r2/f" } },
    "r",
    { "r/AGENTS.md": "link-outside-root" },
  ],
  [
    "follows no chain of links out of the root",
    { secret: "", "r/l": { link: "../secret" }, "r/AGENTS.md": { link: "l" } },
    "r",
    { "r/AGENTS.md": "link-outside-root" },
  ],
  ["reports a link to nowhere", { "r/AGENTS.md": { link: "nowhere" } }, "r", { "r/AGENTS.md": "dangling-link" }],
  ["reports a link to itself", { "r/AGENTS.md": { link: "AGENTS.md" } }, "r", { "r/AGENTS.md": "dangling-link" }],
  [
    "reports links in a circle",
    { "r/AGENTS.md": { link: "AGENTS.override.md" }, "r/AGENTS.override.md": { link: "AGENTS.md" } },
    "r",
    { "r/AGENTS.override.md": "dangling-link", "r/AGENTS.md": "dangling-link" },
  ],
  [
    "reports a link through a file",
    { "r/f": "", "r/AGENTS.md": { link: "f/x" } },
    "r",
    { "r/AGENTS.md": "dangling-link" },
  ],
  ["reports a directory of that name", { "r/AGENTS.md/": dir }, "r", { "r/AGENTS.md": "not-a-regular-file" }],
  ["reports a FIFO of that name", { "r/AGENTS.md": { fifo: true } }, "r", { "r/AGENTS.md": "not-a-regular-file" }],
  [
    "reports links to a directory and to a FIFO",
    { "r/d/": dir, "r/p": { fifo: true }, "r/AGENTS.md": { link: "d" }, "r/LOCAL.md": { link: "p" } },
    "r",
    { "r/AGENTS.md": "not-a-regular-file", "r/LOCAL.md": "not-a-regular-file" },
  ],
  [
    "reports a link to a device as one that leads out",
    { "r/AGENTS.md": { link: "/dev/zero" } },
    "r",
    { "r/AGENTS.md": "link-outside-root" },
  ],
  [
    "follows a directory on the ladder that is a link inside the root",
    { "r/x/AGENTS.md": "", "r/x/b/AGENTS.md": "", "r/a": { link: "x" } },
    "r/a/b",
    { "r/a/AGENTS.md": "r/x/AGENTS.md", "r/a/b/AGENTS.md": "r/x/b/AGENTS.md" },
  ],
  [
    "takes nothing from a directory on the ladder that is a link out of the root",
    { "out/AGENTS.md": "", "out/b/AGENTS.md": "", "r/AGENTS.md": "", "r/a": { link: "../out" } },
    "r/a/b",
    { "r/AGENTS.md": "r/AGENTS.md", "r/a/AGENTS.md": "link-outside-root", "r/a/b/AGENTS.md": "link-outside-root" },
  ],
  [
    "takes what lies in the root again behind a link out of it",
    { "r/x/AGENTS.md": "", "out/back": { link: "../r/x" }, "out/AGENTS.md": "", "r/a": { link: "../out" } },
    "r/a/back",
    { "r/a/AGENTS.md": "link-outside-root", "r/a/back/AGENTS.md": "r/x/AGENTS.md" },
  ],
  [
    "ends in a directory that is a link to its parent",
    { "r/AGENTS.md": "", "r/a": { link: "." } },
    "r/a/a/a",
    {
      "r/AGENTS.md": "r/AGENTS.md",
      "r/a/AGENTS.md": "r/AGENTS.md",
      "r/a/a/AGENTS.md": "r/AGENTS.md",
      "r/a/a/a/AGENTS.md": "r/AGENTS.md",
    },
  ],
  [
    "keeps names with blanks, line ends and two dots",
    { "r/..x/a b\nc/AGENTS.md": "" },
    "r/..x/a b\nc",
    { "r/..x/a b\nc/AGENTS.md": "r/..x/a b\nc/AGENTS.md" },
  ],
];
for (const [does, entries, directory, found] of CASES) {
  test(`probeLadder() ${does}`, () => {
    using tree = tempTree(entries);
    expect(probe(tree, directory)).toEqual(found);
  });
}

test("probeLadder() judges by the real root when the root's own name is a link", () => {
  using tree = tempTree({ "real/AGENTS.md": "", "real/a/AGENTS.md": { link: "../AGENTS.md" }, r: { link: "real" } });
  expect(probe(tree, "r/a")).toEqual({ "r/AGENTS.md": "real/AGENTS.md", "r/a/AGENTS.md": "real/AGENTS.md" });
});

test("probeLadder() gives one identity to a file under two names, and its version in whole milliseconds", () => {
  using tree = tempTree({
    "r/AGENTS.md": { text: "abc", mtimeMs: 1_700_000_000_123 },
    "r/LOCAL.md": { link: "AGENTS.md" },
  });
  const [rung] = probeLadder([tree.path("r")], NAMES);
  const { dev, ino, ctimeMs } = statSync(tree.path("r/AGENTS.md"));
  const version = { mtimeMs: 1_700_000_000_123, sizeBytes: 3, ctimeMs: Math.floor(ctimeMs) };
  const found = { kind: "file", identity: `${dev}:${ino}`, version };
  const realPath = tree.path("r/AGENTS.md");
  expect(rung).toEqual({
    directory: tree.path("r"),
    main: [{ path: tree.path("r/AGENTS.md"), found: { ...found, realPath } as never }],
    additional: [{ path: tree.path("r/LOCAL.md"), found: { ...found, realPath } as never }],
  });
});

test("probeLadder() gives a file from before 1970 the mtime 0", () => {
  using tree = tempTree({ "r/AGENTS.md": "" });
  using _ = hookDisk({ look: (original) => (path) => Object.assign(original(path) as Stats, { mtimeMs: -5000.5 }) });
  const found = probeLadder([tree.path("r")], { main: ["AGENTS.md"], additional: [] })[0]?.main[0]?.found;
  expect(found).toMatchObject({ version: { mtimeMs: 0 } });
});

test("probeLadder() leaves out directories that were probed before", () => {
  using tree = tempTree({ "r/AGENTS.md": "", "r/a/AGENTS.md": "" });
  const directories = [tree.path("r"), tree.path("r/a")];
  const rungs = probeLadder(directories, NAMES, new Set([tree.path("r")]));
  expect(rungs.map(({ directory }) => directory)).toEqual([tree.path("r/a")]);
});

test("probeLadder() has no rungs when there is no ladder, or no root", () => {
  using tree = tempTree();
  expect(probeLadder([], NAMES)).toEqual([]);
  expect(probeLadder([tree.path("missing")], NAMES)).toEqual([]);
});

test("probeLadder() passes over names that are too long", () => {
  using tree = tempTree({ "r/AGENTS.md": "" });
  const names = { main: ["x".repeat(300), "AGENTS.md"], additional: [] };
  expect(probe(tree, "r", "r", names)).toEqual({ "r/AGENTS.md": "r/AGENTS.md" });
});

const ERRORS: [code: string, found: Record<string, string>][] = [
  ["EACCES", { "r/AGENTS.md": "no-permission" }],
  ["EPERM", { "r/AGENTS.md": "no-permission" }],
  ["EIO", { "r/AGENTS.md": "unreadable" }],
  ["ESTALE", { "r/AGENTS.md": "unreadable" }],
  ["ENOTDIR", {}],
];
for (const [code, found] of ERRORS) {
  test(`probeLadder() ${Object.keys(found).length > 0 ? "reports a file" : "finds nothing"} when the system says ${code}`, () => {
    using tree = tempTree({ "r/AGENTS.md": "", "r/LOCAL.md": "" });
    using _ = hookDisk({
      look: (original) => (path) => {
        if (path.endsWith("/AGENTS.md")) throw errno(code);
        return original(path);
      },
    });
    expect(probe(tree)).toEqual({ ...found, "r/LOCAL.md": "r/LOCAL.md" });
  });
}

test.skipIf(process.getuid?.() === 0)(
  "probeLadder() reports what it may not look at (root may, so not as root)",
  () => {
    using tree = tempTree({ "r/a/AGENTS.md": "", "r/a": { dir: true, mode: 0o000 } });
    expect(probe(tree, "r/a")).toMatchObject({ "r/a/AGENTS.md": "no-permission" });
  },
);

test("probeLadder() opens nothing", () => {
  using tree = tempTree({ "r/AGENTS.md": "", "r/LOCAL.md": { fifo: true } });
  const refuse = () => () => expect.unreachable();
  using _ = hookDisk({ openToRead: refuse, list: refuse });
  expect(Object.keys(probe(tree))).toEqual(["r/AGENTS.md", "r/LOCAL.md"]);
});
