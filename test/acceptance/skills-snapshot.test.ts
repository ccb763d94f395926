import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildInputs } from "../../.tools/lib/build.mjs";
import { hashFiles } from "../../.tools/lib/stamp.mjs";
import { run } from "../../src/cli.ts";
import { WORTH_GOING } from "../../src/lib/working-directory.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { CODELIA, REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { MARKER, SKILLS } from "../support/skill-collections.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// The saved snapshot of skills is used only as long as it is correct. Files must be some seconds old to be saved, so another
// process, whose clock is ahead, saves the snapshot that the binary then uses.

const TREE: Readonly<Record<string, Entry>> = {
  "home/.agents/skills/mine/SKILL.md": skillFile("mine", "The user's own"),
  "repo/.git/": dir,
  "outside/out/SKILL.md": skillFile("out", MARKER, MARKER),
  "twin/.git/": dir,
  "twin/.agents/skills/twin/SKILL.md": skillFile("twin", "Of another project"),
  [`${SKILLS}/plain/SKILL.md`]: skillFile("plain", "One"),
  [`${SKILLS}/yaml/SKILL.md`]: skillFile("yaml", '"One: quoted"'),
  [`${SKILLS}/loose/SKILL.md`]: skillFile("loose", "Use when: asked"),
  [`${SKILLS}/group/deep/inner/SKILL.md`]: skillFile("inner", "Deep"),
  [`${SKILLS}/vacant/notes.md`]: "",
  [`${SKILLS}/linked`]: { link: "../../library/linked" },
  [`${SKILLS}/chain`]: { link: "../../library/chain" },
  "repo/library/chain": { link: "linked-too" },
  "repo/library/linked/SKILL.md": skillFile("linked", "One"),
  "repo/library/linked-too/SKILL.md": skillFile("chain", "One"),
  "repo/library/by-file/SKILL.md": skillFile("by-file", "One"),
  "repo/library/other/by-file/SKILL.md": skillFile("by-file", "Two"),
  [`${SKILLS}/by-file/SKILL.md`]: { link: "../../../library/by-file/SKILL.md" },
  [`${SKILLS}/gone`]: { link: "../../library/gone" },
  [`${SKILLS}/out`]: { link: "../../../outside/out" },
  [`${SKILLS}/pipe/SKILL.md`]: { fifo: true },
  [`${SKILLS}/node_modules/package/SKILL.md`]: skillFile("package", "d"),
  "repo/sub/.agents/skills/below/SKILL.md": skillFile("below", "Deeper"),
  [`${SKILLS}/with-files/SKILL.md`]: skillFile("with-files", "Has a directory"),
  [`${SKILLS}/with-files/references/a.md`]: "A reference\n",
};

/** The mark of the build that the tests run. */
const BINARY_BUILD = hashFiles(REPOSITORY, buildInputs).slice(0, 16);

/** Runs in this process with a later clock. Its snapshot looks like the binary's own. */
async function remember(tree: TempTree): Promise<void> {
  const world = fakeWorld({
    argv: ["skills", "list"],
    cwd: tree.path("repo"),
    home: tree.path("home"),
    epochMs: Date.now() + 60_000,
  });
  expect(await run(world)).toBe("ok");
  expect(world.stages).toContain("skills-remembered");
  const cache = tree.path("home/.cache");
  const names = readdirSync(cache, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((each) => /skills-\w+\.json$/.test(each))) {
    const path = join(cache, name);
    const text = readFileSync(path, "utf8");
    if (text.startsWith('{"build":"source"'))
      writeFileSync(path, text.replace('"source"', JSON.stringify(BINARY_BUILD)));
  }
}

interface Told {
  readonly isRemembered: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function tell(tree: TempTree, args: readonly string[], cwd = "repo"): Told {
  const trace = tree.path("trace");
  const { stdout, stderr, exitCode } = runCodelia(args, {
    cwd: tree.path(cwd),
    home: tree.path("home"),
    env: { CODELIA_TRACE: trace },
  });
  expect(exitCode).toBe(0);
  expect(stdout + stderr).not.toContain(MARKER);
  const isRemembered = /"remembered":true/.test(readFileSync(trace, "utf8"));
  rmSync(trace);
  return { isRemembered, stdout, stderr };
}

const list = (tree: TempTree, cwd?: string) => tell(tree, ["skills", "list", "--json"], cwd);

/** Asserts that the result is the same as when every file is read again. */
function expectTrue(tree: TempTree, cwd?: string): Told {
  const told = list(tree, cwd);
  const truth = tell(tree, ["skills", "list", "--json", "--reload"], cwd);
  expect(truth.isRemembered).toBe(false);
  expect([told.stdout, told.stderr]).toEqual([truth.stdout, truth.stderr]);
  const context = tell(tree, ["init-context", "--only", "skills", "--no-state"], cwd);
  const skills: { path: string }[] = JSON.parse(truth.stdout).skills;
  expect([...context.stdout.matchAll(/<path>(.*)<\/path>/g)].map(([, path]) => path)).toEqual(
    skills.map(({ path }) => path),
  );
  return told;
}

/** Changes a file without changing its size or time. */
function overwrite(path: string, from: string, to: string): void {
  const { atime, mtime } = statSync(path);
  const text = readFileSync(path, "utf8");
  expect([text.includes(from), from.length]).toEqual([true, to.length]);
  writeFileSync(path, text.replace(from, to));
  utimesSync(path, atime, mtime);
}

const at = (tree: TempTree, path: string) => tree.path(SKILLS, path);

function relink(tree: TempTree, path: string, target: string): void {
  rmSync(tree.path(path), { recursive: true });
  symlinkSync(target, tree.path(path));
}

/** All of them change the list, except those at the end. */
const CHANGES: readonly (readonly [what: string, change: (tree: TempTree) => void])[] = [
  ["a skill in a skill", (tree) => tree.write(`${SKILLS}/plain/inner/SKILL.md`, skillFile("inner", "Inside"))],
  [
    "a skill in a directory of a skill",
    (tree) => tree.write(`${SKILLS}/with-files/references/SKILL.md`, skillFile("references", "Inside")),
  ],
  ["an edit of the same size and time", (tree) => overwrite(at(tree, "plain/SKILL.md"), "One", "Two")],
  ["the same of a file that YAML reads", (tree) => overwrite(at(tree, "yaml/SKILL.md"), "One", "Two")],
  [
    "the same of a broken file, that heals it",
    (tree) => overwrite(at(tree, "loose/SKILL.md"), "when: ask", "when, ask"),
  ],
  ["the same of a file, that breaks it", (tree) => overwrite(at(tree, "plain/SKILL.md"), "plain", "plaim")],
  ["the same of what a link leads to", (tree) => overwrite(tree.path("repo/library/linked/SKILL.md"), "One", "Two")],
  [
    "the same of what a link to a file leads to",
    (tree) => overwrite(tree.path("repo/library/by-file/SKILL.md"), "One", "Two"),
  ],
  ["a line below the header", (tree) => writeFileSync(at(tree, "plain/SKILL.md"), "more\n", { flag: "a" })],
  ["another time", (tree) => tree.touch(`${SKILLS}/plain/SKILL.md`, 1_738_970_000_000)],
  ["a file cut to nothing", (tree) => truncateSync(at(tree, "plain/SKILL.md"), 0)],
  [
    "an edit by another name of the file",
    (tree) => {
      linkSync(at(tree, "plain/SKILL.md"), tree.path("repo/other-name"));
      overwrite(tree.path("repo/other-name"), "One", "Two");
    },
  ],
  [
    "another file in its place",
    (tree) => {
      writeFileSync(tree.path("repo/new"), skillFile("plain", "Two"));
      const { atime, mtime } = statSync(at(tree, "plain/SKILL.md"));
      utimesSync(tree.path("repo/new"), atime, mtime);
      renameSync(tree.path("repo/new"), at(tree, "plain/SKILL.md"));
    },
  ],
  ["a file that has gone", (tree) => rmSync(at(tree, "plain/SKILL.md"))],
  ["a file of another letter case", (tree) => renameSync(at(tree, "plain/SKILL.md"), at(tree, "plain/skill.md"))],
  [
    "a file that is a directory now",
    (tree) => {
      rmSync(at(tree, "plain/SKILL.md"));
      mkdirSync(at(tree, "plain/SKILL.md"));
    },
  ],
  [
    "a file that is a link out now",
    (tree) => relink(tree, `${SKILLS}/plain/SKILL.md`, "../../../../outside/out/SKILL.md"),
  ],
  [
    "a pipe that is a file now",
    (tree) => {
      rmSync(at(tree, "pipe/SKILL.md"));
      writeFileSync(at(tree, "pipe/SKILL.md"), skillFile("pipe", "d"));
    },
  ],
  [
    "two directories that changed places",
    (tree) => {
      renameSync(at(tree, "plain"), tree.path("repo/x"));
      renameSync(at(tree, "yaml"), at(tree, "plain"));
      renameSync(tree.path("repo/x"), at(tree, "yaml"));
    },
  ],
  ["a directory that is a link to another one", (tree) => relink(tree, `${SKILLS}/plain`, "../../library/linked")],
  ["a directory that is a link out", (tree) => relink(tree, `${SKILLS}/plain`, "../../../outside/out")],
  ["a directory that has gone", (tree) => rmSync(at(tree, "plain"), { recursive: true })],
  ["a directory that has moved into a group", (tree) => renameSync(at(tree, "plain"), at(tree, "group/plain"))],
  ["a new skill", (tree) => tree.write(`${SKILLS}/new/SKILL.md`, skillFile("new", "d"))],
  [
    "a new skill in a new group of an old one",
    (tree) => tree.write(`${SKILLS}/group/deep/a/b/new/SKILL.md`, skillFile("new", "d")),
  ],
  [
    "a group that is a skill now, and hides what is in it",
    (tree) => tree.write(`${SKILLS}/group/SKILL.md`, skillFile("group", "d")),
  ],
  [
    "a directory without a skill that has one now",
    (tree) => tree.write(`${SKILLS}/vacant/SKILL.md`, skillFile("vacant", "d")),
  ],
  [
    "a skill that is none any more, and uncovers one",
    (tree) => {
      tree.write(`${SKILLS}/plain/in/SKILL.md`, skillFile("in", "d"));
      rmSync(at(tree, "plain/SKILL.md"));
    },
  ],
  [
    "a name that was passed over and is not any more",
    (tree) => renameSync(at(tree, "node_modules"), at(tree, "modules")),
  ],
  ["a link that leads to another skill", (tree) => relink(tree, `${SKILLS}/linked`, "../../library/other/by-file")],
  ["a link behind a link that leads elsewhere", (tree) => relink(tree, "repo/library/chain", "linked")],
  [
    "a link to a file that leads to another one",
    (tree) => relink(tree, `${SKILLS}/by-file/SKILL.md`, "../../../library/other/by-file/SKILL.md"),
  ],
  [
    "another directory where a link leads",
    (tree) => {
      rmSync(tree.path("repo/library/linked"), { recursive: true });
      renameSync(tree.path("repo/library/other/by-file"), tree.path("repo/library/linked"));
    },
  ],
  ["a link that leads nowhere any more", (tree) => rmSync(tree.path("repo/library/linked"), { recursive: true })],
  [
    "a link that led nowhere and leads to a skill",
    (tree) => tree.write("repo/library/gone/SKILL.md", skillFile("gone", "d")),
  ],
  ["a link that led nowhere and leads to a file", (tree) => tree.write("repo/library/gone", "")],
  ["a link that led out and leads in", (tree) => relink(tree, `${SKILLS}/out`, "../../library/other/by-file")],
  ["a link that has another name", (tree) => renameSync(at(tree, "chain"), at(tree, "chain-2"))],
  ["a new link", (tree) => symlinkSync("../../library/other/by-file", at(tree, "new-link"))],
  [
    "other skills in the place of all",
    (tree) => {
      rmSync(tree.path(SKILLS), { recursive: true });
      renameSync(tree.path("repo/sub/.agents/skills"), tree.path(SKILLS));
    },
  ],
  [
    "all of .agents from elsewhere",
    (tree) => {
      rmSync(tree.path("repo/.agents"), { recursive: true });
      renameSync(tree.path("twin/.agents"), tree.path("repo/.agents"));
    },
  ],
  ["a link in the place of .agents", (tree) => relink(tree, "repo/.agents", "sub/.agents")],
  [
    "another project in the place of this one",
    (tree) => {
      renameSync(tree.path("repo"), tree.path("was-repo"));
      renameSync(tree.path("twin"), tree.path("repo"));
    },
  ],
  [
    "a link to another project in the place of this one",
    (tree) => {
      renameSync(tree.path("repo"), tree.path("was-repo"));
      symlinkSync("twin", tree.path("repo"));
    },
  ],
  ["the user's skills gone", (tree) => rmSync(tree.path("home/.agents"), { recursive: true })],
  ["a new skill of the user's", (tree) => tree.write("home/.agents/skills/more/SKILL.md", skillFile("more", "d"))],
  ["a config that is lenient", (tree) => tree.write("home/.codelia/config.yaml", "skills: { validation: lenient }\n")],
  [
    "a config of the project that is lenient",
    (tree) => tree.write("repo/.codelia/config.yaml", "skills: { validation: lenient }\n"),
  ],
  ["a config that ignores a group", (tree) => tree.write("home/.codelia/config.yaml", "agents: { ignore: [group] }\n")],
  ["a config that ignores nothing", (tree) => tree.write("home/.codelia/config.yaml", "agents: { ignore: [] }\n")],
  [
    "a config that disables a skill",
    (tree) => tree.write("home/.codelia/config.yaml", "skills: { disabled: [plain] }\n"),
  ],
];

const NEIGHBOURS = Array.from({ length: WORTH_GOING }, (_, index) => `neighbour-${index}`);
/** So many that the process changes to their directory. */
const CROWD = Object.fromEntries(
  NEIGHBOURS.map((name) => [`${SKILLS}/${name}/SKILL.md`, skillFile(name, "Next to it")]),
);
const TREES = [
  ["", TREE],
  [" among many", { ...TREE, ...CROWD }],
] as const;

describe("what is remembered never hides", () => {
  for (const [where, entries] of TREES) {
    for (const [what, change] of CHANGES) {
      test(what + where, async () => {
        using tree = tempTree(entries);
        await remember(tree);
        const before = list(tree);
        expect(before.isRemembered).toBe(true);
        change(tree);
        const after = expectTrue(tree);
        expect(after.stdout).not.toBe(before.stdout);
      });
    }
  }
});

/** Working directories to which a process might not be able to return, or that have another name. */
const WAYS: readonly (readonly [where: string, go: string])[] = [
  ["a directory whose name is no UTF-8", String.raw`name=$(printf 'h\377') && mkdir "$name" && cd "$name"`],
  ["a directory with a false name", "PWD=/ && export PWD"],
  ["a link", "mkdir here && ln -s here link && cd link"],
];
for (const [where, go] of WAYS) {
  test(`skills among many are the same from ${where}`, async () => {
    using tree = tempTree({ ...TREE, ...CROWD, "once/": dir, "again/": dir });
    await remember(tree);
    const { stdout: listed } = list(tree);
    expect(listed).toContain(NEIGHBOURS.at(-1) as string);
    for (const [cwd, flag] of [
      ["once", ""],
      ["again", "--reload"],
    ] as const) {
      const script = `${go} && exec '${CODELIA}' skills list --json ${flag} --cwd '${tree.path("repo")}'`;
      const options = { cwd: tree.path(cwd), home: tree.path("home"), binary: "/bin/sh" };
      const { stdout, exitCode } = runCodelia(["-c", script], options);
      expect([stdout, exitCode]).toEqual([listed, 0]);
    }
  });
}

const UNSEEN: readonly (readonly [what: string, change: (tree: TempTree) => void])[] = [
  ["other permissions of a file", (tree) => chmodSync(at(tree, "plain/SKILL.md"), 0o600)],
  ["other permissions of a directory", (tree) => chmodSync(at(tree, "plain"), 0o700)],
  [
    "a copy of a directory in its place",
    (tree) => {
      const { atime, mtime } = statSync(at(tree, "plain/SKILL.md"));
      rmSync(at(tree, "plain"), { recursive: true });
      tree.write(`${SKILLS}/plain/SKILL.md`, skillFile("plain", "One"));
      utimesSync(at(tree, "plain/SKILL.md"), atime, mtime);
    },
  ],
  ["a file beside a skill", (tree) => tree.write(`${SKILLS}/plain/references/a.md`, "A")],
];
for (const [what, change] of UNSEEN) {
  test(`what is remembered is as good as the files after ${what}`, async () => {
    using tree = tempTree(TREE);
    await remember(tree);
    const before = list(tree);
    change(tree);
    expect(expectTrue(tree).stdout).toBe(before.stdout);
  });
}

test("what is remembered of one working directory is not told in another", async () => {
  using tree = tempTree(TREE);
  await remember(tree);
  const names = (told: Told) => JSON.parse(told.stdout).skills.map(({ name }: { name: string }) => name);
  expect(names(expectTrue(tree, "repo/sub"))).toContain("below");
  expect(names(expectTrue(tree, "repo"))).not.toContain("below");
  expect(names(expectTrue(tree, "twin"))).toEqual(["twin", "mine"]);
  // In a directory without skills of its own it is the same as above.
  expect(list(tree, "repo/library").isRemembered).toBe(true);
  expectTrue(tree, "repo/library");
});

test("a project that has moved tells its new paths", async () => {
  using tree = tempTree(TREE);
  await remember(tree);
  renameSync(tree.path("repo"), tree.path("moved"));
  const { stdout } = expectTrue(tree, "moved");
  expect(stdout).not.toContain(tree.path("repo/"));
});

test("what is remembered is loaded as the file is now", async () => {
  using tree = tempTree(TREE);
  await remember(tree);
  const load = () => tell(tree, ["skills", "load", "plain", "--no-state"]);
  expect(load()).toMatchObject({ isRemembered: true, stderr: "" });
  writeFileSync(at(tree, "plain/SKILL.md"), "The new text\n", { flag: "a" });
  expect(load().stdout).toContain("The new text\n");
});
