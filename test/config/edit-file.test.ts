import { expect, test } from "bun:test";
import { chmodSync, lstatSync, statSync } from "node:fs";
import type { ListEdit } from "../../src/lib/edit/plan.ts";
import { editConfigList } from "../../src/config/edit.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { errno, hookDisk, once } from "../support/disk-hooks.ts";

const DISABLE: ListEdit = { path: ["skills", "disabled"], add: "x" };
const FILE = "a/config.yaml";
const BEFORE = "skills:\n  disabled:\n    - a\n";
const AFTER = `${BEFORE}    - x\n`;

function directoriesIn(tree: TempTree) {
  return [tree.path("a"), tree.path("b")];
}

const UNTOUCHED: [does: string, files: Record<string, Entry>, edit: ListEdit, path: string, reason: string | RegExp][] =
  [
    ["can't be parsed", { [FILE]: "skills: [" }, DISABLE, FILE, /^it can't be used as it is: line 1: /],
    [
      "has a key that is unknown",
      { [FILE]: "skils: {}\n" },
      DISABLE,
      FILE,
      "it can't be used as it is: line 1: unknown key 'skils', did you mean 'skills'?",
    ],
    ["is not UTF-8", { [FILE]: new Uint8Array([0x23, 0xff, 0x0a]) }, DISABLE, FILE, "it is not UTF-8"],
    ["is too large", { [FILE]: "#".repeat(65_537) }, DISABLE, FILE, "it is larger than 65536 bytes"],
    ["would be too large", { [FILE]: "#".repeat(65_536) }, DISABLE, FILE, "it would be larger than 65536 bytes"],
    ["is a link to nothing", { [FILE]: { link: "nowhere" } }, DISABLE, FILE, "it is a link to nothing"],
    ["is a pipe", { [FILE]: { fifo: true } }, DISABLE, FILE, "it is not a regular file"],
    ["has another beside it", { [FILE]: BEFORE, "a/config.toml": "" }, DISABLE, FILE, /config\.toml' is beside it/],
    [
      "may not hold the value",
      { [FILE]: BEFORE },
      { path: ["permissions", "allow"], add: { tool: "skill_load", skill_name: "X Y" } },
      FILE,
      /^'permissions\.allow\.0\.skill_name' must be a skill's name/,
    ],
    ["has a table at the path", { [FILE]: BEFORE }, { path: ["skills"], add: "x" }, FILE, "'skills' is not a list"],
    [
      "is written in a way that is not known",
      { "a/config.toml": '[[permissions.allow]]\ntool = "skill_load"\n' },
      { path: ["permissions", "allow"], remove: { tool: "skill_load" } },
      "a/config.toml",
      "it is written in a way that can only be changed by hand: remove item 0 from 'permissions.allow'",
    ],
    [
      "has its list behind an explicit key",
      { [FILE]: "? skills\n: ? disabled\n  : - a\n" },
      DISABLE,
      FILE,
      `it is written in a way that can only be changed by hand: add "x" to 'skills.disabled'`,
    ],
  ];
for (const [does, files, edit, file, reason] of UNTOUCHED) {
  test(`editConfigList() does not touch a file that ${does}`, async () => {
    using tree = tempTree({ "a/": dir, ...files });
    const expected = typeof reason === "string" ? reason : expect.stringMatching(reason);
    const edited = await editConfigList(fakeWorld(), directoriesIn(tree), edit);
    expect(edited).toEqual({ kind: "failed", path: tree.path(file), reason: expected });
    const before = files[file];
    if (typeof before === "string") expect(tree.read(file)).toBe(before);
  });
}

test("editConfigList() makes a new file in the first directory", async () => {
  using tree = tempTree();
  const path = tree.path(FILE);
  expect(await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE)).toEqual({ kind: "written", path });
  expect(tree.read(FILE)).toBe("skills:\n  disabled:\n    - x\n");
});

test("editConfigList() makes nothing to take something out of it", async () => {
  using tree = tempTree();
  const path = tree.path(FILE);
  const edit = { path: DISABLE.path, remove: "x" };
  expect(await editConfigList(fakeWorld(), directoriesIn(tree), edit)).toEqual({ kind: "unchanged", path });
  expect(() => lstatSync(tree.path("a"))).toThrow("ENOENT");
});

test("editConfigList() changes the file in the second directory where the first has none", async () => {
  using tree = tempTree({ "a/": dir, "b/config.json": "{}" });
  const path = tree.path("b/config.json");
  expect(await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE)).toEqual({ kind: "written", path });
  expect(tree.read("b/config.json")).toBe('{ "skills": { "disabled": ["x"] } }');
});

test("editConfigList() follows a link to the user's file, and leaves the link", async () => {
  using tree = tempTree({ "dotfiles/codelia.yaml": BEFORE, [FILE]: { link: "../dotfiles/codelia.yaml" } });
  expect((await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE)).kind).toBe("written");
  expect(lstatSync(tree.path(FILE)).isSymbolicLink()).toBe(true);
  expect(tree.read("dotfiles/codelia.yaml")).toBe(AFTER);
});

for (const mode of [0o600, 0o640, 0o666]) {
  test(`editConfigList() keeps the mode ${mode.toString(8)}`, async () => {
    using tree = tempTree({ [FILE]: BEFORE });
    chmodSync(tree.path(FILE), mode);
    expect((await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE)).kind).toBe("written");
    expect(statSync(tree.path(FILE)).mode & 0o7777).toBe(mode);
  });
}

test("editConfigList() leaves no lock and no other file", async () => {
  using tree = tempTree({ [FILE]: BEFORE });
  const listed: string[] = [];
  using _ = hookDisk({
    openToCreate: (original) => (path, mode) => {
      listed.push(path);
      return original(path, mode);
    },
  });
  await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE);
  expect(listed.length).toBeGreaterThan(1);
  for (const path of listed) expect(() => lstatSync(path)).toThrow("ENOENT");
});

test("editConfigList() loses nothing that another process wrote before it had the lock", async () => {
  using tree = tempTree({ [FILE]: BEFORE });
  const isLock = (path: string) => path.endsWith(".config.lock");
  using _ = hookDisk({ openToCreate: once(isLock, () => tree.write(FILE, `${BEFORE}    - b\n`)) });
  expect((await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE)).kind).toBe("written");
  expect(tree.read(FILE)).toBe(`${BEFORE}    - b\n    - x\n`);
});

test("editConfigList() takes the file that another process made meanwhile", async () => {
  using tree = tempTree({ "a/": dir });
  const isLock = (path: string) => path.endsWith(".config.lock");
  using _ = hookDisk({ openToCreate: once(isLock, () => tree.write("a/config.json", "{}")) });
  const path = tree.path("a/config.json");
  expect(await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE)).toEqual({ kind: "written", path });
  expect(() => lstatSync(tree.path(FILE))).toThrow("ENOENT");
});

const FAULTS: [does: string, hook: Parameters<typeof hookDisk>[0], reason: string][] = [
  ["no lock can be made", { openToCreate: () => () => fail("EROFS") }, "it can't be locked (EROFS)"],
  ["the disk is full", { write: () => () => fail("ENOSPC") }, "it can't be locked (ENOSPC)"],
  ["the mode can't be kept", { setMode: () => () => fail("EPERM") }, "it can't be written (EPERM)"],
  ["it can't be replaced", { rename: () => () => fail("EACCES") }, "it can't be written (EACCES)"],
];
for (const [does, hook, reason] of FAULTS) {
  test(`editConfigList() leaves the file as it was when ${does}`, async () => {
    using tree = tempTree({ [FILE]: BEFORE });
    using _ = hookDisk(hook);
    const edited = await editConfigList(fakeWorld(), directoriesIn(tree), DISABLE);
    expect(edited).toEqual({ kind: "failed", path: tree.path(FILE), reason });
    expect(tree.read(FILE)).toBe(BEFORE);
  });
}

function fail(code: string): never {
  throw errno(code);
}
