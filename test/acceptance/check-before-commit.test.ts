import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { branched, git } from "../support/git-repository.ts";
import { foundIn, runCheck } from "../support/check-project.ts";
import { CODELIA, REPOSITORY } from "../support/run-codelia.ts";
import type { TempTree } from "../support/temp-tree.ts";

// `codelia check` before a commit: what is staged, fixes as a diff, and the manifest of the framework pre-commit.

const START = { "AGENTS.md": "Keep to `docs/style.md`.\n", "docs/style.md": "Be kind.\n", "old/AGENTS.md": "" };

describe("--staged", () => {
  const WAYS: [what: string, change: (tree: TempTree) => void, found: string[]][] = [
    ["nothing", () => {}, []],
    ["what is not staged", (tree) => tree.write("repo/new/AGENTS.md", ""), []],
    [
      "a new file",
      (tree) => (tree.write("repo/new/AGENTS.md", ""), git(tree, "add", "new")),
      ["new/AGENTS.md:1 instructions-blank"],
    ],
    [
      "a removed file that another one names",
      (tree) => git(tree, "rm", "--quiet", "docs/style.md"),
      ["AGENTS.md:1 instructions-missing-path"],
    ],
  ];
  test.each(WAYS)("%s", (_what, change, found) => {
    using tree = branched(START);
    change(tree);
    expect(foundIn(tree, ["--staged"])).toEqual(found);
  });

  test("is about the index that git commits, before the first commit too", () => {
    using tree = branched(START);
    git(tree, "checkout", "--quiet", "--orphan", "empty");
    git(tree, "rm", "--quiet", "--cached", "-r", ".");
    expect(foundIn(tree, ["--staged"])).toEqual([]);
    git(tree, "add", "old");
    expect(foundIn(tree, ["--staged"])).toEqual(["old/AGENTS.md:1 instructions-blank"]);
    const args = ["--staged", "--json"];
    const other = runCheck(tree, args, { env: { GIT_INDEX_FILE: tree.path("repo/none") } });
    expect(JSON.parse(other.stdout)).toMatchObject({ findings: [] });
  });

  test.each(["--changed", "--baseline=b.json --write-baseline"])("not with %s", (others) => {
    const args = others.split(" ");
    using tree = branched(START);
    expect(runCheck(tree, ["--staged", ...args])).toMatchObject({ stdout: "", exitCode: 64 });
  });
});

describe("--fix --diff", () => {
  const FILES = {
    "AGENTS.md": "Be brief\u200B.\n",
    "CLAUDE.md": "Be kind.",
    "web/AGENTS.md": "Run the tests.\n",
    "api/CLAUDE.md": "AGENTS.md",
    "api/AGENTS.md": "Run the server.\n",
    "app/agents.md": "Run the app.\n",
  };

  test.each([[["--fix"]], [["--fix", "--unsafe"]]])("says what %j would do, for git to apply", (args) => {
    using tree = branched(FILES);
    using other = branched(FILES);
    const { stdout, exitCode } = runCheck(tree, [...args, "--diff"]);
    expect([stdout.startsWith("diff --git "), exitCode]).toEqual([true, 1]);
    expect(() => git(tree, "diff", "--exit-code", "--quiet")).not.toThrow();
    // A fix may make another one possible.
    for (let diff = stdout; diff !== ""; diff = runCheck(tree, [...args, "--diff"]).stdout) {
      tree.write("fix.diff", diff);
      git(tree, "apply", tree.path("fix.diff"));
    }
    runCheck(other, args);
    for (const each of [tree, other]) git(each, "add", "--all");
    expect(indexOf(tree)).toBe(indexOf(other));
    expect(runCheck(tree, [...args, "--diff"])).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  test.each(["--diff", "--unsafe"])("'%s' is nothing without '--fix'", (flag) => {
    using tree = branched(FILES);
    expect(runCheck(tree, [flag])).toEqual({
      stdout: "",
      stderr: "codelia: '--unsafe' and '--diff' say how to fix: add '--fix'\n",
      exitCode: 64,
    });
  });
});

function indexOf(tree: TempTree): string {
  return spawnSync("git", ["ls-files", "--stage"], { cwd: tree.path("repo"), encoding: "utf8" }).stdout;
}

interface ManifestHook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
}

describe(".pre-commit-hooks.yaml", () => {
  const hooks: ManifestHook[] = parse(readFileSync(join(REPOSITORY, ".pre-commit-hooks.yaml"), "utf8"));

  /** As the framework runs it: in the top directory, without a shell and, as the hook asks, without file names. */
  function play(tree: TempTree, { entry }: ManifestHook): number | null {
    const [program = "", ...args] = entry.split(" ");
    const env = { PATH: `${dirname(CODELIA)}:/usr/bin:/bin`, HOME: tree.path("home"), PRE_COMMIT: "1" };
    return spawnSync(program, args, { cwd: tree.path("repo"), env }).status;
  }

  test("has what the framework asks of a hook", () => {
    expect(hooks.map(({ id }) => id)).toEqual(["codelia", "codelia-staged"]);
    for (const hook of hooks) {
      expect(hook).toMatchObject({ language: "system", pass_filenames: false, always_run: true });
    }
  });

  test("the one looks at everything, the other at what is staged", () => {
    using tree = branched({ "AGENTS.md": "Be brief.\n", "old/AGENTS.md": { link: "nowhere" } });
    const [all, staged] = hooks as [ManifestHook, ManifestHook];
    expect([play(tree, all), play(tree, staged)]).toEqual([1, 0]);
    git(tree, "rm", "--quiet", "old/AGENTS.md");
    expect([play(tree, all), play(tree, staged)]).toEqual([0, 0]);
    tree.write("repo/CLAUDE.md", "AGENTS.md");
    git(tree, "add", "CLAUDE.md");
    expect([play(tree, all), play(tree, staged)]).toEqual([1, 1]);
  });
});
