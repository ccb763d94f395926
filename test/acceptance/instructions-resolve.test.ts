import { expect, test } from "bun:test";
import { ResolvedAgentsSchema } from "../../src/instructions/schema.ts";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, file, ledgerContext, NOTHING, resolveReminder, says, T0 } from "./agents-bench.ts";

// What an agent is told when it asks during its work.

function workTree(more: Record<string, Entry> = {}) {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/app/AGENTS.md": file("app\n", T0 + 1),
    "repo/lib/AGENTS.md": file("lib\n", T0 + 2),
    "repo/lib/core/AGENTS.md": file("core\n", T0 + 3),
    ...more,
  });
}

test("a target outside the cwd is resolved by the directories above it", () => {
  using tree = workTree();
  tree.codelia(["init-context"], { cwd: "repo/app" });
  const answer = says(
    resolveReminder([
      [tree.path("repo/lib/AGENTS.md"), T0 + 2],
      [tree.path("repo/lib/core/AGENTS.md"), T0 + 3],
    ]),
  );
  expect(tree.codelia(["resolve", tree.path("repo/lib/core/x.ts")], { cwd: "repo/app" })).toEqual(answer);
});

test("a target below the cwd that no directory covers is resolved", () => {
  using tree = workTree();
  tree.codelia(["init-context"]);
  expect(tree.resolve(["lib/core/x.ts"])).toEqual(["repo/lib/AGENTS.md", "repo/lib/core/AGENTS.md"]);
});

test("a covered target prints nothing", () => {
  using tree = workTree();
  tree.codelia(["init-context"], { cwd: "repo/lib/core" });
  for (const path of ["x.ts", "../x.ts", "../../x.ts"]) {
    expect(tree.codelia(["resolve", path], { cwd: "repo/lib/core" })).toEqual(NOTHING);
  }
});

test("resolve --json prints each file's path, mtime and size", () => {
  using tree = workTree();
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "--json", "lib/x.ts"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(ResolvedAgentsSchema.parse(JSON.parse(stdout))).toEqual({
    files: [
      { path: tree.path("repo/AGENTS.md"), mtimeMs: T0, sizeBytes: 5 },
      { path: tree.path("repo/lib/AGENTS.md"), mtimeMs: T0 + 2, sizeBytes: 4 },
    ],
  });
});

test("one answer holds no more than resolver.maxFilesPerResolve files", () => {
  using tree = workTree();
  tree.write("home/.codelia/config.json", JSON.stringify({ agents: { resolver: { maxFilesPerResolve: 1 } } }));
  const answers = [1, 2, 3, 4].map(() => {
    const { files } = JSON.parse(tree.codelia(["resolve", "--json", "lib/core/x.ts"]).stdout);
    return files.map(({ path }: { path: string }) => path);
  });
  expect(answers.map((paths) => paths.length)).toEqual([1, 1, 1, 0]);
  expect(new Set(answers.flat()).size).toBe(3);
});

test("only the known file whose mtime changed is returned", () => {
  using tree = workTree();
  tree.resolve(["lib/core/x.ts"]);
  tree.touch("repo/lib/AGENTS.md", T0 + 99);
  expect(tree.codelia(["resolve", "lib/core/x.ts"])).toEqual(
    says(resolveReminder([[tree.path("repo/lib/AGENTS.md"), T0 + 99, "changed"]])),
  );
});

test("no answer holds a file's text", () => {
  using tree = workTree({ "repo/secretive/AGENTS.md": file("a text that is not to be seen\n") });
  for (const args of [["resolve"], ["resolve", "--json"]]) {
    const { stdout } = tree.codelia([...args, "--no-state", "secretive/x.ts"]);
    expect(stdout).toContain("secretive/AGENTS.md");
    expect(stdout).not.toContain("not to be seen");
  }
});

test("an answer is recorded in coveredDirs and loadedVersions", () => {
  using tree = workTree();
  tree.resolve(["lib/core/x.ts"]);
  const { coveredDirs, loadedVersions } = ledgerContext(tree, "repo");
  expect(coveredDirs).toEqual(["repo", "repo/lib", "repo/lib/core"].map((path) => tree.path(path)));
  const told = Object.entries(loadedVersions).map(([path, { mtimeMs, sizeBytes }]) => [path, mtimeMs, sizeBytes]);
  expect(told.toSorted()).toEqual([
    [tree.path("repo/AGENTS.md"), T0, 5],
    [tree.path("repo/lib/AGENTS.md"), T0 + 2, 4],
    [tree.path("repo/lib/core/AGENTS.md"), T0 + 3, 5],
  ]);
});

test("an answer doesn't change the initial bundle", () => {
  using tree = workTree();
  const first = tree.bundle();
  tree.resolve(["lib/core/x.ts"]);
  expect(tree.bundle()).toEqual(first);
});
