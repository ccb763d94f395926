import { describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { runAtTerminal } from "../support/run-at-terminal.ts";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import { MARKER, SKILLS } from "../support/skill-collections.ts";
import { envelopeOf, skillFile } from "../support/skills-project.ts";
import { elementsNamed, textOf } from "../support/envelope.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Loading, listing, checking and telling skills read only inside a skill's own directory, whatever is typed and whatever
// the directory contains, and none of them ever waits for a file.

/** Much more time than any of them takes. */
const LIMIT_MS = 10_000;

const BASE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "outside/SKILL.md": skillFile("outside", MARKER, `${MARKER}\n`),
  "outside/secret.txt": MARKER,
  [`${SKILLS}/good/SKILL.md`]: skillFile("good", "Does good", "The good text.\n"),
  [`${SKILLS}/good/references/a.md`]: "A.\n",
};

function run(tree: TempTree, args: readonly string[], cwd = "repo"): RunResult {
  const result = runCodelia(args, { cwd: tree.path(cwd), home: tree.path("home"), timeoutMs: LIMIT_MS });
  expect(result.stdout + result.stderr).not.toContain(MARKER);
  expect(result.stderr).not.toContain("internal error");
  return result;
}

/** Asserts that no command that reads skills prints text from outside; `paths` of errors, `names` of skills. */
function survey(tree: TempTree): { names: string[]; errors: { path: string; message: string }[] } {
  const { stdout, exitCode } = run(tree, ["skills", "list", "--json"]);
  expect(exitCode).toBe(0);
  expect(run(tree, ["skills", "list"]).exitCode).toBe(0);
  expect([0, 1]).toContain(run(tree, ["skills", "check"]).exitCode);
  expect(run(tree, ["init-context"]).exitCode).toBe(0);
  expect(run(tree, ["skills", "search", "good"]).exitCode).toBe(0);
  const { skills, errors } = JSON.parse(stdout);
  return { names: skills.map(({ name }: { name: string }) => name), errors };
}

/** The files of a skill, as loading it lists them. */
function filesOf(stdout: string): string[] {
  return elementsNamed("file", envelopeOf(stdout)).map(textOf);
}

describe("what is typed", () => {
  const GOOD = `repo/.agents/skills/good`;
  const ways: [typed: string, cwd?: string][] = [
    [".agents/skills/good"],
    [".agents/skills/good/"],
    [".agents/skills/good///"],
    ["./.agents/./skills//good/SKILL.md"],
    [".agents/skills/good/SKILL.md/"],
    [".agents/skills/x/../good"],
    ["../repo/.agents/skills/good"],
    [".agents/skills/good/references/../../good/SKILL.md"],
    ["/proc/self/cwd/.agents/skills/good"],
    [".", GOOD],
    ["SKILL.md", GOOD],
    ["..", `${GOOD}/references`],
    ["good"],
    ["$good"],
    ["GOOD"],
    ["＄ＧＯＯＤ"],
    [" good "],
  ];
  test("leads to a skill by whichever way, and prints the same", () => {
    using tree = tempTree(BASE);
    const expected = run(tree, ["skills", "load", tree.path(SKILLS, "good/SKILL.md"), "--no-state"]);
    expect(expected).toMatchObject({ stderr: "", exitCode: 0 });
    expect(filesOf(expected.stdout)).toEqual([tree.path(SKILLS, "good/references/a.md")]);
    for (const [typed, cwd] of ways) {
      expect({ typed, ...run(tree, ["skills", "load", typed, "--no-state"], cwd) }).toEqual({ typed, ...expected });
    }
  });

  const nowhere: string[] = [
    "..",
    "../outside",
    "../outside/SKILL.md",
    ".agents/skills/../../../outside",
    ".agents/skills/good/../../../../outside/SKILL.md",
    "/etc/passwd",
    "/dev/zero",
    "/dev/stdin",
    "/proc/self/environ",
    "/",
    "~",
    "~/.agents/skills/good",
    ".agents/skills/good%2FSKILL.md",
    ".agents/skills/%67ood",
    ".agents%2Fskills%2Fgood",
    "..%2foutside",
    "%2e%2e/outside",
    "..\\outside",
    ".agents\\skills\\good",
    ".agents/skills/GOOD",
    ".AGENTS/SKILLS/good",
    ".agents/skills/good/skill.md",
    ".agents/skills/good/SKILL.md%00",
    ".agents/skills/good\n",
    ".agents/skills/good\u202E",
    "good\u200B",
    "good\u0007",
    "g\u00F6od",
    "$",
    "$$good",
    "good/",
    "*",
    "{good,outside}",
    "$(cat ../outside/secret.txt)",
    "a".repeat(5000),
    `${"../".repeat(500)}etc/passwd`,
  ];
  test("leads nowhere else, and says so", () => {
    using tree = tempTree(BASE);
    for (const typed of [...nowhere, `file://${tree.path("outside")}`, tree.path("outside/SKILL.md")]) {
      const { stdout, stderr, exitCode } = run(tree, ["skills", "load", typed]);
      expect({ typed, stdout, exitCode }).toEqual({ typed, stdout: "", exitCode: 1 });
      expect(stderr).toMatch(/^codelia: (?:no skill '.*|skill '.*can't be loaded: .*)\n$/);
      const json = run(tree, ["skills", "load", typed, "--json"]);
      expect(["not_found", "skill_unusable"]).toContain(JSON.parse(json.stdout).error.code);
      const checked = run(tree, ["skills", "check", "--", typed]);
      expect([0, 1]).toContain(checked.exitCode);
      expect(checked.stdout).toBe("");
      expect(run(tree, ["skills", "search", "--", typed]).exitCode).toBe(0);
    }
  });

  test("a file of a skill is no skill, and the skill is named", () => {
    using tree = tempTree(BASE);
    for (const typed of [".agents/skills/good/references", ".agents/skills/good/references/a.md"]) {
      expect(run(tree, ["skills", "load", typed])).toEqual({
        stdout: "",
        stderr: `codelia: no skill '${typed}': it is part of skill 'good'; load that one: '${tree.path(SKILLS, "good/SKILL.md")}'\n`,
        exitCode: 1,
      });
    }
  });
});

describe("links", () => {
  test("inside a skill's directory are neither followed nor listed, and a check names them", () => {
    using tree = tempTree({
      ...BASE,
      [`${SKILLS}/good/file`]: { link: "../../../../outside/secret.txt" },
      [`${SKILLS}/good/directory`]: { link: "../../../../outside" },
      [`${SKILLS}/good/references/up`]: { link: "../../../../.." },
      [`${SKILLS}/good/self`]: { link: "." },
      [`${SKILLS}/good/root`]: { link: "/" },
      [`${SKILLS}/good/gone`]: { link: "gone" },
    });
    expect(survey(tree)).toEqual({ names: ["good"], errors: [] });
    const { stdout } = run(tree, ["skills", "load", "good"]);
    expect(filesOf(stdout)).toEqual([tree.path(SKILLS, "good/references/a.md")]);
    const { findings } = JSON.parse(run(tree, ["skills", "check", "--json"]).stdout);
    const named = findings.map(({ path }: { path: string }) => path.slice(tree.path(SKILLS, "good/").length));
    expect(named.toSorted()).toEqual(["directory", "file", "gone", "references/up", "root"]);
    for (const typed of ["file", "directory", "directory/secret.txt", "directory/SKILL.md", "root/etc/passwd"]) {
      expect(run(tree, ["skills", "load", `.agents/skills/good/${typed}`]).exitCode).toBe(1);
    }
  });

  test("a reference that leads out is named, and not looked at", () => {
    const body =
      "[a](../../../../outside/secret.txt) [b](/etc/passwd) [c](directory/secret.txt) [d](..%2f..%2f..%2f..%2foutside/secret.txt)\n";
    using tree = tempTree({
      ...BASE,
      [`${SKILLS}/good/SKILL.md`]: skillFile("good", "Does good", body),
      [`${SKILLS}/good/directory`]: { link: "../../../../outside" },
    });
    const { findings } = JSON.parse(run(tree, ["skills", "check", "--json"]).stdout);
    expect(findings.length).toBeGreaterThanOrEqual(2);
    for (const { rule } of findings) expect(["skill-link-outside", "skill-missing-file"]).toContain(rule);
  });

  test("out of the project are errors, whether of a file, a directory or all of the skills", () => {
    using tree = tempTree({
      ...BASE,
      [`${SKILLS}/directory`]: { link: "../../../outside" },
      [`${SKILLS}/file/SKILL.md`]: { link: "../../../../outside/SKILL.md" },
      [`${SKILLS}/proc`]: { link: "/proc/self/cwd/../outside" },
      "repo/sub/.agents": { link: "../../outside" },
      "repo/sub/p/.agents/skills": { link: "../../../../outside" },
      "home/.agents/skills": { link: "../../outside" },
    });
    const message = "it is a link that leads outside the root; put a copy in its place";
    expect(survey(tree)).toMatchObject({
      names: ["good"],
      errors: [
        { path: tree.path("home/.agents/skills"), message: message.replace("the root", "your home directory") },
        { path: tree.path(SKILLS, "directory"), message },
        { path: tree.path(SKILLS, "file/SKILL.md"), message },
        { path: tree.path(SKILLS, "proc") },
      ],
    });
    const below = run(tree, ["skills", "list", "--json"], "repo/sub/p").stdout;
    expect(JSON.parse(below).errors).toContainEqual({ path: tree.path("repo/sub/p/.agents/skills"), message });
  });
});

describe("names", () => {
  const names: [what: string, name: string | Buffer][] = [
    ["a line's end", "a\nb"],
    ["an escape sequence", "a\u001B[31mb\u0007"],
    ["a bidi override", "a\u202Eb"],
    ["no UTF-8", Buffer.from([0x61, 0xff, 0xfe, 0x62])],
    ["half a character", Buffer.from([0xe3, 0x81])],
    ["a backslash", "..\\..\\outside"],
    ["a percent encoding", "%2e%2e%2foutside"],
    ["a glob", "{a,b}[c]*"],
    ["markup", "<system-reminder>"],
    ["a hyphen at its beginning", "--json"],
    ["blanks", " . "],
    ["the most that a name may have", "n".repeat(255)],
  ];
  for (const [what, name] of names) {
    test(`with ${what} are read as they are, and shown so that they do no harm`, () => {
      using tree = tempTree(BASE);
      const bytes = typeof name === "string" ? Buffer.from(name) : name;
      const inside = (path: string) => Buffer.concat([Buffer.from(`${tree.path(SKILLS)}/`), bytes, Buffer.from(path)]);
      mkdirSync(inside(""));
      writeFileSync(inside("/SKILL.md"), skillFile("odd", "Odd"));
      const at = Buffer.concat([Buffer.from(`${tree.path(SKILLS)}/good/`), bytes]);
      mkdirSync(at);
      writeFileSync(Buffer.concat([at, Buffer.from("/"), bytes]), "x");
      const { names: listed, errors } = survey(tree);
      // There might also be a skill in the other directory, which is out of reach.
      const nameless = typeof name === "string" ? 1 : 2;
      expect([listed, errors.length]).toEqual([["good"], nameless]);
      expect(errors[0]?.message).toMatch(/rename one of the two$|its name is not UTF-8; rename it$/);
      const { stdout, exitCode } = run(tree, ["skills", "load", "good"]);
      expect(exitCode).toBe(0);
      for (const path of filesOf(stdout)) expect(path).toStartWith(tree.path(SKILLS, "good/"));
      const shown = stdout + run(tree, ["skills", "list"]).stdout + run(tree, ["skills", "check"]).stdout;
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F\u202E]|<system-reminder>/);
    });
  }
});

describe("what is no plain file", () => {
  const DOES_NOT_BLOCK: [what: string, put: (path: string) => unknown, message: RegExp][] = [
    ["a directory", (path) => mkdirSync(path), /^it is not a regular file; put one in its place$/],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), /^it is a link that leads outside the root/],
    ["a link to standard input", (path) => symlinkSync("/dev/stdin", path), /^it /],
    ["a link to itself", (path) => symlinkSync("SKILL.md", path), /^it is a link that leads nowhere/],
    ["a large file of nothing", (path) => sparse(path, ""), /does not begin with a header/],
    ["a large file with a header that never ends", (path) => sparse(path, "---\nname: odd\n"), /is larger than 16384/],
  ];
  for (const [what, put, message] of DOES_NOT_BLOCK) {
    test(`${what} is an error, at once`, () => {
      using tree = tempTree({ ...BASE, [`${SKILLS}/odd/`]: dir });
      put(tree.path(SKILLS, "odd/SKILL.md"));
      const { names, errors } = survey(tree);
      expect([names, errors.length]).toEqual([["good"], 1]);
      expect(errors[0]?.message.replace(/^line \d+: /, "")).toMatch(message);
      expect(run(tree, ["skills", "load", "odd"])).toMatchObject({ stdout: "", exitCode: 1 });
    });
  }

  test("a FIFO is an error, and nobody waits for its writer", () => {
    using tree = tempTree({
      ...BASE,
      [`${SKILLS}/odd/SKILL.md`]: { fifo: true },
      [`${SKILLS}/good/pipe`]: { fifo: true },
    });
    expect(survey(tree).errors.map(({ message }) => message)).toEqual([
      "it is not a regular file; put one in its place",
    ]);
    expect(run(tree, ["skills", "load", "good"]).exitCode).toBe(0);
    expect(run(tree, ["skills", "load", "odd"]).exitCode).toBe(1);
  });

  test("a socket is an error", async () => {
    using tree = tempTree({ ...BASE, [`${SKILLS}/odd/`]: dir });
    const server = createServer();
    // A socket needs a short path, so it is created elsewhere and moved.
    await new Promise<void>((resolve) => server.listen(tree.path("s"), resolve));
    renameSync(tree.path("s"), tree.path(SKILLS, "odd/SKILL.md"));
    try {
      expect(survey(tree).errors.map(({ message }) => message)).toEqual([
        "it is not a regular file; put one in its place",
      ]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test("a huge text is cut, and so is what is said of it", () => {
    using tree = tempTree({ ...BASE, [`${SKILLS}/odd/`]: dir });
    sparse(tree.path(SKILLS, "odd/SKILL.md"), skillFile("odd", "Odd"));
    expect(survey(tree).names).toEqual(["good", "odd"]);
    const { stdout, exitCode } = run(tree, ["skills", "load", "odd"]);
    expect([exitCode, stdout.length < 2 * 1024 * 1024]).toEqual([0, true]);
    expect(stdout).toContain("1048576");
  });
});

/** A sparse file of a tebibyte. */
function sparse(path: string, beginning: string): void {
  const descriptor = openSync(path, "w");
  writeSync(descriptor, beginning);
  ftruncateSync(descriptor, 2 ** 40);
  closeSync(descriptor);
}

describe("what is swapped between two calls", () => {
  const path = `${SKILLS}/good/SKILL.md`;
  const outsideOf: Readonly<Record<string, (tree: TempTree) => void>> = {
    "its file for a link out": (tree) => {
      tree.remove(path);
      symlinkSync("../../../../outside/SKILL.md", tree.path(path));
    },
    "its directory for a link out": (tree) => {
      tree.remove(`${SKILLS}/good`);
      symlinkSync("../../../outside", tree.path(SKILLS, "good"));
    },
    "all skills for a link out": (tree) => {
      tree.remove(SKILLS);
      symlinkSync("../../outside", tree.path(SKILLS));
    },
  };
  for (const [what, swap] of Object.entries(outsideOf)) {
    test(`${what} is read by nobody`, () => {
      using tree = tempTree(BASE);
      expect(survey(tree)).toEqual({ names: ["good"], errors: [] });
      swap(tree);
      const { names, errors } = survey(tree);
      expect([names, errors.map(({ message }) => message)]).toEqual([
        [],
        ["it is a link that leads outside the root; put a copy in its place"],
      ]);
      expect(run(tree, ["skills", "load", tree.path(path)])).toMatchObject({ stdout: "", exitCode: 1 });
    });
  }

  test("while the user is asked: what was not judged is not loaded, though its time is the same", async () => {
    using tree = tempTree({
      ...BASE,
      "home/.codelia/config.yaml": "permissions: { confirm: [{ tool: skill_load }] }\n",
    });
    const swap = () => {
      const { atime, mtime } = statSync(tree.path(path));
      writeFileSync(tree.path(path), skillFile("evil", "Does good", "The evil text\n"));
      utimesSync(tree.path(path), atime, mtime);
      return "y\n";
    };
    const load = (typed: readonly (string | (() => string))[]) =>
      runAtTerminal(["skills", "load", "good"], { cwd: tree.path("repo"), home: tree.path("home"), typed });
    const { shown, exitCode } = await load([swap]);
    expect(shown).not.toContain("The evil text");
    expect(shown).toContain("it has just changed; load it again");
    expect(exitCode).toBe(1);
  });
});

describe("a skill that a rule denies", () => {
  const BODY = "The body that is denied";
  const denied: Readonly<Record<string, Entry>> = {
    ...BASE,
    "home/.codelia/config.yaml":
      "skills: { validation: lenient }\npermissions: { deny: [{ tool: skill_load, skill_name: secret }] }\n",
    [`${SKILLS}/secret/SKILL.md`]: skillFile("secret", "d", BODY),
    [`${SKILLS}/alias`]: { link: "secret" },
    [`${SKILLS}/by-file/SKILL.md`]: { link: "../secret/SKILL.md" },
    [`${SKILLS}/capitals/SKILL.md`]: skillFile("SECRET", "d", BODY),
    [`${SKILLS}/wide/SKILL.md`]: skillFile("ｓｅｃｒｅｔ", "d", BODY),
    [`${SKILLS}/quoted/SKILL.md`]: skillFile('" secret "', "d", BODY),
    [`${SKILLS}/unnamed/secret/SKILL.md`]: `---\ndescription: d\n---\n${BODY}`,
    "home/.agents/skills/secret/SKILL.md": skillFile("secret", "d", BODY),
  };

  test("is loaded by no path, link, letter case, width, $name or id", () => {
    using tree = tempTree(denied);
    const { skills } = JSON.parse(run(tree, ["skills", "list", "--json", "--quiet"]).stdout);
    expect(skills).toHaveLength(7);
    const ids = skills.flatMap(({ id, name }: { id: string; name: string }) => (name === "good" ? [] : [id]));
    const paths = ["secret", "alias", "alias/SKILL.md", "by-file", "by-file/SKILL.md", "capitals", "wide", "quoted"];
    const typed = [
      ...[...paths, "unnamed/secret", "../skills/secret/", "secret/SKILL.md/"].map((path) => `.agents/skills/${path}`),
      "../home/.agents/skills/secret",
      tree.path(SKILLS, "secret"),
      tree.path(SKILLS, "alias/SKILL.md"),
      "secret",
      "SECRET",
      "$secret",
      "$Secret",
      "ｓｅｃｒｅｔ",
      "＄ＳＥＣＲＥＴ",
      " secret",
      "alias",
      "by-file",
      "wide",
    ];
    const deniedPaths = skills
      .filter(({ name }: { name: string }) => name !== "good")
      .map(({ path }: { path: string }) => path);
    for (const word of [...typed, ...deniedPaths, ...ids]) {
      for (const flags of [[], ["--json"], ["--again", "--no-state"]]) {
        const { stdout, stderr, exitCode } = run(tree, ["skills", "load", word, ...flags]);
        expect({ word, exitCode }).toEqual({ word, exitCode: 1 });
        expect(stdout + stderr).not.toContain(BODY);
      }
    }
    for (const path of deniedPaths) {
      const { error } = JSON.parse(run(tree, ["skills", "load", path, "--json"]).stdout);
      expect([error.code, error.decision]).toEqual(["denied", "deny"]);
    }
    expect(run(tree, ["skills", "load", "good"]).exitCode).toBe(0);
  });

  test("is not told by anything else either", () => {
    using tree = tempTree(denied);
    for (const args of [["init-context"], ["skills", "list"], ["skills", "search", "secret"], ["skills", "check"]]) {
      const { stdout, stderr } = run(tree, args);
      expect(stdout + stderr).not.toContain(BODY);
    }
  });
});
