import { expect, test } from "bun:test";
import { consoleBlocks } from "./console-blocks.ts";

test("consoleBlocks() finds the console blocks, and where they stand", () => {
  const markdown = ["# Title", "```console", "$ one", "out", "```", "text", "~~~console", "$ two", "~~~", ""].join(
    "\n",
  );
  expect(consoleBlocks(markdown, "a.md")).toEqual([
    { file: "a.md", line: 3, lines: ["$ one", "out"] },
    { file: "a.md", line: 8, lines: ["$ two"] },
  ]);
});

test("consoleBlocks() reads the comments above a block, and only those", () => {
  const markdown = [
    "<!-- tree: far-away -->",
    "text",
    "<!-- tree: demo -->",
    "<!-- cwd: repo -->",
    "<!-- a note: of no concern -->",
    "<!-- work in progress -->",
    "",
    "<!-- work: /home/me/demo -->",
    "<!-- exits: 1 -->",
    "<!-- varies: 0.1 s -->",
    "<!-- varies: 31 ms -->",
    "<!-- skip: needs a network -->",
    "",
    "```console",
    "$ one",
    "```",
  ].join("\n");
  expect(consoleBlocks(markdown, "a.md")).toEqual([
    {
      file: "a.md",
      line: 15,
      lines: ["$ one"],
      tree: "demo",
      cwd: "repo",
      work: "/home/me/demo",
      exits: "1",
      varies: ["31 ms", "0.1 s"],
      skip: "needs a network",
    },
  ]);
});

test("consoleBlocks() joins a block with the one that it continues", () => {
  const first = ["<!-- tree: demo -->", "```console", "$ one", "out", "$ two", "```"];
  const second = ["Then", "", "<!-- continues: above -->", "<!-- exits: 1 -->", "", "```console", "$ three", "```"];
  expect(consoleBlocks([...first, ...second].join("\n"), "a.md")).toEqual([
    { file: "a.md", line: 3, lines: ["$ one", "out", "$ two", "$ three"], tree: "demo", exits: "0 0 1", varies: [] },
  ]);
});

test("consoleBlocks() takes off the indent of a block in a list", () => {
  const markdown = ["- item", "", "  ```console", "  $ one", "    out", "", "  ```", ""].join("\n");
  expect(consoleBlocks(markdown, "a.md")[0]?.lines).toEqual(["$ one", "  out", ""]);
});

test("consoleBlocks() passes over blocks that show something else", () => {
  const markdown = [
    "````md",
    "```console",
    "$ one",
    "```",
    "````",
    "```text",
    "$ two",
    "```",
    "```sh",
    "three",
    "```",
  ].join("\n");
  expect(consoleBlocks(markdown, "a.md")).toEqual([]);
});

const REFUSED: [name: string, lines: string[], complaint: string][] = [
  ["a skip without a reason", ["<!-- skip -->", "```console", "$ one", "```"], "a.md:2: 'skip' says nothing"],
  ["a skip with an empty reason", ["<!-- skip:  -->", "```console", "$ one", "```"], "a.md:2: 'skip' says nothing"],
  ["another place than the repository", ["<!-- cwd: / -->", "```console", "$ one", "```"], "a.md:2: cwd can be 'repo'"],
  ["a block that is not closed", ["```console", "$ one"], "a.md:1: a block that is not closed"],
  ["a console block without a command", ["```console", "out", "```"], "a.md:1: a console block without a command"],
  ["a session that would not be played", ["```bash", "$ one", "```"], "a.md:1: a session must be a console block"],
  ["a mark for standard error", ["```console", "$ one", "2> out", "```"], "a.md:3: show what a terminal shows"],
  ["an exit code as a line", ["```console", "$ one", "[exit 1]", "```"], "a.md:3: show what a terminal shows"],
  ["a placeholder of the tests", ["```console", "$ one", "ran {any} s", "```"], "a.md:3: show what a terminal shows"],
  ["a session in a block of no language", ["```", "$ one", "```"], "a.md:1: a session must be a console block"],
];
for (const [name, lines, complaint] of REFUSED) {
  test(`consoleBlocks() refuses ${name}`, () => {
    expect(() => consoleBlocks(lines.join("\n"), "a.md")).toThrow(complaint);
  });
}
