import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dir } from "../support/temp-tree.ts";
import { bench, file, NOTHING, resolveReminder, says, T0, type Bench } from "./agents-bench.ts";

// What resolve prints, in which form, and what it records for the next call.

/** Ten files on one ladder: repo/AGENTS.md, repo/1/AGENTS.md, … repo/1/2/3/4/5/6/7/8/9/AGENTS.md. */
const RUNGS = Array.from({ length: 10 }, (_, depth) =>
  ["repo", ...Array.from({ length: depth }, (_unused, index) => `${index + 1}`), "AGENTS.md"].join("/"),
);
const DEEPEST = "1/2/3/4/5/6/7/8/9/x.ts";

function deepTree(): Bench {
  return bench({ "repo/.git/": dir, ...Object.fromEntries(RUNGS.map((path) => [path, file("text\n")])) });
}

function smallTree(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.md": file("a\n"),
    "repo/b/AGENTS.md": file("b\n"),
    "repo/with\nnewline/AGENTS.md": file("n\n"),
  });
}

test("resolve: what remains pending for one path is told for any path it applies to", () => {
  using tree = deepTree();
  tree.codelia(["resolve", DEEPEST]);
  expect(tree.resolve(["x.ts"])).toEqual(["repo/AGENTS.md"]);
  expect(tree.resolve([DEEPEST])).toEqual(["repo/1/AGENTS.md"]);
});

test("resolve: a vanished file that --json --quiet had no place for is not lost", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  tree.remove("repo/a/AGENTS.md");
  const quiet = tree.codelia(["resolve", "--json", "--quiet", "a/x.ts"]);
  const next = tree.codelia(["resolve", "a/x.ts"]);
  expect(quiet.stderr + next.stdout).toContain(tree.path("repo/a/AGENTS.md"));
});

test("resolve: a new size under the same mtime is a new version", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  tree.write("repo/a/AGENTS.md", "a and more\n");
  tree.touch("repo/a/AGENTS.md", T0);
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(
    says(resolveReminder([[tree.path("repo/a/AGENTS.md"), T0, "changed"]])),
  );
  expect(tree.codelia(["resolve", "a/x.ts"])).toEqual(NOTHING);
});

test("resolve: several paths at once are one answer: each file once, root first", () => {
  using tree = smallTree();
  expect(tree.resolve(["b/x.ts", "a/x.ts", "a/y.ts", "."])).toEqual([
    "repo/AGENTS.md",
    "repo/a/AGENTS.md",
    "repo/b/AGENTS.md",
  ]);
  expect(tree.resolve(["b/x.ts", "a/x.ts"])).toEqual([]);
});

for (const [how, stdin] of [
  ["a line each", "a/x.ts\nb/x.ts\n"],
  ["a line each, the last without an end", "a/x.ts\nb/x.ts"],
  ["a line each, from Windows", "a/x.ts\r\nb/x.ts\r\n"],
  ["with blank lines", "\n\na/x.ts\n\nb/x.ts\n\n"],
  ["NUL-separated", "a/x.ts\0b/x.ts\0"],
  ["NUL-separated, the last without an end", "a/x.ts\0b/x.ts"],
] as const) {
  test(`resolve: paths on standard input, ${how}`, () => {
    using tree = smallTree();
    expect(tree.resolve(["-"], { stdin })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/b/AGENTS.md"]);
  });
}

test("resolve: NUL lets a path hold a newline; paths may stand beside '-'; no path on stdin is no error", () => {
  using tree = smallTree();
  expect(tree.resolve(["--no-state", "-"], { stdin: "with\nnewline/x\0a/x\0" })).toEqual([
    "repo/AGENTS.md",
    "repo/a/AGENTS.md",
    "repo/with\nnewline/AGENTS.md",
  ]);
  expect(tree.resolve(["--no-state", "b/x", "-"], { stdin: "a/x\n" })).toHaveLength(3);
  expect(tree.codelia(["resolve", "-"], { stdin: "" })).toEqual(NOTHING);
  expect(tree.codelia(["resolve", "--json", "-"], { stdin: "\n" })).toEqual(says('{"files":[]}\n'));
});

test("resolve: ten thousand paths on stdin are one answer", () => {
  using tree = smallTree();
  const stdin = Array.from({ length: 10_000 }, (_, index) => `${index % 2 === 0 ? "a" : "b"}/new-${index}/x.ts\n`);
  expect(tree.resolve(["-"], { stdin: stdin.join("") })).toHaveLength(3);
});

test("resolve: --no-state neither reads nor writes the ledger", () => {
  using tree = smallTree();
  const all = ["repo/AGENTS.md", "repo/a/AGENTS.md"];
  expect(tree.resolve(["--no-state", "a/x.ts"])).toEqual(all);
  for (const args of [["init-context"], ["resume-diff"], ["trim", "--max-bytes", "1"]]) {
    expect(tree.codelia([...args, "--no-state"], { stdin: "long enough" }).exitCode).toBe(0);
  }
  expect(existsSync(tree.path("repo/.codelia"))).toBeFalse();
  expect(existsSync(tree.path("home/.local"))).toBeFalse();
  expect(tree.resolve(["a/x.ts"])).toEqual(all);
  const ledger = tree.read("repo/.codelia/session.json");
  expect(tree.resolve(["--no-state", "a/x.ts", "b/x.ts"])).toHaveLength(3);
  expect(tree.read("repo/.codelia/session.json")).toBe(ledger);
});

test("resolve: a call with nothing new writes nothing", () => {
  using tree = smallTree();
  tree.resolve(["a/x.ts"]);
  const ledger = tree.read("repo/.codelia/session.json");
  tree.codelia(["resolve", "a/x.ts"]);
  tree.codelia(["resume-diff"]);
  expect(tree.read("repo/.codelia/session.json")).toBe(ledger);
});
