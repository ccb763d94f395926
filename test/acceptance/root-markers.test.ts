import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { bench, file } from "./agents-bench.ts";

// The root by markers and by overrides. Which of them wins is in root.test.ts.

test("CODELIA_AGENTS_ROOT names the root, CODELIA_AGENTS_MARKERS a comma-separated list of markers", () => {
  using tree = bench({
    "repo/AGENTS.md": file("top\n"),
    "repo/a/mark-one": "",
    "repo/a/AGENTS.md": file("a\n"),
    "repo/a/b/mark-two": "",
    "repo/a/b/AGENTS.md": file("b\n"),
    "repo/a/b/c/AGENTS.md": file("c\n"),
  });
  const cwd = "repo/a/b/c";
  const bundle = (env: Record<string, string>) => tree.bundle(["--no-state"], { cwd, env });
  expect(bundle({ CODELIA_AGENTS_MARKERS: "mark-one" })).toHaveLength(3);
  expect(bundle({ CODELIA_AGENTS_MARKERS: "mark-one,mark-two" })).toHaveLength(2);
  expect(bundle({ CODELIA_AGENTS_MARKERS: " mark-two , absent " })).toHaveLength(2);
  expect(bundle({ CODELIA_AGENTS_ROOT: tree.path("repo") })).toHaveLength(4);
});

test("an override is the root, whatever markers exist", () => {
  using tree = bench({
    "repo/AGENTS.md": file("top\n"),
    "repo/a/AGENTS.md": file("a\n"),
    "repo/a/b/.git/": dir,
    "repo/a/b/AGENTS.md": file("b\n"),
  });
  const env = { CODELIA_AGENTS_ROOT: tree.path("repo") };
  expect(tree.bundle([], { cwd: "repo/a/b", env })).toEqual([
    "repo/AGENTS.md",
    "repo/a/AGENTS.md",
    "repo/a/b/AGENTS.md",
  ]);
});

for (const marker of [".codelia", ".git", ".jj"]) {
  test(`by default, the first ancestor with '${marker}' is the root`, () => {
    using tree = bench({
      [`${marker}/`]: dir,
      "AGENTS.md": file("a further ancestor's\n"),
      [`repo/${marker}/`]: dir,
      "repo/AGENTS.md": file("top\n"),
      "repo/a/b/AGENTS.md": file("b\n"),
    });
    expect(tree.bundle([], { cwd: "repo/a/b" })).toEqual(["repo/AGENTS.md", "repo/a/b/AGENTS.md"]);
  });
}

test("the nearest marked directory wins over the order of the markers; the cwd counts", () => {
  using tree = bench({
    "repo/.codelia/": dir,
    "repo/AGENTS.md": file("top\n"),
    "repo/a/.jj/": dir,
    "repo/a/AGENTS.md": file("a\n"),
  });
  expect(tree.bundle([], { cwd: "repo/a" })).toEqual(["repo/a/AGENTS.md"]);
});

test("without a marker the root is the cwd", () => {
  using tree = bench({ "repo/AGENTS.md": file("top\n"), "repo/a/AGENTS.md": file("a\n") });
  expect(tree.bundle([], { cwd: "repo/a" })).toEqual(["repo/a/AGENTS.md"]);
});

test("the default markers are .codelia, .git, .jj", () => {
  using tree = bench({});
  const { values } = JSON.parse(tree.codelia(["config", "--json"]).stdout);
  expect(values).toContainEqual({ key: "agents.root.markers", value: [".codelia", ".git", ".jj"], source: "default" });
});

test("the global settings directory doesn't mark the home directory", () => {
  using tree = bench({
    "home/.codelia/config.json": "{}\n",
    "home/.config/codelia/unrelated": "",
    "home/AGENTS.md": file("not for the project below\n"),
    "home/project/AGENTS.md": file("project\n"),
  });
  expect(tree.bundle([], { cwd: "home/project" })).toEqual(["home/project/AGENTS.md"]);
});

test("CODELIA_SANDBOX_ROOT doesn't change the root", () => {
  using tree = bench({
    "repo/AGENTS.md": file("top\n"),
    "repo/a/.git/": dir,
    "repo/a/AGENTS.md": file("a\n"),
    "repo/a/b/AGENTS.md": file("b\n"),
  });
  for (const sandbox of ["repo", "repo/a/b", "absent"]) {
    const env = { CODELIA_SANDBOX_ROOT: tree.path(sandbox) };
    expect(tree.bundle(["--no-state"], { cwd: "repo/a/b", env })).toEqual(["repo/a/AGENTS.md", "repo/a/b/AGENTS.md"]);
  }
});
