import { expect, test } from "bun:test";
import { profile } from "../../src/clients/kilo/profile.ts";
import { diskFacts } from "../../src/clients/tree-facts.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";

// What Kilo Code does otherwise than opencode. Each was seen with 7.7.9; what the record of test/conformance has is there.

const ROOT = { "repo/.git/HEAD": "ref: refs/heads/main\n" };

/** What a session in a directory begins with: why a file is not given, and the text of those that are. */
function begin(files: Readonly<Record<string, Entry>>, cwd = "repo", touched?: string) {
  using tree = tempTree(files);
  const facts = diskFacts({ processorTime: () => 0 });
  const user = { home: tree.path("home"), env: {} };
  const reach = profile.reach(tree.path(cwd), user, facts);
  const later =
    touched === undefined
      ? []
      : profile.onTouch(tree.path(cwd), { tool: "read", path: tree.path(touched) }, user, facts);
  const named = (path: string) => path.slice(tree.root.length + 1);
  return {
    files: [...reach.files, ...later].map(({ path, status, reason }) => {
      return `${named(path)} ${status === "loaded" ? status : reason}`;
    }),
    text: profile
      .text(reach, facts)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("Instructions from: ")),
  };
}

test("rules are read after the other files: the user's, the project's, the old file, those for modes", () => {
  const { files, text } = begin({
    ...ROOT,
    "repo/AGENTS.md": "Root.\n",
    "repo/.kilo/rules/one.md": "One.\n",
    "repo/.kilo/rules/one.txt": "No rule.\n",
    "repo/.kilo/rules/deep/two.md": "No rule either.\n",
    "repo/.kilo/rules/link.md": { link: "one.md" },
    "repo/.kilocode/rules/one.md": "The same name.\n",
    "repo/.kilocode/rules/three.md": "Three.\n",
    "repo/.kilocoderules": "Old.\n",
    "repo/.kilo/rules-code/c.md": "For code.\n",
    "repo/.kilocoderules-ask": "Old for ask.\n",
    "home/.kilo/rules/mine.md": "Mine.\n",
  });
  expect(text).toEqual(["Root.", "Mine.", "One.", "Three.", "Old.", "For code.", "Old for ask."]);
  expect(files).toHaveLength(text.length);
});

test("rules of the root are not read where a session begins below it", () => {
  const files = { ...ROOT, "repo/.kilo/rules/one.md": "One.\n", "repo/sub/.kilo/rules/two.md": "Two.\n" };
  expect(begin(files, "repo/sub").text).toEqual(["Two."]);
});

test("without a repository, a file above decides on the name and is not given", () => {
  const files = { "home/": { dir: true }, "AGENTS.md": "Above.\n", "sub/CLAUDE.md": "Sub.\n" } as const;
  const { text, files: all } = begin(files, "sub");
  expect(text).toEqual([]);
  expect(all).toContain("AGENTS.md outside-root");
  expect(all).toContain("sub/CLAUDE.md earlier-name");
});

test("a link out of the project is not given, and neither is the next name", () => {
  const { files, text } = begin(
    {
      ...ROOT,
      "out.md": "Out.\n",
      "repo/AGENTS.md": { link: "../out.md" },
      "repo/CLAUDE.md": "Claude.\n",
      "repo/sub/AGENTS.md": { link: "../../out.md" },
      "repo/sub/CLAUDE.md": "Sub.\n",
    },
    "repo",
    "repo/sub/a.ts",
  );
  expect(text).toEqual([]);
  expect(files).toEqual([
    "repo/AGENTS.md link-outside-root",
    "repo/CLAUDE.md earlier-name",
    "repo/sub/AGENTS.md link-outside-root",
    "repo/sub/CLAUDE.md earlier-name",
  ]);
});

test("a file of the project takes the place of its token, and one that is missing leaves nothing", () => {
  const { files, text } = begin({
    ...ROOT,
    "repo/AGENTS.md":
      "Before {file:docs/more.md} after {file:none.md}{file:docs}.\n  // {file:docs/more.md} {env:HOME}\n{file:}\n",
    "repo/docs/more.md": "\nMore.\n\n",
  });
  expect(text).toEqual(["Before More. after .", "  // {file:docs/more.md} {env:HOME}", "{file:}"]);
  expect(files).toEqual(["repo/AGENTS.md loaded", "repo/docs/more.md loaded"]);
});

test.each(["{env:HOME}", "See\n{env:NO_SUCH}.", "{file:../out.md}", "{file:link.md}", "{file:~/mine.md}"])(
  "%j has nothing of the file given, and nothing in its place",
  (token) => {
    const { files, text } = begin({
      ...ROOT,
      "out.md": "Out.\n",
      "home/mine.md": "Mine.\n",
      "repo/link.md": { link: "../out.md" },
      "repo/AGENTS.md": `Root.\n${token}\n`,
      "repo/CLAUDE.md": "Claude.\n",
    });
    expect(text).toEqual([]);
    expect(files).toEqual(["repo/AGENTS.md refused-token", "repo/CLAUDE.md earlier-name"]);
  },
);

test("in the user's own file such tokens are allowed", () => {
  const { text } = begin({ ...ROOT, "out.md": "Out.\n", "home/.config/kilo/AGENTS.md": "{file:../../../out.md}\n" });
  expect(text).toEqual(["Out."]);
});

test("many tokens take no time", () => {
  const many = `${" ".repeat(1_000_000)}//${"{file:a}".repeat(300_000)}\n${"{env:}".repeat(300_000)}\n${"{file:a}".repeat(300_000)}${"{file:".repeat(100_000)}`;
  const { files } = begin({ ...ROOT, "repo/AGENTS.md": many });
  expect(files).toEqual(["repo/AGENTS.md loaded"]);
});
