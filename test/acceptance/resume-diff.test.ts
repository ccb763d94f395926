import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { dir } from "../support/temp-tree.ts";
import { bench, CHANGED, file, NOTHING, says, T0, type Bench, type Call } from "./agents-bench.ts";

// What a resumed session is told, once. The scenarios resume-*.txt show what it is told elsewhere.

const S = ["--session", "s"];
const MARKERS = '[".codelia",".git",".jj"]';
const RECHECK = "Re-check AGENTS.md for current scope:";

function resumeTree(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/a/AGENTS.md": file("a\n", T0 + 1),
  });
}

/** The whole reminder of a session that was in one directory of repo, and is in another or the same. */
function reminder(tree: Bench, from: string, to: string, after: readonly string[]): string {
  const root = tree.path("repo");
  return [
    '<system-reminder type="session.resume.diff">',
    "Session resumed with context changes:",
    ...(from === to
      ? []
      : [
          `- cwd: ${tree.path(from)} -> ${tree.path(to)}`,
          `- root: ${root} -> ${root}`,
          `- markers: ${MARKERS} -> ${MARKERS}`,
        ]),
    ...after,
    "</system-reminder>",
    "",
  ].join("\n");
}

function begun(call: Call = {}): Bench {
  const tree = resumeTree();
  tree.codelia(["init-context", ...S], call);
  return tree;
}

/** It is told once, and the present is the baseline of the next comparison. */
function expectOnce(tree: Bench, expected: string, call: Call = {}): void {
  expect(tree.codelia(["resume-diff", ...S], call)).toEqual(says(expected));
  expect(tree.codelia(["resume-diff", ...S], call)).toEqual(NOTHING);
}

test("resume: a file that changed, one that is new, one that has vanished, each once", () => {
  using tree = begun({ cwd: "repo/a" });
  tree.touch("repo/AGENTS.md", T0 + 9);
  const changed = [RECHECK, `- ${tree.path("repo/AGENTS.md")} (mtime: ${T0 + 9})${CHANGED}`];
  expectOnce(tree, reminder(tree, "repo/a", "repo/a", changed), { cwd: "repo/a" });

  tree.remove("repo/a/AGENTS.md");
  const gone = ["No longer in force, disregard what they said:", `- ${tree.path("repo/a/AGENTS.md")}`];
  expectOnce(tree, reminder(tree, "repo/a", "repo/a", gone), { cwd: "repo/a" });

  tree.write("repo/a/AGENTS.md", "back\n");
  tree.touch("repo/a/AGENTS.md", T0 + 10);
  const fresh = [RECHECK, `- ${tree.path("repo/a/AGENTS.md")} (mtime: ${T0 + 10})`];
  expectOnce(tree, reminder(tree, "repo/a", "repo/a", fresh), { cwd: "repo/a" });
});

test("resume: a file that has vanished with the directory the session worked in", () => {
  using tree = begun({ cwd: "repo/a" });
  tree.remove("repo/a");
  const after = ["No longer in force, disregard what they said:", `- ${tree.path("repo/a/AGENTS.md")}`];
  expectOnce(tree, reminder(tree, "repo/a", "repo", after));
});

test("resume: a new size under the same mtime", () => {
  using tree = begun();
  tree.write("repo/AGENTS.md", "root and more\n");
  tree.touch("repo/AGENTS.md", T0);
  expectOnce(
    tree,
    reminder(tree, "repo", "repo", [RECHECK, `- ${tree.path("repo/AGENTS.md")} (mtime: ${T0})${CHANGED}`]),
  );
});

test("resume: all at once, none held back", () => {
  const depth = Array.from({ length: 20 }, (_, index) => `repo/${"d/".repeat(index)}`);
  using tree = bench({
    "repo/.git/": dir,
    ...Object.fromEntries(depth.map((path) => [`${path}AGENTS.md`, file("x\n")])),
  });
  tree.codelia(["init-context", ...S]);
  const { stdout } = tree.codelia(["resume-diff", ...S], { cwd: depth.at(-1) as string });
  expect(stdout.match(/AGENTS\.md \(mtime/g)).toHaveLength(19);
});

test("resume: a file elsewhere that changed since it was told, and none that was not told", () => {
  using tree = begun({ cwd: "repo/a" });
  tree.write("repo/b/AGENTS.md", "b\n");
  tree.write("repo/b/c/AGENTS.md", "c\n");
  tree.write("repo/d/AGENTS.md", "d\n");
  expect(tree.resolve([...S, "b/c/x.ts"])).toEqual(["repo/b/AGENTS.md", "repo/b/c/AGENTS.md"]);
  tree.touch("repo/b/c/AGENTS.md", T0 + 9);
  tree.touch("repo/d/AGENTS.md", T0 + 9);
  const changed = [RECHECK, `- ${tree.path("repo/b/c/AGENTS.md")} (mtime: ${T0 + 9})${CHANGED}`];
  expectOnce(tree, reminder(tree, "repo/a", "repo/a", changed), { cwd: "repo/a" });
  expect(tree.codelia(["resolve", ...S, "b/c/x.ts"])).toEqual(NOTHING);

  // An override has come between: it applies now, and what it hides does not.
  tree.write("repo/b/AGENTS.override.md", "instead of b\n");
  tree.touch("repo/b/AGENTS.override.md", T0 + 10);
  const instead = [
    RECHECK,
    `- ${tree.path("repo/b/AGENTS.override.md")} (mtime: ${T0 + 10})`,
    "No longer in force, disregard what they said:",
    `- ${tree.path("repo/b/AGENTS.md")}`,
  ];
  expectOnce(tree, reminder(tree, "repo/a", "repo/a", instead), { cwd: "repo/a" });
});

test("resume: a told file with two names is named once when it changed", () => {
  using tree = begun({ cwd: "repo/a" });
  tree.write("repo/b/x.ts", "");
  symlinkSync("../a/AGENTS.md", tree.path("repo/b/AGENTS.md"));
  expect(tree.codelia(["resolve", ...S, "b/x.ts"])).toEqual(NOTHING);
  tree.touch("repo/a/AGENTS.md", T0 + 9);
  const changed = [RECHECK, `- ${tree.path("repo/a/AGENTS.md")} (mtime: ${T0 + 9})${CHANGED}`];
  expectOnce(tree, reminder(tree, "repo/a", "repo/a", changed), { cwd: "repo/a" });
});

test("resume: what it told, resolve does not tell again, nor the other way round", () => {
  using tree = begun();
  tree.touch("repo/AGENTS.md", T0 + 9);
  expect(tree.resolve([...S, "x.ts"])).toEqual(["repo/AGENTS.md"]);
  expect(tree.codelia(["resume-diff", ...S])).toEqual(NOTHING);
  tree.touch("repo/AGENTS.md", T0 + 10);
  expect(tree.codelia(["resume-diff", ...S]).stdout).toContain("repo/AGENTS.md");
  expect(tree.codelia(["resolve", ...S, "x.ts"])).toEqual(NOTHING);
});
