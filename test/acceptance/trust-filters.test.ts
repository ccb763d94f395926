import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { gitRepository } from "../support/git-repository.ts";
import { bench, NOTHING, type Bench } from "./agents-bench.ts";

// `agent run --issue` runs the filters of a clone's own git config only after `codelia trust`, and only unchanged. Those of
// the user's config run as in any checkout.

const AGENT = {
  name: "agent",
  entryStep: "say",
  completion: { type: "iterationBudget", max: 1 },
  connection: { engine: "command", command: ["/bin/cat"] },
  steps: { say: { prompt: { path: "say.md" } } },
};
const FILTERS = '[filter "big"]\n\tclean = tr A-Z a-z\n\tsmudge = tr a-z A-Z\n\trequired = true\n';

interface Clone extends Bench {
  git(...args: string[]): string;
  run(issue?: number): ReturnType<Bench["codelia"]>;
  checkedOut(issue?: number): string;
}

/** A clone with a file that a filter changes; the definition of the agent is trusted. */
function clone(config: string, attributes = "*.bin filter=big\n"): Clone {
  const tree = bench({
    "repo/agent/agent.json": JSON.stringify(AGENT),
    "repo/agent/say.md": "Say it.\n",
    "repo/large.bin": "stored\n",
    "repo/tools/big.sh": "cat\n",
  });
  const at = { ...tree, root: tree.path("repo") };
  const home = {
    ...tree,
    root: tree.path("home"),
    write: (path: string, text: string | Uint8Array) => tree.write(`home/${path}`, text),
  };
  tree.write("repo/.gitattributes", attributes);
  const { git } = gitRepository(at, home);
  tree.write("repo/.git/config", `${tree.read("repo/.git/config")}${config}`);
  expect(tree.codelia(["trust", "agent", "--yes", "--quiet"])).toEqual(NOTHING);
  const place = (issue: number) => `repo/.worktrees/issue-${issue}`;
  return {
    ...tree,
    git,
    run: (issue = 7) => tree.codelia(["agent", "run", "agent", "--issue", `${issue}`, "--origin", "main"]),
    checkedOut: (issue = 7) => tree.read(`${place(issue)}/large.bin`),
  };
}

test("a filter of the clone's is run once it is trusted, until it changes", () => {
  using tree = clone(FILTERS);
  const refused = tree.run();
  expect([refused.stdout, refused.exitCode]).toEqual(["", 3]);
  expect(refused.stderr).toBe(
    `codelia: an issue's worktree can't be made: 'large.bin' needs filter 'big' of the clone's own git config, which you have not trusted as it is now; run 'codelia trust ${tree.path("repo")}' to review it\n`,
  );
  expect([existsSync(tree.path("repo/.worktrees")), tree.git("branch", "--list", "feature/*")]).toEqual([false, ""]);
  const trusted = tree.codelia(["trust", "--yes"]);
  expect(trusted.exitCode).toBe(0);
  expect(trusted.stderr).toContain(
    [
      `Repository ${tree.path("repo")}`,
      '  asks for filter.big.clean = "tr A-Z a-z"',
      '  asks for filter.big.smudge = "tr a-z A-Z"',
      '  asks for filter.big.required = "true"',
      "",
    ].join("\n"),
  );
  expect([tree.run().exitCode, tree.checkedOut()]).toEqual([0, "STORED\n"]);
  tree.git("config", "remote.origin.url", "https://h/o/r");
  expect([tree.run(8).exitCode, tree.checkedOut(8)]).toEqual([0, "STORED\n"]);
  tree.git("config", "filter.big.smudge", "touch stolen; cat");
  expect([tree.run(9).exitCode, existsSync(tree.path("repo/.worktrees/issue-9"))]).toEqual([3, false]);
  expect(tree.codelia(["trust", "--list"]).stdout).toContain(
    "  no longer trusted: '.git/config (filters)' has changed since it was trusted\n",
  );
  expect(tree.codelia(["trust", "--revoke", tree.path("repo")]).exitCode).toBe(0);
  expect(tree.codelia(["trust", "--list"]).stdout).not.toContain("Repository");
});

test("no file needs it, no question", () => {
  using tree = clone(FILTERS, "*.psd filter=big\n");
  expect([tree.run().exitCode, tree.checkedOut()]).toEqual([0, "stored\n"]);
});

test("the user's own filter is run as with any checkout, and not the clone's of that name", () => {
  using tree = clone('[filter "big"]\n\tsmudge = touch stolen; cat\n');
  tree.write("home/.gitconfig", `${tree.read("home/.gitconfig")}[filter "big"]\n\tsmudge = tr a-z A-Z\n`);
  expect([tree.run().exitCode, tree.checkedOut()]).toEqual([0, "STORED\n"]);
  expect(existsSync(tree.path("repo/.worktrees/issue-7/stolen"))).toBe(false);
});

test("a filter that runs a file of the clone can't be trusted", () => {
  using tree = clone('[filter "big"]\n\tsmudge = sh tools/big.sh\n');
  const { stderr, exitCode } = tree.codelia(["trust", "--yes"]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("its filters name 'tools/big.sh', a file that differs between branches");
});

test("filters that are trusted run for no other command", () => {
  using tree = clone('[filter "big"]\n\tsmudge = cat\n\tclean = touch cleaned; cat\n');
  expect(tree.codelia(["trust", "--yes"]).exitCode).toBe(0);
  tree.write("repo/large.bin", "storec\n");
  tree.touch("repo/large.bin", 1_700_000_000_000);
  expect(tree.codelia(["check", "--changed", "main"]).exitCode).toBe(0);
  expect(existsSync(tree.path("repo/cleaned"))).toBe(false);
});
