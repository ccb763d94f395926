import { describe, expect, test } from "bun:test";
import { lstatSync } from "node:fs";
import { checkProject, foundIn, runCheck } from "../support/check-project.ts";
import type { Entry } from "../support/temp-tree.ts";

// `codelia check --baseline`: what was found before is not found again. The usual course is scenarios/findings-known-before.txt.

const FILE = "docs/baseline.json";
const WITH = ["--baseline", FILE];
const OLD: Readonly<Record<string, Entry>> = {
  "AGENTS.md": "Read `docs/gone.md`.\n\nAnd `docs/lost.md`.\n",
  "sub/AGENTS.md": "",
};

describe("an entry holds", () => {
  const CHANGES: [what: string, path: string, text: string][] = [
    ["when lines move", "AGENTS.md", "# First\n\nSomething new.\n\nAnd `docs/lost.md`.\n\nRead `docs/gone.md`.\n"],
    ["when figures change", "deep/AGENTS.md", "Run the tests.\n".repeat(3000)],
  ];
  for (const [what, path, text] of CHANGES) {
    test(what, () => {
      using tree = checkProject({ ...OLD, "deep/AGENTS.md": "Run the tests.\n".repeat(2500) });
      runCheck(tree, [...WITH, "--write-baseline"]);
      tree.write(`repo/${path}`, text);
      expect(foundIn(tree, WITH)).toEqual([]);
    });
  }
});

const SKILL = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\nBegin.\n`;

describe("an entry of a skill holds when figures change:", () => {
  const CHANGES: [what: string, before: [string, string], after: [string, string], found: string[]][] = [
    [
      "the length of a description",
      [".agents/skills/x/SKILL.md", SKILL("x", "x".repeat(1199))],
      [".agents/skills/x/SKILL.md", SKILL("x", "x".repeat(1499))],
      [],
    ],
    [
      "the number of those with its name",
      [".agents/skills/c/x/SKILL.md", SKILL("y", "Review")],
      [".agents/skills/c/x/SKILL.md", SKILL("x", "Review")],
      [".agents/skills/c/x/SKILL.md:2 skill-duplicate-name", `${FILE}:40 baseline-stale`],
    ],
  ];
  for (const [what, [path, before], [, after], found] of CHANGES) {
    test(what, () => {
      const [one, other] = [".agents/skills/a/x/SKILL.md", ".agents/skills/b/x/SKILL.md"];
      using tree = checkProject({ [one]: SKILL("x", "Review"), [other]: SKILL("x", "Review"), [path]: before });
      runCheck(tree, [...WITH, "--write-baseline"]);
      tree.write(`repo/${path}`, after);
      expect(foundIn(tree, WITH).map((each) => each.replace(/json:\d+/, "json:40"))).toEqual(found);
    });
  }
});

test("more than are printed are known, and what is new among them is found", () => {
  const lines = (from: number) =>
    Array.from({ length: 120 - from }, (_, at) => `See \`docs/m${from + at}.md\`.\n`).join("");
  using tree = checkProject({ "AGENTS.md": lines(0) });
  expect(runCheck(tree, [...WITH, "--write-baseline"]).stderr).toBe(`codelia: 120 findings written to '${FILE}'\n`);
  tree.write("repo/AGENTS.md", `${lines(0)}See \`docs/new.md\`.\n`);
  expect(foundIn(tree, WITH)).toEqual(["AGENTS.md:121 instructions-missing-path"]);
  tree.write("repo/AGENTS.md", lines(50));
  expect(new Set(foundIn(tree, WITH).map((found) => found.split(" ")[1]))).toEqual(new Set(["baseline-stale"]));
});

test("a byte order mark is no part of it", () => {
  using tree = checkProject(OLD);
  runCheck(tree, [...WITH, "--write-baseline"]);
  tree.write(`repo/${FILE}`, `\uFEFF${tree.read(`repo/${FILE}`)}`);
  expect(foundIn(tree, WITH)).toEqual([]);
});

describe("writing it", () => {
  const taken: [what: string, entry: Entry][] = [
    ["a pipe", { fifo: true }],
    ["a link", { link: "docs/old.json" }],
    ["a link to nowhere", { link: "docs/gone.json" }],
  ];
  for (const [what, entry] of taken) {
    test(`leaves ${what} of its name as it is`, () => {
      using tree = checkProject({ ...OLD, "docs/old.json": "", taken: entry });
      const path = tree.path("repo/taken");
      const before = lstatSync(path);
      expect(runCheck(tree, ["--baseline", "taken", "--write-baseline"])).toEqual({
        stdout: "",
        stderr: "codelia: baseline 'taken': it is not a regular file; name another one\n",
        exitCode: 3,
      });
      expect([lstatSync(path).ino, tree.read("repo/docs/old.json")]).toEqual([before.ino, ""]);
    });
  }
});
