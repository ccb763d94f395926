import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { agentsContext, bench, file, ledgerContext, NOTHING, T0 } from "./agents-bench.ts";

// The bundle that a session starts with.

function ladder() {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("0123456789\n"),
    "repo/a/AGENTS.md": file("abcdefghij\n"),
    "repo/a/b/c/AGENTS.md": file("ABCDEFGHIJ\n"),
    "repo/a/b/c/below/AGENTS.md": file("below the cwd\n"),
    "repo/a/sibling/AGENTS.md": file("beside the way\n"),
  });
}

function configure(tree: ReturnType<typeof bench>, initial: Record<string, unknown>): void {
  tree.write("home/.codelia/config.json", JSON.stringify({ agents: { initial } }));
}

test("the bundle holds the files from the root down to the cwd, and none beside or below", () => {
  using tree = ladder();
  const chain = ["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/a/b/c/AGENTS.md"];
  expect(tree.bundle(["--no-state"], { cwd: "repo/a/b/c" })).toEqual(chain);
  expect(tree.bundle(["--no-state"], { cwd: "repo/a/b" })).toEqual(chain.slice(0, 2));
  expect(tree.bundle(["--no-state"])).toEqual(chain.slice(0, 1));
});

test("initial.maxFiles ends the bundle", () => {
  using tree = ladder();
  configure(tree, { maxFiles: 2 });
  expect(tree.bundle([], { cwd: "repo/a/b/c" })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("initial.maxBytes ends the bundle", () => {
  using tree = ladder();
  configure(tree, { maxBytes: 15 });
  const { stdout } = tree.codelia(["init-context", "--only", "agents"], { cwd: "repo/a/b/c" });
  expect(agentsContext(stdout)).toContain("0123456789\n");
  expect(agentsContext(stdout)).toContain("abcd");
  expect(agentsContext(stdout)).not.toContain("abcde");
  expect(stdout).not.toContain("ABC");
});

test("files over a limit of the bundle were named with it, so they aren't named again", () => {
  using tree = ladder();
  configure(tree, { maxFiles: 2 });
  tree.codelia(["init-context"], { cwd: "repo/a/b/c" });
  expect(tree.resolve(["x.ts"], { cwd: "repo/a/b/c" })).toEqual([]);
  tree.touch("repo/a/b/c/AGENTS.md", T0 + 5);
  expect(tree.resolve(["x.ts"], { cwd: "repo/a/b/c" })).toEqual(["repo/a/b/c/AGENTS.md"]);
});

test("the bundle is one element of exactly this shape", () => {
  using tree = ladder();
  const { stdout } = tree.codelia(["init-context"], { cwd: "repo/a" });
  expect(agentsContext(stdout)).toBe(
    [
      '<agents_context scope="initial">',
      `Instructions from: ${tree.path("repo/AGENTS.md")}`,
      "0123456789",
      "",
      `Instructions from: ${tree.path("repo/a/AGENTS.md")}`,
      "abcdefghij",
      "</agents_context>",
    ].join("\n"),
  );
  expect(stdout.match(/<agents_context/g)).toHaveLength(1);
});

test("a text without a final newline doesn't change the shape of the bundle", () => {
  using tree = bench({ "repo/.git/": dir, "repo/AGENTS.md": file("one"), "repo/a/AGENTS.md": file("two") });
  expect(agentsContext(tree.codelia(["init-context"], { cwd: "repo/a" }).stdout)).toBe(
    [
      '<agents_context scope="initial">',
      `Instructions from: ${tree.path("repo/AGENTS.md")}`,
      "one",
      "",
      `Instructions from: ${tree.path("repo/a/AGENTS.md")}`,
      "two",
      "</agents_context>",
    ].join("\n"),
  );
});

test("the directories of the files in the bundle are covered", () => {
  using tree = ladder();
  tree.codelia(["init-context"], { cwd: "repo/a/b/c" });
  const { coveredDirs, loadedVersions } = ledgerContext(tree, "repo");
  expect(coveredDirs).toEqual(["repo", "repo/a", "repo/a/b/c"].map((path) => tree.path(path)));
  expect(loadedVersions[tree.path("repo/a/AGENTS.md")]).toMatchObject({ mtimeMs: T0, sizeBytes: 11 });
});

test("resolve returns only what the bundle doesn't cover", () => {
  using tree = ladder();
  tree.codelia(["init-context"], { cwd: "repo/a" });
  expect(tree.resolve(["a/b/x.ts"])).toEqual([]);
  expect(tree.resolve(["a/b/c/below/x.ts"])).toEqual(["repo/a/b/c/AGENTS.md", "repo/a/b/c/below/AGENTS.md"]);
  expect(tree.resolve(["a/sibling/x.ts"])).toEqual(["repo/a/sibling/AGENTS.md"]);
});

test("a reminder has no file's text, and the bundle stays the same", () => {
  using tree = ladder();
  const first = tree.codelia(["init-context"]).stdout;
  const { stdout } = tree.codelia(["resolve", "a/b/c/below/x.ts"]);
  expect(stdout).not.toMatch(/abcdefghij|ABCDEFGHIJ|below the cwd/);
  expect(tree.codelia(["resolve", "a/b/c/below/x.ts"])).toEqual(NOTHING);
  expect(tree.codelia(["init-context"]).stdout).toBe(first);
});

test("the usage rules come before the bundle", () => {
  using tree = ladder();
  const { stdout } = tree.codelia(["init-context"]);
  const [usage = "", after = ""] = stdout.split("</agents_usage>\n");
  expect(usage).toStartWith("<agents_usage>\n");
  expect(usage).toContain("Don't search for more");
  expect(usage).toContain("codelia resolve");
  expect(usage).toContain("session.resume.diff");
  expect(usage).not.toContain("<agents_context");
  expect(after).toContain('<agents_context scope="initial">');
});

test("a start and the resolver choose the same files", () => {
  using tree = bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.md": file("hidden\n"),
    "repo/a/AGENTS.override.md": file("override\n"),
    "repo/a/b/AGENTS.md": file(" \n"),
    "repo/a/b/c/AGENTS.md": { link: "rules.md" },
    "repo/a/b/c/rules.md": file("linked\n"),
    "repo/a/b/c/node_modules/AGENTS.md": file("not ours\n"),
  });
  for (const cwd of ["repo", "repo/a", "repo/a/b", "repo/a/b/c", "repo/a/b/c/node_modules"]) {
    expect(tree.resolve(["--no-state", "x.ts"], { cwd })).toEqual(tree.bundle(["--no-state"], { cwd }));
  }
});
