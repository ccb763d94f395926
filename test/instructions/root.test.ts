import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import {
  findMarkedRoot,
  overriddenRoot,
  rootMarker,
  type RootSearch,
  type RungFacts,
} from "../../src/instructions/root.ts";
import { isDirectory, namesThere } from "../../src/lib/path-facts.ts";
import { dir, tempTree, type Entry } from "../support/temp-tree.ts";
import { errno, hookDisk } from "../support/disk-hooks.ts";
import { DEFAULT_MARKERS } from "../../src/config/settings.ts";

const SEARCH: RootSearch = {
  markers: [".codelia", ".git", ".jj"],
  stopAtFsRoot: true,
  home: "/nonexistent",
  globalDirectories: ["/nonexistent/.codelia"],
};
/** Stands in no directory above a test's. */
const RARE = "marker-of-a-test";

const CASES: [does: string, entries: Record<string, Entry>, start: string, found: string | undefined][] = [
  ["finds a marker where it starts", { "a/.git/": dir }, "a", "a .git"],
  ["finds the nearest of several", { ".git/": dir, "a/.jj/": dir, "a/b/": dir }, "a/b", "a .jj"],
  ["finds one far above", { ".git/": dir, "a/b/c/d/": dir }, "a/b/c/d", " .git"],
  ["takes a file for a marker", { "a/.git": "gitdir: ../x\n", "a/b/": dir }, "a/b", "a .git"],
  ["takes the first marker by the configured order", { "a/.jj/": dir, "a/.codelia/": dir }, "a", "a .codelia"],
  ["follows a link to a marker", { "x/": dir, "a/.git": { link: "../x" } }, "a", "a .git"],
  ["passes over a link to nowhere", { ".jj/": dir, "a/.git": { link: "nowhere" } }, "a", " .jj"],
  ["passes over a link to itself", { ".jj/": dir, "a/.git": { link: ".git" } }, "a", " .jj"],
  ["passes over our own state", { ".git/": dir, "a/.codelia/state-only": "" }, "a", " .git"],
  [
    "takes our own state with a config in it",
    { ".git/": dir, "a/.codelia/state-only": "", "a/.codelia/config.toml": "" },
    "a",
    "a .codelia",
  ],
  ["passes over our own state beside another marker", { "a/.codelia/state-only": "", "a/.jj/": dir }, "a", "a .jj"],
  ["takes an empty .codelia", { ".git/": dir, "a/.codelia/": dir }, "a", "a .codelia"],
  [
    "goes up by the name of a link, not by where it leads",
    { "a/.git/": dir, "b/c/": dir, "a/link": { link: "../b/c" } },
    "a/link",
    "a .git",
  ],
];
for (const [does, entries, start, found] of CASES) {
  test(`findMarkedRoot() ${does}`, () => {
    using tree = tempTree(entries);
    const root = findMarkedRoot(tree.path(start), SEARCH);
    const [directory = "", marker = ""] = found?.split(" ") ?? [];
    expect(root).toEqual({ directory: tree.path(directory), reason: "marker", marker });
  });
}

test("findMarkedRoot() finds nothing when no directory up to the root of the file system holds a marker", () => {
  using tree = tempTree({ "a/.git/": dir });
  expect(findMarkedRoot(tree.path("a"), { ...SEARCH, markers: [RARE] })).toBeUndefined();
  expect(findMarkedRoot("/", { ...SEARCH, markers: [RARE] })).toBeUndefined();
  expect(findMarkedRoot(tree.path("a"), { ...SEARCH, markers: [] })).toBeUndefined();
});

test("findMarkedRoot() takes the user's global directory for no marker, under any name", () => {
  using tree = tempTree({ ".git/": dir, "home/.codelia/": dir, "home/p/": dir, other: { link: "home/.codelia" } });
  const expected = { directory: tree.root, reason: "marker", marker: ".git" } as const;
  for (const globalDirectory of [tree.path("home/.codelia"), tree.path("other")]) {
    expect(
      findMarkedRoot(tree.path("home/p"), { ...SEARCH, globalDirectories: ["/nonexistent", globalDirectory] }),
    ).toEqual(expected);
  }
});

test("findMarkedRoot() passes over what it may not look into", () => {
  using tree = tempTree({ ".git/": dir, "a/.git/": dir });
  using _ = hookDisk({
    lookThrough: (original) => (path) => {
      if (path === tree.path("a/.git")) throw errno("EACCES");
      return original(path);
    },
  });
  expect(findMarkedRoot(tree.path("a"), SEARCH)).toMatchObject({ directory: tree.root });
});

test("findMarkedRoot() goes no higher than the home directory when it may not go up to the root", () => {
  using tree = tempTree({ [RARE]: "", "home/p/": dir });
  const search = { ...SEARCH, markers: [RARE], home: tree.path("home") };
  expect(findMarkedRoot(tree.path("home/p"), search)).toMatchObject({ directory: tree.root });
  expect(findMarkedRoot(tree.path("home/p"), { ...search, stopAtFsRoot: false })).toBeUndefined();
  tree.write(`home/${RARE}`, "");
  expect(findMarkedRoot(tree.path("home/p"), { ...search, stopAtFsRoot: false })).toMatchObject({
    directory: tree.path("home"),
  });
});

test.skipIf(!existsSync("/proc/self/stat") || !existsSync("/etc"))(
  "findMarkedRoot() stays on the file system where it starts when it may not go up to the root",
  () => {
    const search = { ...SEARCH, markers: ["etc"] };
    const start = `/proc/${process.pid}`;
    expect(findMarkedRoot(start, search)).toEqual({ directory: "/", reason: "marker", marker: "etc" });
    expect(findMarkedRoot(start, { ...search, stopAtFsRoot: false })).toBeUndefined();
  },
);

test("namesThere() names those that stand directly in a directory, in the order asked for", () => {
  using tree = tempTree({ ".jj/": dir, ".git": "x", "a/.codelia/": dir, dangling: { link: "x" } });
  expect(namesThere(tree.root, [".jj", "dangling", ".codelia", ".git"])).toEqual([".jj", ".git"]);
  expect(namesThere(tree.path("missing"), [".git"])).toEqual([]);
});

test("isDirectory() says what a path leads to", () => {
  using tree = tempTree({
    "d/": dir,
    f: "",
    l: { link: "d" },
    x: { link: "nowhere" },
    o: { link: "o" },
    p: { fifo: true },
  });
  const answers = ["d", "l", "f", "x", "o", "p", "f/below", "missing"].map((name) => isDirectory(tree.path(name)));
  expect(answers).toEqual([true, true, false, false, false, false, false, false]);
});

const OVERRIDES: [value: string, expected: string][] = [
  ["below", "below"],
  ["..", ".."],
  ["./below/../below/", "below"],
  ["~/below", "home/below"],
];
for (const [value, expected] of OVERRIDES) {
  test(`overriddenRoot() is '${expected}' when it is named '${value}'`, () => {
    using tree = tempTree({ "below/": dir, "home/below/": dir });
    const fail = () => expect.unreachable();
    const root = overriddenRoot(tree.root, tree.path("home"), { value, reason: "flag" }, fail);
    expect(root).toEqual({ directory: tree.path(expected), reason: "flag" });
  });
}

test("overriddenRoot() goes by the name that it has on the way up from the working directory", () => {
  using tree = tempTree({ "real/a/b/": dir, link: { link: "real" }, "other/": dir });
  const name = (cwd: string, value: string) =>
    overriddenRoot(tree.path(cwd), "", { value: tree.path(value), reason: "flag" }, () => {})?.directory;
  expect(name("link/a/b", "real")).toBe(tree.path("link"));
  expect(name("link/a/b", "real/a/b")).toBe(tree.path("link/a/b"));
  expect(name("real/a", "link")).toBe(tree.path("real"));
  expect(name("other", "link")).toBe(tree.path("link"));
});

test("overriddenRoot() takes an absolute path as it is, and '~' for itself without a home", () => {
  using tree = tempTree({ "below/": dir, "~/x/": dir });
  const fail = () => expect.unreachable();
  const absolute = { value: tree.path("below"), reason: "config" } as const;
  expect(overriddenRoot("/", "", absolute, fail)?.directory).toBe(tree.path("below"));
  expect(overriddenRoot(tree.root, "", { value: "~/x", reason: "config" }, fail)?.directory).toBe(tree.path("~/x"));
});

test("overriddenRoot() refuses a flag that names no directory", () => {
  using tree = tempTree({ file: "" });
  for (const value of ["missing", "file", "file/below"]) {
    expect(() => overriddenRoot(tree.root, "", { value, reason: "flag" }, () => {})).toThrow(
      expect.objectContaining({ code: "no_such_directory", message: `root '${value}' is not a directory` }),
    );
  }
});

const SOURCES: [reason: "environment" | "config", name: string][] = [
  ["environment", "CODELIA_AGENTS_ROOT"],
  ["config", "agents.root.projectRootOverride"],
];
for (const [reason, name] of SOURCES) {
  test(`overriddenRoot() warns and leaves it to others when the ${reason} names no directory`, () => {
    using tree = tempTree();
    const warnings: string[] = [];
    const warn = (sentence: string) => void warnings.push(sentence);
    expect(overriddenRoot(tree.root, "", { value: "gone", reason }, warn)).toBeUndefined();
    expect(warnings).toEqual([`${name} names 'gone', which is not a directory; it is ignored`]);
  });
}

const PLAIN: RungFacts = { markers: [], codeliaIsGlobal: false, codeliaIsStateOnly: false };

const MARKERS: [when: string, facts: Partial<RungFacts>, expected: string | undefined][] = [
  ["there is none", {}, undefined],
  ["there is one", { markers: [".git"] }, ".git"],
  ["there are several: the first of the configured order", { markers: [".codelia", ".git"] }, ".codelia"],
  ["the only one is the user's global directory", { markers: [".codelia"], codeliaIsGlobal: true }, undefined],
  ["the only one was made for the ledger", { markers: [".codelia"], codeliaIsStateOnly: true }, undefined],
  ["another stands beside the global directory", { markers: [".codelia", ".jj"], codeliaIsGlobal: true }, ".jj"],
  ["another stands beside our own state", { markers: [".codelia", ".git"], codeliaIsStateOnly: true }, ".git"],
  ["it is not one of the default ones", { markers: ["go.mod"] }, "go.mod"],
];
for (const [when, facts, expected] of MARKERS) {
  test(`rootMarker() finds ${expected} when ${when}`, () => {
    expect(rootMarker({ ...PLAIN, ...facts })).toBe(expected);
  });
}

test("DEFAULT_MARKERS are those of the spec, in its order", () => {
  expect(DEFAULT_MARKERS).toEqual([".codelia", ".git", ".jj"]);
});
