import { describe, expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { checkProject, runCheck } from "../support/check-project.ts";
import type { Entry } from "../support/temp-tree.ts";

// `codelia check --fix`: what is sure is repaired, said, and done once.

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
    "AGENTS.md:1:4 fixed instructions-invisible-characters removed characters that can't be seen\n" +
      "AGENTS.md:2:6 fixed instructions-invisible-characters removed characters that can't be seen\n",
    { "AGENTS.md": "One, two.\nThree.\n" },
  ],
];

describe("repairs", () => {
  for (const [what, files, said, after] of REPAIRED) {
    test(what, () => {
      using tree = checkProject(files);
      expect(runCheck(tree, ["--fix"])).toEqual({
        stdout: said,
        stderr: `codelia: nothing found in ${Object.keys(after).length} file${Object.keys(after).length === 1 ? "" : "s"}\n`,
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
      stderr: "agents.md:1 fixed instructions-letter-case renamed to 'AGENTS.md'\ncodelia: nothing found in 1 file\n",
      exitCode: 0,
    });
    tree.write("repo/CLAUDE.md", "AGENTS.md\n");
    const { findings, fixed } = JSON.parse(runCheck(tree, ["--fix", "--json"]).stdout);
    expect([findings, fixed.map(({ rule }: { rule: string }) => rule)]).toEqual([[], ["instructions-lost-link"]]);
  });
});

const LEFT: [what: string, files: Record<string, Entry>, rule: string][] = [
  ["a name that is taken", { "AGENTS.md": SEEN, "agents.md": "Others.\n" }, "instructions-letter-case"],
  ["a path that leads nowhere", { "CLAUDE.md": "docs/rules.md" }, "instructions-lost-link"],
  ["a path that leads out", { "CLAUDE.md": "../../etc/rules.md" }, "instructions-lost-link"],
  [
    "marks of direction in a text that needs them",
    { "AGENTS.md": "שלום \u202Bעולם\u202C.\n" },
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
  for (const [what, files, rule] of LEFT) {
    test(what, () => {
      using tree = checkProject(files);
      const before = contentsOf(tree.path("repo"));
      const { findings, fixed } = JSON.parse(runCheck(tree, ["--fix", "--json"]).stdout);
      expect([findings.map((found: { rule: string }) => found.rule), fixed]).toEqual([[rule], []]);
      expect(contentsOf(tree.path("repo"))).toEqual(before);
    });
  }
});

/** What stands in a directory: texts, and links as `-> target`. */
function contentsOf(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => name !== ".git" && name !== ".codelia");
  return Object.fromEntries(
    names.map((name) => {
      const path = `${directory}/${name}`;
      return [name, lstatSync(path).isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, "utf8")];
    }),
  );
}
