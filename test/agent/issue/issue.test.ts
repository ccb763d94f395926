import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { CODELIA } from "../../support/run-codelia.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { agentScene, resultOf, type AgentScene, type ModelScript } from "../agent-scene.ts";

const DEFINITION = {
  name: "fix",
  entryStep: "fix",
  limits: { maxRetries: 0 },
  steps: {
    fix: {
      prompt: { path: "fix.md" },
      check: { type: "command", command: ["/bin/sh", "where.sh"], onPass: "complete" },
    },
  },
};
const PROMPTS = { "fix.md": "Fix it.\n", "where.sh": "pwd > where.txt; git symbolic-ref HEAD >> where.txt\n" };
const ISSUE = ["agent", "run", "agent", "--issue", "7", "--json"];

/** A real clone; the definition's `.git` of the scene makes room for it. */
function clone(
  script: ModelScript = [["Fix it", "fixed"]],
  definition: object = DEFINITION,
): AgentScene & ReturnType<typeof gitRepository> {
  const scene = agentScene(definition, PROMPTS, script);
  scene.tree.remove(".git");
  return { ...scene, ...gitRepository(scene.tree, scene.home), env: scene.env };
}

test("--issue works in a branch and a worktree of the issue, and is recorded in the main tree", () => {
  using scene = clone();
  const run = scene.run([...ISSUE, "--origin", "main"]);
  expect([run.stderr, run.exitCode, resultOf(run).success]).toEqual(["", 0, true]);
  const worktree = scene.tree.path(".worktrees/issue-7");
  expect(scene.tree.read(".worktrees/issue-7/where.txt")).toBe(`${worktree}\nrefs/heads/feature/issue-7\n`);
  expect(scene.git("status", "--porcelain")).toBe("");
  const { runs } = JSON.parse(scene.run(["agent", "status", "--json"]).stdout);
  expect(runs).toMatchObject([{ cwd: worktree, branch: "feature/issue-7", issue: 7, status: "stopped" }]);
  expect(runs[0].instance).toMatch(/^agent-issue-7-\d{8}T\d{9}Z$/);
  expect(readdirSync(scene.tree.path(".worktrees/issue-7/.codelia/agents"))).toEqual([]);
});

const ORIGINS: [what: string, args: string[], originBranch: string | undefined, branch: string][] = [
  ["--origin, before all others", ["--origin", "explicit", "--fields", "fields.json"], "config", "explicit"],
  ["the issue's field, before the project's", ["--fields", "fields.json"], "config", "issue"],
  ["the project's field, before the definition's", ["--fields", "project.json"], "config", "project"],
  ["the definition's originBranch", [], "config", "config"],
];
for (const [what, args, originBranch, branch] of ORIGINS) {
  test(`the branch of an issue begins from ${what}`, () => {
    using scene = clone(undefined, { ...DEFINITION, originBranch });
    for (const name of ["explicit", "issue", "project", "config"]) {
      scene.git("switch", "--quiet", "--create", name, "main");
      scene.git("commit", "--quiet", "--allow-empty", `--message=of ${name}`);
    }
    scene.git("switch", "--quiet", "main");
    const project = { project: { "Target Branch": "project" } };
    scene.tree.write("fields.json", JSON.stringify({ issue: { base_branch: "issue" }, ...project }));
    scene.tree.write("project.json", JSON.stringify(project));
    expect(scene.run([...ISSUE, ...args]).exitCode).toBe(0);
    expect(scene.git("log", "-1", "--format=%s", "feature/issue-7")).toBe(`of ${branch}`);
  });
}

const REFUSED: [what: string, args: string[], message: string, exitCode: number][] = [
  ["no branch to begin from", [], "no branch to begin from", 3],
  ["a branch that is not there", ["--origin", "nowhere"], "branch 'nowhere' to begin from does not exist", 3],
  ["a file of fields that is not there", ["--fields", "no.json"], "fields file 'no.json' can't be used", 1],
];
for (const [what, args, message, exitCode] of REFUSED) {
  test(`--issue with ${what} is refused, and nothing is made`, () => {
    using scene = clone();
    const run = scene.run([...ISSUE, ...args]);
    expect([run.exitCode, run.stderr.includes(message)]).toEqual([exitCode, true]);
    expect([scene.prompts(), existsSync(scene.tree.path(".worktrees"))]).toEqual([[], false]);
  });
}

test("a second run on the branch of an issue is refused while the first lives; one on another issue is not", () => {
  using scene = clone([
    ["Fix it", "fixed"],
    ["Fix it", "fixed"],
  ]);
  // While the first is checked, its own check begins the others, outside of its run.
  scene.tree.write(
    "agent/where.sh",
    `case "$PWD" in *issue-7) unset CODELIA_AGENT_RUN; cd ../..
for issue in 7 8; do "$CODELIA" agent run agent --issue $issue --origin main --json > "run-$issue.json" 2>&1; done;; esac
`,
  );
  scene.run(["trust", "agent", "--yes"]);
  const env = { CODELIA };
  const run = scene.run([...ISSUE, "--origin", "main"], { env });
  expect(resultOf(run).success).toBe(true);
  expect(scene.tree.read("run-7.json")).toContain("branch 'feature/issue-7' is in use by 'agent-issue-7-");
  expect(JSON.parse(scene.tree.read("run-8.json"))).toMatchObject({ success: true });
});

const START = ["agent", "start", "agent", "--issue", "7", "--origin", "main", "--session"];

/** The session's model has stopped; the answer of the hook. */
function stop(scene: AgentScene, session: string): string {
  const event = {
    hook_event_name: "Stop",
    session_id: session,
    cwd: scene.tree.root,
    last_assistant_message: "Fixed.",
  };
  return scene.run(["hook", "claude"], { stdin: JSON.stringify(event) }).stdout;
}

test("a guided run works in the branch and the worktree of its issue too", () => {
  using scene = clone();
  const started = scene.run([...START, "s1"]);
  const worktree = scene.tree.path(".worktrees/issue-7");
  expect([started.stderr, started.exitCode]).toEqual(["", 0]);
  expect(started.stdout).toBe(
    `Work in '${worktree}', the worktree of branch 'feature/issue-7', and nowhere else.\n\nFix it.\n`,
  );
  const [run] = JSON.parse(scene.run(["agent", "status", "--json"]).stdout).runs;
  expect(run).toMatchObject({ mode: "guided", cwd: worktree, branch: "feature/issue-7", issue: 7, status: "started" });
  expect(run.instance).toMatch(/^agent-issue-7-\d{8}T\d{9}Z$/);
  expect(stop(scene, "s1")).toBe("");
  expect(scene.tree.read(".worktrees/issue-7/where.txt")).toBe(`${worktree}\nrefs/heads/feature/issue-7\n`);
  expect(scene.git("status", "--porcelain")).toBe("");
});

test("the branch of an issue is a guided run's until that has ended, and nobody died then", () => {
  using scene = clone();
  scene.run([...START, "s1"]);
  for (const args of [
    [...START, "s2"],
    [...ISSUE, "--origin", "main"],
  ]) {
    const { stderr, exitCode } = scene.run(args);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("branch 'feature/issue-7' is in use by 'agent-issue-7-"),
    ]);
  }
  expect(scene.run(["agent", "stop", "--session", "s1"]).exitCode).toBe(0);
  const run = scene.run([...ISSUE, "--origin", "main"]);
  expect([run.stderr, run.exitCode]).toEqual(["", 0]);
});

test("a session that is guided already leaves the issue's branch to others", () => {
  using scene = clone();
  scene.run(["agent", "start", "agent", "--session", "s1"]);
  expect(scene.run([...START, "s1"]).stderr).toContain("session 's1' is already guided");
  expect(scene.run([...START, "s2"]).exitCode).toBe(0);
});
