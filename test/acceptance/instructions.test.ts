import { expect, test } from "bun:test";
import { agentsContext, bench, file, NOTHING, resolveReminder, says, T0 } from "./agents-bench.ts";

// Instruction files during a session: the bundle, then reminders. Details are in instructions-*.test.ts.

function nestedRepository() {
  return bench({
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": file("Rules of the root.\n"),
    "repo/packages/README.md": "no instructions here\n",
    "repo/packages/foo/AGENTS.md": file("Rules of foo.\n", T0 + 1000),
    "repo/packages/foo/x.ts": "",
    "repo/packages/bar/AGENTS.md": file("Rules of bar.\n", T0 + 2000),
    "repo/packages/bar/deep/AGENTS.md": file("Rules of deep.\n", T0 + 3000),
    "repo/packages/bar/deep/y.ts": "",
    "repo/packages/bar/deep/z.ts": "",
  });
}

test("the bundle prints the files from root to cwd in order, each once", () => {
  using tree = nestedRepository();
  const { stdout, stderr, exitCode } = tree.codelia(["init-context"], { cwd: "repo/packages/foo" });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(agentsContext(stdout).split("\n")).toEqual([
    '<agents_context scope="initial">',
    `Instructions from: ${tree.path("repo/AGENTS.md")}`,
    "Rules of the root.",
    "",
    `Instructions from: ${tree.path("repo/packages/foo/AGENTS.md")}`,
    "Rules of foo.",
    "</agents_context>",
  ]);
  expect(stdout.split("Rules of the root.")).toHaveLength(2);
  expect(tree.codelia(["resolve", "x.ts"], { cwd: "repo/packages/foo" })).toEqual(NOTHING);
});

test("a file elsewhere adds the path and mtime of the files above it, and nothing else", () => {
  using tree = nestedRepository();
  tree.codelia(["init-context"], { cwd: "repo/packages/foo" });
  expect(tree.codelia(["resolve", "../bar/deep/y.ts"], { cwd: "repo/packages/foo" })).toEqual(
    says(
      resolveReminder([
        [tree.path("repo/packages/bar/AGENTS.md"), T0 + 2000],
        [tree.path("repo/packages/bar/deep/AGENTS.md"), T0 + 3000],
      ]),
    ),
  );
});

test("a second file in the same place adds nothing", () => {
  using tree = nestedRepository();
  tree.codelia(["init-context"]);
  expect(tree.resolve(["packages/bar/deep/y.ts"])).toEqual([
    "repo/packages/bar/AGENTS.md",
    "repo/packages/bar/deep/AGENTS.md",
  ]);
  for (const path of ["y.ts", "z.ts", "new.ts", ".", "../y.ts", "new-directory/w.ts"]) {
    expect(tree.codelia(["resolve", `packages/bar/deep/${path}`])).toEqual(NOTHING);
  }
});

test("the bundle is the same in every turn", () => {
  using tree = nestedRepository();
  const first = tree.codelia(["init-context"]);
  for (const path of ["packages/foo/x.ts", "packages/bar/deep/y.ts"]) {
    expect(tree.codelia(["resolve", path]).stdout).not.toContain("<agents_context");
    expect(tree.codelia(["init-context", "--no-state"])).toEqual(first);
  }
  expect(tree.codelia(["resume-diff"]).stdout).not.toContain("<agents_context");
  expect(tree.codelia(["init-context"])).toEqual(first);
});

test("projectRootOverride and markers decide the root", () => {
  using tree = bench({
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": file("outermost\n"),
    "repo/a/package.json": "{}\n",
    "repo/a/AGENTS.md": file("middle\n"),
    "repo/a/b/AGENTS.md": file("inner\n"),
  });
  const cwd = "repo/a/b";
  const [outermost, middle, inner] = ["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/a/b/AGENTS.md"] as const;
  expect(tree.bundle(["--no-state"], { cwd })).toEqual([outermost, middle, inner]);
  const markers = { CODELIA_AGENTS_MARKERS: "package.json" };
  expect(tree.bundle(["--no-state"], { cwd, env: markers })).toEqual([middle, inner]);
  const override = { ...markers, CODELIA_AGENTS_ROOT: tree.path("repo/a/b") };
  expect(tree.bundle(["--no-state"], { cwd, env: override })).toEqual([inner]);
  tree.write("home/.codelia/config.json", JSON.stringify({ agents: { root: { markers: ["package.json"] } } }));
  expect(tree.bundle(["--no-state"], { cwd })).toEqual([middle, inner]);
});

test("resolve tells a known AGENTS.md again when its mtime changed", () => {
  using tree = nestedRepository();
  tree.codelia(["init-context"], { cwd: "repo/packages/foo" });
  tree.touch("repo/AGENTS.md", T0 + 5000);
  expect(tree.codelia(["resolve", "x.ts"], { cwd: "repo/packages/foo" })).toEqual(
    says(resolveReminder([[tree.path("repo/AGENTS.md"), T0 + 5000, "changed"]])),
  );
  expect(tree.codelia(["resolve", "x.ts"], { cwd: "repo/packages/foo" })).toEqual(NOTHING);
  // An mtime may also go back: a checkout of an older version.
  tree.touch("repo/AGENTS.md", T0 - 5000);
  expect(tree.resolve(["x.ts"], { cwd: "repo/packages/foo" })).toEqual(["repo/AGENTS.md"]);
});
