import { describe, expect, test } from "bun:test";
import { mkdirSync, type Dirent } from "node:fs";
import { DEFAULT_SETTINGS } from "../../src/config/settings.ts";
import { asLoadError, bySignificance, withId } from "../../src/skills/skill.ts";
import { compareText } from "../../src/lib/sorting.ts";
import { disk } from "../../src/lib/fs.ts";
import { MAX_ENTRIES } from "../../src/skills/walk.ts";
import { WORTH_GOING } from "../../src/lib/working-directory.ts";
import { discoverSkills } from "../../src/skills/discover.ts";
import type { Workspace } from "../../src/workspace.ts";
import type { World } from "../../src/world.ts";
import { fakeWorld, workingDirectory } from "../support/fake-world.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

const skill = (name: string, description = "Does it") => `---\nname: ${name}\ndescription: ${description}\n---\nbody\n`;

async function discover(tree: TempTree, cwd: string, home = "home", root = "repo", processOf: Partial<World> = {}) {
  const world = { ...fakeWorld(), home: home && tree.path(home), now: Date.now, ...processOf };
  const workspace = {
    root: { directory: tree.path(root), reason: "flag" },
    cwd: tree.path(cwd),
    settings: DEFAULT_SETTINGS,
    userDirectories: { cache: tree.path("cache") },
  } as unknown as Workspace;
  const discovery = await discoverSkills(world, workspace);
  const { book, errors, truncated } = discovery;
  return { skills: bySignificance(book.all()), errors: errors.map(asLoadError), truncated };
}

/** What was found, a line each, with paths relative to the tree. */
async function found(table: Record<string, Entry>, cwd = "repo", home = "home", root = "repo"): Promise<string[]> {
  using tree = tempTree({ "repo/": { dir: true }, "home/": { dir: true }, ...table });
  const { skills, errors } = await discover(tree, cwd, home, root);
  const short = (text: string) => text.replaceAll(`${tree.root}/`, "");
  return [
    ...skills.map(({ name, scope, path }) => `${scope} ${name} ${short(path)}`),
    ...errors.map(({ path, message }) => `error ${short(path)}: ${short(message)}`),
  ];
}

const AT = "repo/.agents/skills";

const cases: [name: string, table: Record<string, Entry>, cwd: string, expected: string[]][] = [
  ["finds nothing where there is nothing", {}, "repo", []],
  [
    "finds the skills of every directory from the root to the working directory, the nearest first, and the user's",
    {
      [`${AT}/a/SKILL.md`]: skill("a"),
      "repo/p/.agents/skills/b/SKILL.md": skill("b"),
      "repo/p/q/.agents/skills/c/SKILL.md": skill("c"),
      "repo/other/.agents/skills/d/SKILL.md": skill("d"),
      "home/.agents/skills/e/SKILL.md": skill("e"),
    },
    "repo/p/q",
    [
      "repo c repo/p/q/.agents/skills/c/SKILL.md",
      "repo b repo/p/.agents/skills/b/SKILL.md",
      `repo a ${AT}/a/SKILL.md`,
      "user e home/.agents/skills/e/SKILL.md",
    ],
  ],
  [
    "finds skills in groups, and skills inside skills",
    {
      [`${AT}/team/a/SKILL.md`]: skill("a"),
      [`${AT}/team/a/inner/SKILL.md`]: skill("inner"),
      [`${AT}/team/a/files/deep/deeper/SKILL.md`]: skill("deeper"),
      [`${AT}/team/more/b/SKILL.md`]: skill("b"),
      [`${AT}/top/SKILL.md`]: skill("top"),
      [`${AT}/top/below/SKILL.md`]: skill("below"),
    },
    "repo",
    [
      `repo a ${AT}/team/a/SKILL.md`,
      `repo b ${AT}/team/more/b/SKILL.md`,
      `repo below ${AT}/top/below/SKILL.md`,
      `repo deeper ${AT}/team/a/files/deep/deeper/SKILL.md`,
      `repo inner ${AT}/team/a/inner/SKILL.md`,
      `repo top ${AT}/top/SKILL.md`,
    ],
  ],
  [
    "calls a SKILL.md inside a skill that can't be one a part of it, unless a link says that it is one",
    {
      [`${AT}/a/SKILL.md`]: skill("a"),
      [`${AT}/a/template/SKILL.md`]: skill("my-skill"),
      [`${AT}/a/linked/SKILL.md`]: "no header",
      [`${AT}/b`]: { link: "a/linked" },
      [`${AT}/a/skill.md/x`]: "",
      [`${AT}/a/notes/skill.md`]: "notes",
    },
    "repo",
    [
      `repo a ${AT}/a/SKILL.md`,
      `error ${AT}/a/linked/SKILL.md: line 1: it does not begin with a header; put its name and description between two lines '---' at its top`,
      `error ${AT}/a/template/SKILL.md: line 2: it is part of the skill around it, and no skill itself: 'name' is 'my-skill', but its directory is called 'template'; rename one of the two`,
    ],
  ],
  [
    "leaves what lies too deep in a skill to that skill",
    {
      [`${AT}/a/SKILL.md`]: skill("a"),
      [`${AT}/a/2/3/4/5/6/7/b/SKILL.md`]: skill("b"),
      [`${AT}/a/2/3/4/5/6/7/8/c/SKILL.md`]: skill("c"),
    },
    "repo",
    [`repo a ${AT}/a/SKILL.md`, `repo b ${AT}/a/2/3/4/5/6/7/b/SKILL.md`],
  ],
  [
    "finds a skill inside a skill where a link says that it is one",
    {
      [`${AT}/a/SKILL.md`]: skill("a"),
      [`${AT}/a/parts/b/SKILL.md`]: skill("b"),
      [`${AT}/b`]: { link: "a/parts/b" },
    },
    "repo",
    [`repo a ${AT}/a/SKILL.md`, `repo b ${AT}/a/parts/b/SKILL.md`],
  ],
  [
    "keeps two skills of one name",
    { [`${AT}/x/a/SKILL.md`]: skill("a"), [`${AT}/y/a/SKILL.md`]: skill("a") },
    "repo",
    [`repo a ${AT}/x/a/SKILL.md`, `repo a ${AT}/y/a/SKILL.md`],
  ],
  [
    "follows a link inside the root, once",
    {
      "repo/.claude/skills/a/SKILL.md": skill("a"),
      "repo/.agents/skills": { link: "../.claude/skills" },
      "repo/.claude/skills/again": { link: "a" },
      "repo/.claude/skills/loop": { link: ".." },
    },
    "repo",
    ["repo a repo/.claude/skills/a/SKILL.md"],
  ],
  [
    "accepts the name of the link where the directory has another",
    { "repo/lib/v2/SKILL.md": skill("a"), [`${AT}/a`]: { link: "../../lib/v2" } },
    "repo",
    ["repo a repo/lib/v2/SKILL.md"],
  ],
  [
    "finds a skill under its own name also when a link of another name leads to it",
    { [`${AT}/a/SKILL.md`]: skill("a"), [`${AT}/Z`]: { link: "a" }, [`${AT}/0`]: { link: "a" } },
    "repo",
    [`repo a ${AT}/a/SKILL.md`],
  ],
  [
    "follows a linked SKILL.md to where the skill is",
    { "repo/x/a/SKILL.md": skill("a"), [`${AT}/a/SKILL.md`]: { link: "../../../x/a/SKILL.md" } },
    "repo",
    ["repo a repo/x/a/SKILL.md"],
  ],
  [
    "reports links that lead outside, and enters none",
    {
      "outside/a/SKILL.md": skill("a"),
      [`${AT}/a`]: { link: "../../../outside/a" },
      [`${AT}/b/SKILL.md`]: { link: "../../../../outside/a/SKILL.md" },
      "repo/p/.agents/skills": { link: "../../../outside" },
      "home/.agents/skills": { link: "../../outside" },
    },
    "repo/p",
    [
      "error home/.agents/skills: it is a link that leads outside your home directory; put a copy in its place",
      `error ${AT}/a: it is a link that leads outside the root; put a copy in its place`,
      `error ${AT}/b/SKILL.md: it is a link that leads outside the root; put a copy in its place`,
      "error repo/p/.agents/skills: it is a link that leads outside the root; put a copy in its place",
    ],
  ],
  [
    "reports links that lead nowhere, but not those among a skill's own files",
    {
      [`${AT}/a`]: { link: "gone" },
      [`${AT}/b/SKILL.md`]: { link: "gone" },
      [`${AT}/c/SKILL.md`]: skill("c"),
      [`${AT}/c/x`]: { link: "gone" },
      [`${AT}/d`]: { link: "d" },
    },
    "repo",
    [
      `repo c ${AT}/c/SKILL.md`,
      `error ${AT}/a: it is a link that leads nowhere; correct or remove it`,
      `error ${AT}/b/SKILL.md: it is a link that leads nowhere; correct or remove it`,
      `error ${AT}/d: it is a link that leads nowhere; correct or remove it`,
    ],
  ],
  [
    "reports what is no file, and does not block on it",
    {
      [`${AT}/a/SKILL.md`]: { fifo: true },
      [`${AT}/b/SKILL.md/x`]: "",
      [`${AT}/c/SKILL.md`]: { link: "../a/SKILL.md" },
    },
    "repo",
    [
      `error ${AT}/a/SKILL.md: it is not a regular file; put one in its place`,
      `error ${AT}/b/SKILL.md: it is not a regular file; put one in its place`,
      `error ${AT}/c/SKILL.md: it is not a regular file; put one in its place`,
    ],
  ],
  [
    "reads what is no plain text as YAML",
    {
      [`${AT}/a/SKILL.md`]: skill("a", '"Quoted: \\u00e9"'),
      [`${AT}/b/SKILL.md`]: skill("b", ">\n  folded\n  text"),
      [`${AT}/c/SKILL.md`]: "\uFEFF---\r\nname: c # comment\r\ndescription: 'x'\r\nmetadata:\r\n  a: b\r\n---\r\n",
    },
    "repo",
    [`repo a ${AT}/a/SKILL.md`, `repo b ${AT}/b/SKILL.md`, `repo c ${AT}/c/SKILL.md`],
  ],
  [
    "reports a broken skill and goes on",
    {
      [`${AT}/a/SKILL.md`]: "no header",
      [`${AT}/b/SKILL.md`]: skill("b", "Use when: x"),
      [`${AT}/c/SKILL.md`]: skill("other"),
      [`${AT}/d/SKILL.md`]: skill("d"),
      [`${AT}/e/SKILL.md`]: "",
      [`${AT}/f/SKILL.md`]: `---\nname: f\nname: f\ndescription: x\n---\n`,
    },
    "repo",
    [
      `repo d ${AT}/d/SKILL.md`,
      `error ${AT}/a/SKILL.md: line 1: it does not begin with a header; put its name and description between two lines '---' at its top`,
      `error ${AT}/b/SKILL.md: line 3: Nested mappings are not allowed in compact mappings; a text with ': ' or ' #' in it, or a mark at its beginning, needs quotes`,
      `error ${AT}/c/SKILL.md: line 2: 'name' is 'other', but its directory is called 'c'; rename one of the two`,
      `error ${AT}/e/SKILL.md: line 1: it does not begin with a header; put its name and description between two lines '---' at its top`,
      `error ${AT}/f/SKILL.md: line 3: duplicate key 'name'; keep one of the lines with this key`,
    ],
  ],
  [
    "does not look into dependencies and version control's own files",
    {
      [`${AT}/a/SKILL.md`]: skill("a"),
      [`${AT}/a/node_modules/b/SKILL.md`]: skill("b"),
      [`${AT}/.git/c/SKILL.md`]: skill("c"),
      "repo/node_modules/p/.agents/skills/d/SKILL.md": skill("d"),
    },
    "repo/node_modules/p",
    [`repo a ${AT}/a/SKILL.md`],
  ],
];

describe("discoverSkills()", () => {
  for (const [name, table, cwd, expected] of cases) {
    test(name, async () => expect(await found({ [`${cwd}/`]: { dir: true }, ...table }, cwd)).toEqual(expected));
  }

  test("keeps the user's scope where the home directory is the root", async () => {
    const table = { "home/.agents/skills/a/SKILL.md": skill("a"), "home/p/.agents/skills/b/SKILL.md": skill("b") };
    expect(await found(table, "home/p", "home", "home")).toEqual([
      "repo b home/p/.agents/skills/b/SKILL.md",
      "user a home/.agents/skills/a/SKILL.md",
    ]);
  });

  test("has no user's scope without a home directory", async () => {
    expect(await found({ "home/.agents/skills/a/SKILL.md": skill("a") }, "repo", "")).toEqual([]);
  });

  test("finds a skill of a project that the user's directory links to once, as the project's", async () => {
    const table = {
      "home/p/.agents/skills/a/SKILL.md": skill("a"),
      "home/.agents/skills": { link: "../p/.agents/skills" },
    };
    expect(await found(table, "home/p", "home", "home/p")).toEqual(["repo a home/p/.agents/skills/a/SKILL.md"]);
  });

  test("says when it stops going deeper", async () => {
    using tree = tempTree({
      [`${AT}/1/2/3/4/5/6/7/a/SKILL.md`]: skill("a"),
      [`${AT}/1/2/3/4/5/6/7/8/b/SKILL.md`]: skill("b"),
    });
    const { skills, errors, truncated } = await discover(tree, "repo");
    expect(skills.map(({ name }) => name)).toEqual(["a"]);
    expect(truncated).toBe(true);
    expect(errors).toEqual([
      {
        path: tree.path(`${AT}/1/2/3/4/5/6/7/8/b`),
        message: "skills are looked for 8 directories deep; this one is deeper: move it up",
      },
    ]);
  });

  test("finds once what a directory that changes meanwhile lists twice", async () => {
    using tree = tempTree({ [`${AT}/good/SKILL.md`]: skill("good") });
    const { list } = disk;
    disk.list = (path) => {
      tree.touch(`${AT}`, 1_738_970_000_000);
      return [...list(path), ...list(path)];
    };
    try {
      expect((await discover(tree, "repo")).skills.map(({ name }) => name)).toEqual(["good"]);
    } finally {
      disk.list = list;
    }
  });

  test("finds once what two names that are no UTF-8 seem to be", async () => {
    using tree = tempTree({ [`${AT}/tool-\uFFFD/SKILL.md`]: skill("tool-one") });
    mkdirSync(Buffer.concat([Buffer.from(`${tree.path(AT)}/tool-`), Buffer.from([0xff])]));
    expect((await discover(tree, "repo")).errors).toHaveLength(1);
  });

  test("does not complain of what is deep where it begins nearer as well", async () => {
    using tree = tempTree({ [`${AT}/1/2/3/4/5/6/.agents/skills/own/SKILL.md`]: skill("own") });
    for (const [cwd, expected] of [
      ["repo", true],
      [`${AT}/1/2/3/4/5/6`, false],
    ] as const) {
      const { truncated, errors } = await discover(tree, cwd);
      expect([truncated, errors.length > 0]).toEqual([expected, expected]);
      tree.remove("cache");
    }
  });

  test("counts what is near before what is deep, in whichever group it is", async () => {
    using tree = tempTree({ [`${AT}/a/1/2/deep/SKILL.md`]: skill("deep"), [`${AT}/b/near/SKILL.md`]: skill("near") });
    const { list } = disk;
    const [file] = list(tree.path(AT, "b/near")) as [Dirent];
    const others = Array.from({ length: MAX_ENTRIES - 5 }, () => file);
    disk.list = (path) => (path === tree.path(AT, "a/1/2") ? [...others, ...list(path)] : list(path));
    try {
      const { skills, errors } = await discover(tree, "repo");
      expect(skills.map(({ name }) => name)).toEqual(["near"]);
      expect(errors.map(({ path }) => path)).toEqual([tree.path(AT, "a/1/2")]);
    } finally {
      disk.list = list;
    }
  });

  test("counts what is near before what is deep, where there is too much of both", async () => {
    using tree = tempTree({ [`${AT}/group/deep/SKILL.md`]: skill("deep"), [`${AT}/near/SKILL.md`]: skill("near") });
    const { list } = disk;
    const [file] = list(tree.path(AT, "near")) as [Dirent];
    const others = Array.from({ length: MAX_ENTRIES - 2 }, () => file);
    disk.list = (path) => (path === tree.path(AT) ? [...list(path), ...others] : list(path));
    try {
      const { skills, errors, truncated } = await discover(tree, "repo");
      expect(skills.map(({ name }) => name)).toEqual(["near"]);
      expect(errors.map(({ path }) => path)).toEqual([tree.path(AT, "group")]);
      expect(truncated).toBe(true);
    } finally {
      disk.list = list;
    }
  });

  test("finds the same in a directory of many by names in it as by whole paths", async () => {
    const names = Array.from({ length: WORTH_GOING }, (_, index) => `usual-${index}`);
    using tree = tempTree({
      ...Object.fromEntries(names.map((name) => [`${AT}/${name}/SKILL.md`, skill(name)])),
      [`${AT}/quoted/SKILL.md`]: skill("quoted", '"one: two"'),
      [`${AT}/broken/SKILL.md`]: "no header",
      [`${AT}/other-name/SKILL.md`]: skill("another-name"),
      [`${AT}/another-name`]: { link: "other-name" },
      [`${AT}/same`]: { link: "usual-3" },
      [`${AT}/usual-4/SKILL.md`]: { link: "../usual-5/SKILL.md" },
      [`${AT}/out`]: { link: "../../.." },
      [`${AT}/group/inner/SKILL.md`]: skill("inner"),
      [`${AT}/group/usual-7`]: { link: "../usual-7" },
      [`${AT}/.agents/skills/own/SKILL.md`]: skill("own"),
      "home/.agents/skills/mine/SKILL.md": skill("mine"),
      "home/.agents/skills/theirs": { link: "../../../repo/.agents/skills/usual-1" },
    });
    for (const [cwd, home] of [
      ["repo", "home"],
      [AT, "home"],
      ["repo", "repo"],
      ["repo", "."],
    ] as const) {
      const byPaths = await discover(tree, cwd, home);
      tree.remove("cache");
      const byNames = await discover(tree, cwd, home, "repo", workingDirectory);
      expect(byNames).toEqual(byPaths);
      expect(byNames.skills.length).toBeGreaterThan(WORTH_GOING);
      tree.remove("cache");
    }
  });

  test("finds by the shortest way what several links lead to, in whichever order the disk lists them", async () => {
    const table = {
      "repo/lib/group/one/SKILL.md": skill("one"),
      [`${AT}/near`]: { link: "../../lib" },
      [`${AT}/1/2/3/4/5/6/far`]: { link: "../../../../../../../../lib" },
    };
    const list = disk.list;
    for (const order of [compareText, (left: string, right: string) => compareText(right, left)]) {
      disk.list = (path) => list(path).toSorted((left, right) => order(left.name, right.name));
      try {
        expect(await found(table)).toEqual(["repo one repo/lib/group/one/SKILL.md"]);
      } finally {
        disk.list = list;
      }
    }
  });

  test("gives the metadata that is printed", async () => {
    using tree = tempTree({ [`${AT}/a/SKILL.md`]: { text: skill("a", "  Does it  "), mtimeMs: 1_738_970_000_123 } });
    const { skills, truncated } = await discover(tree, "repo");
    expect(skills.map(withId)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        name: "a",
        description: "Does it",
        path: tree.path(`${AT}/a/SKILL.md`),
        dir: tree.path(`${AT}/a`),
        scope: "repo",
        mtimeMs: 1_738_970_000_123,
      },
    ]);
    expect(truncated).toBe(false);
  });
});
