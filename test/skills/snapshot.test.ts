import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../../src/config/settings.ts";
import { disk } from "../../src/lib/fs.ts";
import { discoverSkills } from "../../src/skills/discover.ts";
import type { Workspace } from "../../src/workspace.ts";
import { WORTH_GOING } from "../../src/lib/working-directory.ts";
import { fakeWorld, workingDirectory } from "../support/fake-world.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const SKILLS = "repo/.agents/skills";
const skill = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\n`;
const OLD = 1_738_970_000_000;

/** Long after everything in the tree was made, so that it is old enough to be remembered. */
const later = () => Date.now() + 60_000;

async function discover(tree: TempTree, { isReread = false, now = later } = {}): Promise<string[]> {
  const world = { ...fakeWorld(), ...workingDirectory, now };
  const workspace = {
    root: { directory: tree.path("repo"), reason: "flag" },
    cwd: tree.path("repo"),
    settings: DEFAULT_SETTINGS,
    userDirectories: { cache: tree.path("cache") },
  } as unknown as Workspace;
  const { book, errors } = await discoverSkills(world, workspace, isReread);
  return [
    ...book
      .all()
      .filter(({ description }) => description !== ONE_OF_MANY)
      .map(({ name, description }) => `${name}: ${description}`),
    ...errors.map(({ message }) => message),
  ].toSorted();
}

/** How many files a run opens to read the skills: those it does not remember, and the memory itself. */
async function opened(tree: TempTree, run: () => Promise<unknown>): Promise<string[]> {
  const original = disk.openToRead;
  const paths: string[] = [];
  disk.openToRead = (path) => {
    if (path.startsWith(tree.path("repo"))) paths.push(path.slice(tree.path(SKILLS).length + 1));
    if (!path.startsWith("/")) paths.push(path);
    return original(path);
  };
  try {
    await run();
  } finally {
    disk.openToRead = original;
  }
  return paths.filter((path) => path !== "SKILL.md").toSorted();
}

const PAIR = { [`${SKILLS}/a/SKILL.md`]: skill("a", "one"), [`${SKILLS}/b/SKILL.md`]: skill("b", '"two: quoted"') };
const pair = () => tempTree(PAIR);

const ONE_OF_MANY = "one of many";
/** The same two among so many that they are looked at from their directory. */
const crowd = () => {
  const names = Array.from({ length: WORTH_GOING }, (_, index) => `usual-${index}`);
  return tempTree({
    ...PAIR,
    ...Object.fromEntries(names.map((name) => [`${SKILLS}/${name}/SKILL.md`, skill(name, ONE_OF_MANY)])),
  });
};

function memoryFile(tree: TempTree): string {
  const [root = ""] = readdirSync(tree.path("cache"));
  const [file = ""] = readdirSync(tree.path("cache", root));
  return tree.path("cache", root, file);
}

describe("what is remembered of skills", () => {
  test("is not read again", async () => {
    using tree = pair();
    const first = await discover(tree);
    expect(first).toEqual(["a: one", "b: two: quoted"]);
    expect(await opened(tree, async () => expect(await discover(tree)).toEqual(first))).toEqual([]);
    expect(await opened(tree, () => discover(tree, { isReread: true }))).toEqual(["a/SKILL.md", "b/SKILL.md"]);
  });

  const changes: [what: string, change: (tree: TempTree) => void, expected: string[]][] = [
    [
      "a file that is written over",
      (tree) => writeFileSync(tree.path(SKILLS, "a/SKILL.md"), skill("a", "changed")),
      ["a: changed", "b: two: quoted"],
    ],
    [
      "a file of the same size and time",
      (tree) => {
        const path = tree.path(SKILLS, "a/SKILL.md");
        const { atime, mtime } = statSync(path);
        writeFileSync(path, skill("a", "eno"));
        utimesSync(path, atime, mtime);
      },
      ["a: eno", "b: two: quoted"],
    ],
    [
      "a file that another one is put in the place of",
      (tree) => {
        const path = tree.path(SKILLS, "a/SKILL.md");
        writeFileSync(`${path}.new`, skill("a", "new"));
        renameSync(`${path}.new`, path);
      },
      ["a: new", "b: two: quoted"],
    ],
    [
      "a skill that is new",
      (tree) => tree.write(`${SKILLS}/group/c/SKILL.md`, skill("c", "three")),
      ["a: one", "b: two: quoted", "c: three"],
    ],
    ["a skill that is gone", (tree) => tree.remove(`${SKILLS}/a`), ["b: two: quoted"]],
    [
      "a skill that has moved",
      (tree) => renameSync(tree.path(SKILLS, "a"), tree.path(SKILLS, "c")),
      ["'name' is 'a', but its directory is called 'c'; rename one of the two", "b: two: quoted"],
    ],
    [
      "a skill whose file is no file any more",
      (tree) => {
        tree.remove(`${SKILLS}/a/SKILL.md`);
        tree.write(`${SKILLS}/a/SKILL.md/x`, "");
      },
      ["b: two: quoted", "it is not a regular file; put one in its place"],
    ],
  ];
  const settings: [where: string, setting: () => TempTree][] = [
    ["", pair],
    [" among many", crowd],
  ];
  for (const [where, setting] of settings) {
    for (const [what, change, expected] of changes) {
      test(`never hides ${what}${where}`, async () => {
        using tree = setting();
        await discover(tree);
        change(tree);
        expect(await discover(tree)).toEqual(expected);
        expect(await discover(tree)).toEqual(expected);
      });
    }
  }

  test("never hides a usual skill that changed among many", async () => {
    using tree = crowd();
    const opening = await opened(tree, async () => {
      expect(await discover(tree)).toEqual(["a: one", "b: two: quoted"]);
    });
    expect(opening).toContain("usual-0/SKILL.md");
    expect(opening).toHaveLength(WORTH_GOING + 2);
    expect(await opened(tree, () => discover(tree))).toEqual([]);
    for (const name of ["usual-0", "usual-63"]) {
      tree.write(`${SKILLS}/${name}/SKILL.md`, skill(name, "changed"));
      expect(await discover(tree)).toContain(`${name}: changed`);
    }
  });

  const linked = () =>
    tempTree({
      "repo/lib/a/SKILL.md": skill("a", "one"),
      "repo/lib/b/SKILL.md": skill("a", "two"),
      [`${SKILLS}/a`]: { link: "../../lib/a" },
      [`${SKILLS}/gone`]: { link: "../../lib/gone" },
    });
  const GONE = "it is a link that leads nowhere; correct or remove it";

  test("holds what links lead to", async () => {
    using tree = linked();
    expect(await discover(tree)).toEqual(["a: one", GONE]);
    expect(await opened(tree, async () => expect(await discover(tree)).toEqual(["a: one", GONE]))).toEqual([]);
  });

  const linkChanges: [what: string, change: (tree: TempTree) => void, expected: string[]][] = [
    [
      "a link that leads elsewhere",
      (tree) => {
        tree.remove(`${SKILLS}/a`);
        symlinkSync("../../lib/b", tree.path(SKILLS, "a"));
      },
      ["a: two", GONE],
    ],
    [
      "another directory where a link leads",
      (tree) => {
        tree.remove("repo/lib/a");
        renameSync(tree.path("repo/lib/b"), tree.path("repo/lib/a"));
      },
      ["a: two", GONE],
    ],
    [
      "a skill where a link led nowhere",
      (tree) => tree.write("repo/lib/gone/SKILL.md", skill("gone", "back")),
      ["a: one", "gone: back"],
    ],
    ["nothing where a link led", (tree) => tree.remove("repo/lib/a"), [GONE, GONE]],
    ["that a link is gone that led nowhere", (tree) => tree.remove(`${SKILLS}/gone`), ["a: one"]],
  ];
  for (const [what, change, expected] of linkChanges) {
    test(`never hides ${what}`, async () => {
      using tree = linked();
      await discover(tree);
      change(tree);
      expect(await discover(tree)).toEqual(expected);
      expect(await discover(tree)).toEqual(expected);
    });
  }

  test("never hides what is below a SKILL.md that led nowhere, and is gone", async () => {
    using tree = tempTree({
      [`${SKILLS}/group/SKILL.md`]: { link: "nowhere" },
      [`${SKILLS}/group/inner/SKILL.md`]: skill("inner", "three"),
    });
    expect(await discover(tree)).toEqual(["inner: three", GONE]);
    tree.remove(`${SKILLS}/group/SKILL.md`);
    expect(await discover(tree)).toEqual(["inner: three"]);
  });

  test("is nothing of a file so young that it may change again unseen", async () => {
    using tree = pair();
    utimesSync(tree.path(SKILLS, "a/SKILL.md"), OLD / 1000, OLD / 1000);
    await discover(tree, { now: Date.now });
    expect(await opened(tree, () => discover(tree))).toEqual(["a/SKILL.md", "b/SKILL.md"]);
  });

  test("is nothing of a SKILL.md that came between two looks at its directory", async () => {
    using tree = tempTree({ [`${SKILLS}/a/SKILL.md`]: skill("a", "one"), [`${SKILLS}/b/notes.md`]: "" });
    const look = disk.look;
    disk.look = (path) => {
      if (path === tree.path(SKILLS, "b")) tree.write(`${SKILLS}/b/SKILL.md`, skill("b", "two"));
      return look(path);
    };
    try {
      expect(await discover(tree)).toEqual(["a: one"]);
    } finally {
      disk.look = look;
    }
    expect(await discover(tree)).toEqual(["a: one", "b: two"]);
  });

  const damages: [what: string, damage: (text: string) => string][] = [
    ["another build", (text) => text.replace(/"build":"[^"]*"/, '"build":"x"')],
    ["half of it", (text) => text.slice(0, text.length / 2)],
    ["garbage", () => "\0garbage"],
    ["no directories", (text) => text.replace('"directories":', '"ways":')],
    ["no texts", (text) => text.replace('"texts":', '"words":')],
    ["no stamps", (text) => text.replace('"stamps":', '"marks":')],
    ["nothing", () => ""],
  ];
  for (const [what, damage] of damages) {
    test(`does no harm where the file holds ${what}`, async () => {
      using tree = pair();
      const first = await discover(tree);
      const file = memoryFile(tree);
      const text = readFileSync(file, "utf8");
      expect(damage(text)).not.toBe(text);
      writeFileSync(file, damage(text));
      expect(await discover(tree)).toEqual(first);
    });
  }

  test("is the user's own business", async () => {
    using tree = pair();
    await discover(tree);
    const file = memoryFile(tree);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  });
});
