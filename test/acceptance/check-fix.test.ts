import { describe, expect, test } from "bun:test";
import { linkSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { checkProject, runCheck } from "../support/check-project.ts";
import type { Entry } from "../support/temp-tree.ts";

// `codelia check --fix` makes the safe fixes, lists them, and makes each once.

const SEEN = "Run the tests before you commit.\n";

const REPAIRED: [what: string, files: Record<string, Entry>, said: string, after: Record<string, string>][] = [
  [
    "a name in the wrong letter case",
    { "agents.md": SEEN },
    "agents.md:1 fixed instructions-letter-case renamed to 'AGENTS.md'\n",
    { "AGENTS.md": SEEN },
  ],
  [
    "what is left of a link",
    { "AGENTS.md": SEEN, "CLAUDE.md": "AGENTS.md" },
    "CLAUDE.md:1 fixed instructions-lost-link made a link to 'AGENTS.md'\n",
    { "AGENTS.md": SEEN, "CLAUDE.md": "-> AGENTS.md" },
  ],
  [
    "characters that can't be seen",
    { "AGENTS.md": `One\u200B, \u{E0041}two.\nThree\u2066.\n` },
    "AGENTS.md:1:4 fixed instructions-invisible-characters removed invisible characters\n" +
      "AGENTS.md:2:6 fixed instructions-invisible-characters removed invisible characters\n",
    { "AGENTS.md": "One, two.\nThree.\n" },
  ],
  [
    "a name, and then what is found under the right one",
    { "agents.md": "One\u200B.\n" },
    "AGENTS.md:1:4 fixed instructions-invisible-characters removed invisible characters\n" +
      "agents.md:1 fixed instructions-letter-case renamed to 'AGENTS.md'\n",
    { "AGENTS.md": "One.\n" },
  ],
  [
    "a link whose path had characters that can't be seen",
    { "AGENTS.md": SEEN, "CLAUDE.md": "AGENTS.md\u200B\n" },
    "CLAUDE.md:1 fixed instructions-lost-link made a link to 'AGENTS.md'\n" +
      "CLAUDE.md:1:10 fixed instructions-invisible-characters removed invisible characters\n",
    { "AGENTS.md": SEEN, "CLAUDE.md": "-> AGENTS.md" },
  ],
  [
    "links that lead to one another, and to a text in the end",
    { "AGENTS.override.md": SEEN, "CLAUDE.md": "AGENTS.md", "AGENTS.md": "AGENTS.override.md" },
    "AGENTS.md:1 fixed instructions-lost-link made a link to 'AGENTS.override.md'\n" +
      "CLAUDE.md:1 fixed instructions-lost-link made a link to 'AGENTS.md'\n",
    { "AGENTS.override.md": SEEN, "AGENTS.md": "-> AGENTS.override.md", "CLAUDE.md": "-> AGENTS.md" },
  ],
  [
    "all but the word breaks of scripts that are written without spaces",
    { "AGENTS.md": "ไทย\u200B\u200Bไทย\n" },
    "AGENTS.md:1:5 fixed instructions-invisible-characters removed invisible characters\n",
    { "AGENTS.md": "ไทย\u200Bไทย\n" },
  ],
];

describe("repairs", () => {
  for (const [what, files, said, after] of REPAIRED) {
    test(what, () => {
      using tree = checkProject(files);
      expect(runCheck(tree, ["--fix"])).toEqual({
        stdout: said,
        stderr: `codelia: nothing found (${Object.keys(after).length} file${Object.keys(after).length === 1 ? "" : "s"} checked)\n`,
        exitCode: 0,
      });
      expect(contentsOf(tree.path("repo"))).toEqual(after);
      expect(runCheck(tree, ["--fix"]).stdout).toBe("");
      expect(contentsOf(tree.path("repo"))).toEqual(after);
    });
  }

  test("each file keeps its mode, and a link stays one", () => {
    using tree = checkProject({
      "docs/rules.md": { text: "One\u200B.\n", mode: 0o640 },
      "AGENTS.md": { link: "docs/rules.md" },
    });
    expect(runCheck(tree, ["--fix"]).exitCode).toBe(0);
    expect([tree.read("repo/docs/rules.md"), readlinkSync(tree.path("repo/AGENTS.md"))]).toEqual([
      "One.\n",
      "docs/rules.md",
    ]);
    expect(statSync(tree.path("repo/docs/rules.md")).mode & 0o777).toBe(0o640);
  });

  test("under --json and in annotations too", () => {
    using tree = checkProject({ "agents.md": SEEN });
    expect(runCheck(tree, ["--fix", "--format", "github"])).toEqual({
      stdout: "",
      stderr:
        "agents.md:1 fixed instructions-letter-case renamed to 'AGENTS.md'\ncodelia: nothing found (1 file checked)\n",
      exitCode: 0,
    });
    tree.write("repo/CLAUDE.md", "AGENTS.md\n");
    const { findings, fixed } = JSON.parse(runCheck(tree, ["--fix", "--json"]).stdout);
    expect([findings, fixed.map(({ rule }: { rule: string }) => rule)]).toEqual([[], ["instructions-lost-link"]]);
  });
});

const TWICE = ["instructions-letter-case", "instructions-letter-case"];
const LOST = "instructions-lost-link";
const LEFT: [what: string, files: Record<string, Entry>, ...rules: string[]][] = [
  ["a name that a link goes by", { "agents.md": SEEN, "CLAUDE.md": { link: "agents.md" } }, "instructions-letter-case"],
  [
    "a name that another link goes by",
    { "agents.md": SEEN, "rules.txt": { link: "agents.md" } },
    "instructions-letter-case",
  ],
  ["a name that an import goes by", { "agents.md": SEEN, "CLAUDE.md": "@agents.md\n" }, "instructions-letter-case"],
  [
    "a name that a link in a text goes by",
    { "agents.md": SEEN, "CLAUDE.md": "See [the rules](./agents.md#tests).\n" },
    "instructions-letter-case",
  ],
  ["what is no regular file", { "agents.md/x.txt": "" }, "instructions-letter-case"],
  ["two names in the wrong letter case", { "agents.md": SEEN, "Agents.md": "Others.\n" }, ...TWICE],
  ["two that lead to each other", { "AGENTS.md": "CLAUDE.md\n", "CLAUDE.md": "AGENTS.md\n" }, LOST, LOST],
  ["what a link leads back to", { "AGENTS.md": { link: "CLAUDE.md" }, "CLAUDE.md": "AGENTS.md\n" }, LOST],
  ["a name that is taken", { "AGENTS.md": SEEN, "agents.md": "Others.\n" }, "instructions-letter-case"],
  ["a path that leads nowhere", { "CLAUDE.md": "docs/rules.md" }, "instructions-lost-link"],
  ["a path that leads out", { "CLAUDE.md": "../../etc/rules.md" }, "instructions-lost-link"],
  [
    "marks of direction in a text that needs them",
    { "AGENTS.md": "שלום \u202Bעולם\u202C.\n" },
    "instructions-invisible-characters",
  ],
  [
    "characters in a block of code",
    { "AGENTS.md": '```\nprintf "a\u200B"\n```\n' },
    "instructions-invisible-characters",
  ],
  ["control characters", { "AGENTS.md": "A bell\u0007.\n" }, "instructions-invisible-characters"],
  [
    "a text that is no UTF-8",
    { "AGENTS.md": new Uint8Array([0x41, 0xe2, 0x80, 0x8b, 0xff, 0x0a]) },
    "instructions-invisible-characters",
  ],
];

describe("leaves as it is", () => {
  for (const [what, files, ...rules] of LEFT) {
    test(what, () => {
      using tree = checkProject(files);
      const before = contentsOf(tree.path("repo"));
      const { findings, fixed } = JSON.parse(runCheck(tree, ["--fix", "--json"]).stdout);
      expect([findings.map((found: { rule: string }) => found.rule), fixed]).toEqual([rules, []]);
      expect(contentsOf(tree.path("repo"))).toEqual(before);
    });
  }
});

test("a name stays that a file imports which is renamed itself, and what to do is said", () => {
  using tree = checkProject({ "agents.md": SEEN, "claude.md": "@agents.md\n" });
  expect(runCheck(tree, ["--fix"])).toEqual({
    stdout: `claude.md:1 fixed instructions-letter-case renamed to 'CLAUDE.md'
agents.md:1 warning instructions-letter-case on most systems clients look for 'AGENTS.md', and don't find it by this name; rename it, and correct 'CLAUDE.md', which calls it by this name
`,
    stderr: "codelia: 1 warning (1 file checked)\n",
    exitCode: 0,
  });
});

test("a file with a further name keeps it, and its text", () => {
  using tree = checkProject({ "AGENTS.md": "One\u200B.\n" });
  linkSync(tree.path("repo/AGENTS.md"), tree.path("repo/other.md"));
  const { stderr } = runCheck(tree, ["--fix"]);
  expect(stderr).toContain("can't be repaired: it has a further name (a hard link), which would keep the old text\n");
  expect(statSync(tree.path("repo/AGENTS.md")).ino).toBe(statSync(tree.path("repo/other.md")).ino);
});

test("a baseline is not written while repairs are asked for", () => {
  using tree = checkProject({ "agents.md": SEEN });
  expect(runCheck(tree, ["--fix", "--baseline", "b.json", "--write-baseline"])).toEqual({
    stdout: "",
    stderr: "codelia: '--write-baseline' would record what '--fix' can fix: run 'codelia check --fix' first, alone\n",
    exitCode: 64,
  });
});

/** The contents of a directory: texts, and links as `-> target`. */
function contentsOf(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => name !== ".git" && name !== ".codelia");
  return Object.fromEntries(
    names.map((name) => {
      const path = `${directory}/${name}`;
      const stats = lstatSync(path);
      if (stats.isDirectory()) return [name, "a directory"];
      return [name, stats.isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, "utf8")];
    }),
  );
}
