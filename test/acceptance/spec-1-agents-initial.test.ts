import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { agentsContext, bench, file, ledgerContext, NOTHING, T0 } from "./agents-bench.ts";

// Spec 1 §5 and §7: what a session starts with, and that it stays as it is.

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

test("spec 1 §5.1: each directory from root to cwd is looked at from the top; nothing beside or below", () => {
  using tree = ladder();
  const chain = ["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/a/b/c/AGENTS.md"];
  expect(tree.bundle(["--no-state"], { cwd: "repo/a/b/c" })).toEqual(chain);
  expect(tree.bundle(["--no-state"], { cwd: "repo/a/b" })).toEqual(chain.slice(0, 2));
  expect(tree.bundle(["--no-state"])).toEqual(chain.slice(0, 1));
});

test("spec 1 §5.1: initial.maxFiles ends the bundle", () => {
  using tree = ladder();
  configure(tree, { maxFiles: 2 });
  expect(tree.bundle([], { cwd: "repo/a/b/c" })).toEqual(["repo/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("spec 1 §5.1: initial.maxBytes ends the bundle", () => {
  using tree = ladder();
  configure(tree, { maxBytes: 15 });
  const { stdout } = tree.codelia(["init-context", "--only", "agents"], { cwd: "repo/a/b/c" });
  expect(agentsContext(stdout)).toContain("0123456789\n");
  expect(agentsContext(stdout)).toContain("abcd");
  expect(agentsContext(stdout)).not.toContain("abcde");
  expect(stdout).not.toContain("ABC");
});

test("spec 1 §5.1: what the limits kept out is not counted as told", () => {
  using tree = ladder();
  configure(tree, { maxFiles: 2 });
  tree.codelia(["init-context"], { cwd: "repo/a/b/c" });
  expect(tree.resolve(["x.ts"], { cwd: "repo/a/b/c" })).toEqual(["repo/a/b/c/AGENTS.md"]);
});

test("spec 1 §5.2: the bundle is one element of exactly this shape", () => {
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

test("spec 1 §5.2: a body without a last line end changes nothing about the shape", () => {
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

test("spec 1 §5.3: the directories of the files used are the covered directories", () => {
  using tree = ladder();
  tree.codelia(["init-context"], { cwd: "repo/a/b/c" });
  const { coveredDirs, loadedVersions } = ledgerContext(tree, "repo");
  expect(coveredDirs).toEqual(["repo", "repo/a", "repo/a/b/c"].map((path) => tree.path(path)));
  expect(loadedVersions[tree.path("repo/a/AGENTS.md")]).toMatchObject({ mtimeMs: T0, sizeBytes: 11 });
});

test("spec 1 §5.3: the resolver then returns only what they do not cover", () => {
  using tree = ladder();
  tree.codelia(["init-context"], { cwd: "repo/a" });
  expect(tree.resolve(["a/b/x.ts"])).toEqual([]);
  expect(tree.resolve(["a/b/c/below/x.ts"])).toEqual(["repo/a/b/c/AGENTS.md", "repo/a/b/c/below/AGENTS.md"]);
  expect(tree.resolve(["a/sibling/x.ts"])).toEqual(["repo/a/sibling/AGENTS.md"]);
});

test("spec 1 §7: the resolver's additions carry no body, and the initial bundle stays the same", () => {
  using tree = ladder();
  const first = tree.codelia(["init-context"]).stdout;
  const { stdout } = tree.codelia(["resolve", "a/b/c/below/x.ts"]);
  expect(stdout).not.toMatch(/abcdefghij|ABCDEFGHIJ|below the cwd/);
  expect(tree.codelia(["resolve", "a/b/c/below/x.ts"])).toEqual(NOTHING);
  expect(tree.codelia(["init-context"]).stdout).toBe(first);
});

test("spec 1 §8: the five rules stand before the bundle", () => {
  using tree = ladder();
  const { stdout } = tree.codelia(["init-context"]);
  const [usage = "", after = ""] = stdout.split("</agents_usage>\n");
  expect(usage).toStartWith("<agents_usage>\n");
  expect(usage).toMatch(/every turn/);
  expect(usage).toContain("codelia resolve");
  expect(usage).toContain('type="session.resume.diff"');
  expect(usage).not.toContain("<agents_context");
  expect(after).toContain('<agents_context scope="initial">');
});
