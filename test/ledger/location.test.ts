import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_MARKERS } from "../../src/config/settings.ts";
import { directoryOfRoot, userDirectoriesOf } from "../../src/config/user-directories.ts";
import { findMarkedRoot } from "../../src/instructions/root.ts";
import { makeLedgerDirectory, needsStateOnlyMark } from "../../src/ledger/make-directory.ts";
import { locateLedger, ledgerPath, treeOf } from "../../src/ledger/location.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { REPOSITORY } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { errno, hookDisk, once } from "../support/disk-hooks.ts";

const HOME = "/nonexistent/home";

function placesIn(tree: TempTree) {
  return userDirectoriesOf({ XDG_STATE_HOME: tree.path("state") }, HOME);
}

function find(tree: TempTree, root = tree.path("r")) {
  return locateLedger(root, placesIn(tree), HOME);
}

const CASES: [inProject: boolean, when: string, entries: Record<string, Entry>][] = [
  [true, "there is nothing yet", { "r/": dir }],
  [true, "there is a .codelia", { "r/.codelia/": dir }],
  [true, "there is a ledger", { "r/.codelia/session.json": "{}" }],
  [true, "there is a directory in the ledger's place", { "r/.codelia/session.json/": dir }],
  [false, ".codelia is a link to a directory", { "x/": dir, "r/.codelia": { link: "../x" } }],
  [false, ".codelia is a link to nowhere", { "r/.codelia": { link: "nowhere" } }],
  [false, ".codelia is a file", { "r/.codelia": "" }],
  [false, ".codelia is a FIFO", { "r/.codelia": { fifo: true } }],
  [false, "the ledger is a link", { x: "{}", "r/.codelia/session.json": { link: "../../x" } }],
  [false, "the ledger is a link to nowhere", { "r/.codelia/session.json": { link: "nowhere" } }],
];
for (const [inProject, when, entries] of CASES) {
  test(`locateLedger() is with the ${inProject ? "project" : "user's own state"} when ${when}`, () => {
    using tree = tempTree(entries);
    const root = tree.path("r");
    const own = directoryOfRoot(tree.path("state/codelia"), root);
    const directory = inProject ? tree.path("r/.codelia") : own;
    expect(find(tree)).toEqual({ directory, isInProject: inProject, root, treeFile: join(own, "tree") });
    expect(existsSync(tree.path("state"))).toBe(false);
  });
}

test("locateLedger() is with the user's own state when the root is no project", () => {
  using tree = tempTree({ "home/.codelia/": dir, "r/.codelia/": dir });
  const { path } = tree;
  const elsewhere = { isInProject: false };
  expect(locateLedger("/", placesIn(tree), HOME)).toMatchObject(elsewhere);
  expect(locateLedger(path("home"), placesIn(tree), path("home"))).toMatchObject(elsewhere);
  const global = userDirectoriesOf({ CODELIA_HOME: path("r/.codelia"), XDG_STATE_HOME: path("state") }, HOME);
  expect(locateLedger(path("r"), global, HOME)).toMatchObject(elsewhere);
});

// `home` is what the environment says: this holds the way from there to here.
test("locateLedger() is with the user's own state when the root is the home directory and HOME ends in a slash", () => {
  using tree = tempTree({ "home/AGENTS.md": "text\n", "global/": dir });
  const main = join(REPOSITORY, "src/main.ts");
  const { status } = spawnSync(
    process.execPath,
    [main, "init-context", "--only", "agents", "--root", tree.path("home")],
    {
      cwd: tree.path("home"),
      env: {
        HOME: `${tree.path("home")}/`,
        CODELIA_HOME: tree.path("global"),
        XDG_STATE_HOME: tree.path("state"),
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
      },
    },
  );
  expect([status, existsSync(tree.path("home/.codelia")), existsSync(tree.path("state/codelia"))]).toEqual([
    0,
    false,
    true,
  ]);
});

// Not by chmod: root may write everywhere.
test("locateLedger() is with the user's own state when the project's can't be written", () => {
  using tree = tempTree({ "r/": dir, "s/.codelia/": dir });
  const asked: string[] = [];
  using _ = hookDisk({
    assertWritable: () => (path) => {
      asked.push(path);
      throw errno("EROFS");
    },
  });
  expect(find(tree)).toMatchObject({ isInProject: false });
  expect(find(tree, tree.path("s"))).toMatchObject({ isInProject: false });
  const [root, state] = [tree.path("r"), tree.path("s/.codelia")];
  expect(asked).toEqual([root, root, state, state]);
});

test("locateLedger() stays with the project's when one call fails", () => {
  using tree = tempTree({ "r/": dir });
  using _ = hookDisk({
    assertWritable: once(
      () => true,
      () => {
        throw errno("EIO");
      },
    ),
  });
  expect(find(tree)).toMatchObject({ isInProject: true });
});

test("makeLedgerDirectory() makes .codelia in a root with a marker, and hides what is ours from git", () => {
  using tree = tempTree({ "r/.git/": dir });
  expect(makeLedgerDirectory(fakeWorld(), find(tree), DEFAULT_MARKERS)).toBeUndefined();
  expect(readdirSync(tree.path("r/.codelia"))).toEqual([".gitignore"]);
  const ignored = tree.read("r/.codelia/.gitignore").split("\n");
  for (const name of ["/.gitignore", "/session.json*", "/sessions/", "/outputs/", "/state-only"]) {
    expect(ignored).toContain(name);
  }
  expect(ignored.filter((line) => line.includes("config") || line === "*")).toEqual([]);
});

test("makeLedgerDirectory() marks .codelia as no root if there is no marker", () => {
  using tree = tempTree({ ".git/": dir, "r/": dir });
  const search = { markers: DEFAULT_MARKERS, stopAtFsRoot: true, home: HOME, globalDirectories: [] };
  expect(makeLedgerDirectory(fakeWorld(), find(tree), DEFAULT_MARKERS)).toBeUndefined();
  expect(readdirSync(tree.path("r/.codelia")).toSorted()).toEqual([".gitignore", "state-only"]);
  expect(readdirSync(tree.path("r"))).toEqual([".codelia"]);
  expect(findMarkedRoot(tree.path("r"), search)?.directory).toBe(tree.root);
});

test("makeLedgerDirectory() changes nothing in a .codelia that is there", () => {
  using tree = tempTree({ "r/.codelia/.gitignore": "mine\n", "r/.codelia/config.json": "{}" });
  expect(makeLedgerDirectory(fakeWorld(), find(tree), DEFAULT_MARKERS)).toBeUndefined();
  expect(readdirSync(tree.path("r/.codelia")).toSorted()).toEqual([".gitignore", "config.json"]);
  expect(tree.read("r/.codelia/.gitignore")).toBe("mine\n");
});

test("makeLedgerDirectory() makes the user's own state for the user alone", () => {
  using tree = tempTree({ "r/.codelia": "a file" });
  const place = find(tree);
  expect(makeLedgerDirectory(fakeWorld(), place, DEFAULT_MARKERS)).toBeUndefined();
  expect(statSync(place.directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(place.directory)).toEqual([]);
});

for (const code of ["EACCES", "ENOSPC", "EROFS"]) {
  test(`makeLedgerDirectory() answers ${code} when the directory can't be made`, () => {
    using tree = tempTree({ "r/.git/": dir });
    const refuse = () => () => {
      throw errno(code);
    };
    using _ = hookDisk({ makeDirectory: refuse });
    expect(makeLedgerDirectory(fakeWorld(), find(tree), DEFAULT_MARKERS)).toBe(code);
    expect(readdirSync(tree.path("r"))).toEqual([".git"]);
  });
}

test("makeLedgerDirectory() succeeds when another process was first", () => {
  using tree = tempTree({ "r/": dir });
  using _ = hookDisk({
    rename: once(
      () => true,
      () => tree.write("r/.codelia/state-only", "theirs"),
    ),
  });
  expect(makeLedgerDirectory(fakeWorld(), find(tree), DEFAULT_MARKERS)).toBeUndefined();
  expect(readdirSync(tree.path("r"))).toEqual([".codelia"]);
  expect(tree.read("r/.codelia/state-only")).toBe("theirs");
});

// A `.codelia` without its mark is a marker: the tool would have changed its own root, for good.
test("makeLedgerDirectory() makes no .codelia without its mark when the disk is full", () => {
  using tree = tempTree({ "r/": dir });
  const refuse = () => () => {
    throw errno("ENOSPC");
  };
  using _ = hookDisk({ write: refuse });
  makeLedgerDirectory(fakeWorld(), find(tree), DEFAULT_MARKERS);
  const hasMark = existsSync(tree.path("r/.codelia/state-only"));
  expect([existsSync(tree.path("r/.codelia")), hasMark]).toEqual([hasMark, hasMark]);
});

test("makeLedgerDirectory() leaves no draft behind when it can't put it in place", () => {
  using tree = tempTree({ "r/": dir });
  const refuse = () => () => {
    throw errno("EACCES");
  };
  using _ = hookDisk({ rename: refuse });
  expect(makeLedgerDirectory(fakeWorld(), find(tree), DEFAULT_MARKERS)).toBe("EACCES");
  expect(readdirSync(tree.path("r"))).toEqual([]);
});

test("treeOf() identifies a directory, and nothing else", () => {
  using tree = tempTree({ "r/.codelia/": dir, "s/": dir, "t/.codelia": { link: "../r/.codelia" } });
  const place = find(tree);
  const { dev, ino } = lstatSync(tree.path("r/.codelia"));
  expect(treeOf(place)).toBe(`${dev}:${ino}`);
  expect(treeOf(find(tree, tree.path("s")))).toBeUndefined();
  expect(treeOf({ ...place, directory: tree.path("t/.codelia") })).toBeUndefined();
  expect(ledgerPath(place)).toBe(tree.path("r/.codelia/session.json"));
});

const MARKS: [present: string[], markers: readonly string[], expected: boolean][] = [
  [[], DEFAULT_MARKERS, true],
  [["go.mod"], DEFAULT_MARKERS, true],
  [["go.mod"], ["go.mod"], true],
  [[".git"], DEFAULT_MARKERS, false],
  [["go.mod", ".jj"], DEFAULT_MARKERS, false],
  [[".codelia"], DEFAULT_MARKERS, true],
  [[".git"], ["go.mod"], true],
  [[".git"], [".jj", ".git"], false],
];
for (const [present, markers, expected] of MARKS) {
  test(`needsStateOnlyMark() says ${expected} when the root holds ${present.join()} of ${markers.join()}`, () => {
    expect(needsStateOnlyMark(present, markers)).toBe(expected);
  });
}
