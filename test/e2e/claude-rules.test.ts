import { describe, expect, test } from "bun:test";
import { profile } from "../../src/clients/claude/profile.ts";
import { diskFacts } from "../../src/clients/tree-facts.ts";
import { tempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { edit, read } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { countSeen } from "./lib/seen.ts";

// With which files Claude Code loads a rule: what its model got, and what our profile of it says.

/** As they stand behind `paths:`, and whether a rule comes with `sub/deep/c.txt`. */
const PATTERNS: readonly (readonly [paths: string, isLoaded: boolean])[] = [
  ["'**/*.TXT'", true],
  ["'{sub,lib}/**/*.txt'", true],
  ["{lib,sub}/**/*.txt", true],
  ["a/**, sub/**", true],
  ["deep/**", true],
  ["deep", true],
  ["/deep/**", false],
  ["sub/deep/", true],
  ["'*'", true],
  ["'**/*'", true],
  ["sub/deep/?.txt", true],
  ["sub/deep/[a-c].txt", true],
  ["['**/*.txt', '!sub/deep/c.txt']", false],
  ["['sub/deep/*.txt']", true],
  ["'#x'", false],
  ["['!x']", false],
  ["'sub/deep/*.@(txt|md)'", false],
  ["./sub/**", false],
  ["'../**'", false],
  ['\n  - lib\n  - "sub/**/*.txt"', true],
  ["\n  - 'sub/{deep,{x,y}}/*.txt'", false],
  ["'sub/deep/{b..d}.txt'", false],
];

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code and our profile of it agree on", () => {
  test(
    "the patterns of rules",
    async () => {
      const rules = PATTERNS.map(([paths], index) => [
        `.claude/rules/${index}.md`,
        `---\npaths: ${paths}\n---\nRule ${index}.\n`,
      ]);
      using tree = tempTree({
        ".git/HEAD": "ref: refs/heads/main\n",
        "sub/deep/c.txt": "x\n",
        ...Object.fromEntries(rules),
      });
      const path = tree.path("sub/deep/c.txt");
      const run = await runClaude({ prompt: "Go.", tree, script: { main: [{ toolUses: [read(path)] }] } });
      const files = profile.onTouch(tree.root, { tool: "Read", path }, userAt("/nowhere"), facts());
      const loaded = new Set(files.flatMap((file) => (file.status === "loaded" ? file.path : [])));
      const got = PATTERNS.map(([paths], index) => [
        paths,
        countSeen(run, `Rule ${index}.`).at(-1) === 1,
        loaded.has(tree.path(`.claude/rules/${index}.md`)),
      ]);
      expect(got).toEqual(PATTERNS.map(([paths, isLoaded]) => [paths, isLoaded, isLoaded]));
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "the user's rules, those of directories further down, and those for a file elsewhere",
    async () => {
      using tree = tempTree({
        ".git/HEAD": "ref: refs/heads/main\n",
        ".claude/rules/all.md": rule("**/*.txt"),
        "sub/.claude/rules/here.md": rule("deep/*.txt"),
        "sub/.claude/rules/from-root.md": rule("sub/deep/*.txt"),
        "sub/.claude/rules/always.md": "Rule always.\n",
        "sub/deep/c.txt": "x\n",
        "other/o.txt": "x\n",
        "other/CLAUDE.md": "Memory of other.\n",
      });
      using home = tempTree({ ".claude/rules/user.md": rule("deep/**"), ".claude/rules/no.md": rule("sub/deep/**") });
      const cwd = tree.path("sub");
      const calls = [
        edit(tree.path("other/o.txt"), "x", "y"),
        read(tree.path("other/o.txt")),
        edit(tree.path("sub/deep/c.txt"), "x", "y"),
      ];
      const run = await runClaude({
        prompt: "Go.",
        tree,
        home,
        cwd,
        script: { main: calls.map((call) => ({ toolUses: [call] })) },
      });
      const names = ["all", "user", "no"].map((name) => `.claude/rules/${name}.md`);
      const further = ["here", "from-root"].map((name) => `sub/.claude/rules/${name}.md`);
      const paths = [...names, ...further, "other/CLAUDE.md"].flatMap((name) => [tree.path(name), home.path(name)]);
      const seen = calls.map((_, index) =>
        paths.filter((path) => (countSeen(run, `Contents of ${path}`)[index + 1] ?? 0) > 0),
      );
      const said = calls.map(({ name: tool, input }) =>
        profile
          .onTouch(cwd, { tool, path: String((input as { file_path: string }).file_path) }, userAt(home.root), facts())
          .flatMap((file) => (file.status === "loaded" ? file.path : [])),
      );
      expect(said.map((files) => files.toSorted())).toEqual(seen.map((files) => files.toSorted()));
      expect(said[2]).toHaveLength(3);
    },
    TEST_TIMEOUT_MS,
  );
});

function rule(paths: string): string {
  return `---\npaths: "${paths}"\n---\nRule for ${paths}.\n`;
}

function userAt(home: string) {
  return { home, env: {} };
}

function facts() {
  return diskFacts({ processorTime: () => 0 });
}
