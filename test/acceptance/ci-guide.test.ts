import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { branched, commit, git } from "../support/git-repository.ts";
import { CODELIA, REPOSITORY } from "../support/run-codelia.ts";
import type { TempTree } from "../support/temp-tree.ts";

// The job in docs/ci.md: its steps with codelia, run as GitHub runs them for a pull request.

interface Step {
  readonly run?: string;
}

const manual = readFileSync(join(REPOSITORY, "docs/ci.md"), "utf8");
const job: { steps: Step[] } = parse(/```yaml\n([^]*?)```/.exec(manual)?.[1] ?? "");
const scripts = job.steps.flatMap(({ run }) => (run?.startsWith("codelia ") === true ? [run] : []));

/** The exit code of each step. */
function play(tree: TempTree): (number | null)[] {
  return scripts.map((script) => {
    const env = {
      PATH: `${dirname(CODELIA)}:/usr/bin:/bin`,
      HOME: tree.path("home"),
      GITHUB_ACTIONS: "true",
      GITHUB_BASE_REF: "main",
      GITHUB_STEP_SUMMARY: tree.path("summary.md"),
      GITHUB_WORKSPACE: tree.path("repo"),
    };
    const args = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script];
    return spawnSync("bash", args, { cwd: tree.path("repo"), env }).status;
  });
}

test("the job passes a clean repository, and fails for what a branch breaks", () => {
  using tree = branched({ "AGENTS.md": "Be brief.\n", ".gitignore": "codelia.sarif\n" });
  git(tree, "update-ref", "refs/remotes/origin/main", "main");
  expect(scripts).toHaveLength(3);
  expect(play(tree)).toEqual([0, 0, 0]);
  expect(tree.read("summary.md")).toStartWith("### codelia check\n\nnothing found");
  tree.write("repo/CLAUDE.md", "AGENTS.md");
  commit(tree, "break");
  expect(play(tree)).toEqual([1, 1, 0]);
  expect(JSON.parse(tree.read("repo/codelia.sarif"))).toMatchObject({
    runs: [{ results: [{ ruleId: "instructions-lost-link" }] }],
  });
});

test("the pattern of the problem matcher takes a finding apart", () => {
  const { pattern } = JSON.parse(/```json\n(\{\n {2}"owner"[^]*?)```/.exec(manual)?.[1] ?? "{}");
  const line = "web/AGENTS.md:1:7 warning instructions-missing-path 'docs/new.md' does not exist; add it";
  const match = new RegExp(pattern.regexp).exec(line);
  const parts = ["file", "line", "column", "severity", "code", "message"].map((name) => match?.[pattern[name]]);
  expect(parts).toEqual([
    "web/AGENTS.md",
    "1",
    "7",
    "warning",
    "instructions-missing-path",
    "'docs/new.md' does not exist; add it",
  ]);
  expect(new RegExp(pattern.regexp).exec("AGENTS.md:1 error instructions-blank it is blank")?.[3]).toBeUndefined();
});
