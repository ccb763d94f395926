import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { branched, commit, git } from "../support/git-repository.ts";
import { foundIn, runCheck } from "../support/check-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// `codelia check --changed` finds what a branch's changes may have caused, and runs nothing of the repository for that.

const START: Readonly<Record<string, Entry>> = {
  "AGENTS.md": "Keep to `docs/style.md`.\n",
  "docs/style.md": "Be kind.\n",
  "old/AGENTS.md": "",
  "web/AGENTS.md": "Run the tests.\n",
  ".agents/skills/review/SKILL.md": "---\nname: review\ndescription: Review\n---\nSee [it](references/it.md).\n",
  ".agents/skills/review/references/it.md": "It.\n",
};

const BLANK_WEB = ["web/AGENTS.md:1 instructions-blank"];

describe("what a branch changed", () => {
  const WAYS: [what: string, change: (tree: TempTree) => void, found: string[]][] = [
    ["nothing", () => {}, []],
    ["in a commit", (tree) => (tree.write("repo/web/AGENTS.md", ""), commit(tree, "x")), BLANK_WEB],
    ["in the index", (tree) => (tree.write("repo/web/AGENTS.md", ""), git(tree, "add", "--all")), BLANK_WEB],
    ["in the working tree", (tree) => tree.write("repo/web/AGENTS.md", ""), BLANK_WEB],
    ["in a new file", (tree) => tree.write("repo/new/AGENTS.md", ""), ["new/AGENTS.md:1 instructions-blank"]],
    [
      "of what another file speaks of",
      (tree) => tree.remove("repo/docs/style.md"),
      ["AGENTS.md:1 instructions-missing-path"],
    ],
    [
      "of a skill's file",
      (tree) => tree.remove("repo/.agents/skills/review/references/it.md"),
      [".agents/skills/review/SKILL.md:5 skill-missing-file"],
    ],
    [
      "above others, too long to be whole beside them",
      (tree) => tree.write("repo/AGENTS.md", "Run the tests.\n".repeat(17_477)),
      ["AGENTS.md:1 instructions-cut"],
    ],
  ];
  for (const [what, change, found] of WAYS) {
    test(what, () => {
      using tree = branched(START);
      change(tree);
      expect(foundIn(tree, ["--changed", "main"])).toEqual(found);
    });
  }

  test("not what the other branch changed meanwhile", () => {
    using tree = branched(START);
    git(tree, "checkout", "--quiet", "main");
    tree.write("repo/web/AGENTS.md", "Run all the tests.\n");
    commit(tree, "meanwhile");
    git(tree, "checkout", "--quiet", "work");
    tree.write("repo/old/x.ts", "");
    expect(foundIn(tree, ["--changed", "main"])).toEqual([]);
    expect(foundIn(tree)).toEqual(["old/AGENTS.md:1 instructions-blank"]);
  });

  test("against the CI's target, the remote's branch, or the last commit, where none is named", () => {
    using tree = branched(START);
    tree.write("repo/web/AGENTS.md", "");
    commit(tree, "x");
    expect(foundIn(tree, ["--changed"])).toEqual([]);
    git(tree, "update-ref", "refs/remotes/origin/main", "main");
    git(tree, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    expect(foundIn(tree, ["--changed"])).toEqual(BLANK_WEB);
    git(tree, "update-ref", "refs/remotes/origin/release", "work");
    const { stdout } = runCheck(tree, ["--changed", "--json"], { env: { GITHUB_BASE_REF: "release" } });
    expect(JSON.parse(stdout).findings).toEqual([]);
  });

  test("with a baseline, of what is new", () => {
    using tree = branched(START);
    runCheck(tree, ["--baseline", "b.json", "--write-baseline"]);
    tree.write("repo/old/AGENTS.md", "\n");
    expect(foundIn(tree, ["--changed", "main"])).toEqual(["old/AGENTS.md:1 instructions-blank"]);
    expect(foundIn(tree, ["--changed", "main", "--baseline", "b.json"])).toEqual([]);
  });
});

describe("what can't be told ends with 3", () => {
  test("a revision that is not there", () => {
    using tree = branched(START);
    for (const revision of ["nowhere", "--changed=-x", "docs"]) {
      const { stdout, stderr, exitCode } = runCheck(
        tree,
        revision.startsWith("-") ? [revision] : ["--changed", revision],
      );
      const name = revision.replace("--changed=", "");
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: "",
        stderr: `codelia: can't tell what changed: '${name}' is not a commit here; fetch it, or name another\n`,
        exitCode: 3,
      });
    }
  });

  test("no repository, no git", () => {
    using tree = tempTree({ "home/": dir, "repo/AGENTS.md": "" });
    expect(runCheck(tree, ["--changed"]).exitCode).toBe(3);
    using other = branched(START);
    const { stderr, exitCode } = runCheck(other, ["--changed"], { env: { PATH: other.path("home") } });
    expect([stderr, exitCode]).toEqual(["codelia: can't tell what changed: there is no 'git' on PATH\n", 3]);
  });
});

describe("nothing of a repository is run", () => {
  test("neither its filters, its monitor, its hooks, nor a program of its own", () => {
    using tree = branched({ ...START, ".gitattributes": "*.md filter=evil diff=evil\n" });
    const touch = (name: string) => `touch ${tree.path(name)}; cat`;
    git(tree, "config", "filter.evil.clean", touch("clean"));
    git(tree, "config", "filter.evil.process", touch("process"));
    git(tree, "config", "diff.external", touch("external"));
    git(tree, "config", "diff.evil.textconv", touch("textconv"));
    git(tree, "config", "core.fsmonitor", touch("monitor"));
    tree.write("repo/bin/git", `#!/bin/sh\n${touch("program")}\n`);
    chmodSync(tree.path("repo/bin/git"), 0o755);
    // The same size and another time, so that git must read the file.
    tree.write("repo/web/AGENTS.md", "Run the tests!\n");
    tree.touch("repo/web/AGENTS.md", 1_700_000_000_000);
    const env = { PATH: `${tree.path("repo/bin")}:${process.env["PATH"] ?? ""}` };
    expect(runCheck(tree, ["--changed", "main"], { env, cwd: "repo/web" }).exitCode).toBe(0);
    const ran = ["clean", "process", "external", "textconv", "monitor", "program"].filter((name) =>
      existsSync(tree.path(name)),
    );
    expect(ran).toEqual([]);
  });
});
