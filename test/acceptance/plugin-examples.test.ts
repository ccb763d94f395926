import { expect, test } from "bun:test";
import { chmodSync, cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ExtensionPointSchema } from "../../src/config/schema.ts";
import { before, eventText } from "../support/hook-calls.ts";
import { plugged, skill } from "../support/plugged.ts";
import { REPOSITORY } from "../support/run-codelia.ts";
import type { Entry } from "../support/temp-tree.ts";
import type { Bench } from "./agents-bench.ts";

// The plugins of docs/examples/plugins, in the user's config as docs/plugins.md has them.

const EXAMPLES = join(REPOSITORY, "docs/examples/plugins");

function withExamples(more: Readonly<Record<string, Entry>> = {}): Bench {
  const tree = plugged(
    [
      { path: "plugins/company.ts", hooks: ["agents:chain"] },
      { path: "plugins/recent-skills.mjs", hooks: ["skills:ranked"] },
      { command: ["plugins/log-reminders.sh"], hooks: ["reminder:before"] },
    ],
    more,
  );
  cpSync(EXAMPLES, tree.path("home/.codelia/plugins"), { recursive: true });
  return tree;
}

test("there is no example that is not played here", () => {
  expect(readdirSync(EXAMPLES).toSorted()).toEqual(["company.ts", "log-reminders.sh", "recent-skills.mjs"]);
});

test("docs/plugins.md has a row for every extension point, and for no other", () => {
  const manual = readFileSync(join(REPOSITORY, "docs/plugins.md"), "utf8");
  const rows = [...manual.matchAll(/^\| `(\w+:\w+)` /gm)].map(([, point]) => point);
  expect(rows.toSorted()).toEqual([...ExtensionPointSchema.options].toSorted());
});

test("company.ts adds an instruction file from a company directory to every project", () => {
  using tree = withExamples({ "home/company/AGENTS.md": "Be kind.\n", "elsewhere/AGENTS.md": "Be quick.\n" });
  expect(tree.bundle()).toEqual(["home/company/AGENTS.md", "repo/AGENTS.md"]);
  expect(tree.codelia(["init-context"]).stdout).toContain("Be kind.");
  const env = { COMPANY_INSTRUCTIONS: tree.path("elsewhere/AGENTS.md") };
  expect(tree.bundle([], { env })).toEqual(["elsewhere/AGENTS.md", "repo/AGENTS.md"]);
  tree.remove("home/company");
  expect(tree.bundle()).toEqual(["repo/AGENTS.md"]);
});

test("recent-skills.mjs shows the skill first that was loaded last", () => {
  using tree = withExamples({ "repo/.agents/skills/ship/SKILL.md": skill("ship", "Ship the shop") });
  const search = () => {
    const { stdout, stderr, exitCode } = tree.codelia(["skills", "search", "shop", "--json"]);
    expect([stderr, exitCode]).toEqual(["", 0]);
    return JSON.parse(stdout).results.map((hit: { skill: { name: string } }) => hit.skill.name);
  };
  const usual = search();
  expect(usual.toSorted()).toEqual(["deploy", "release", "ship"]);
  tree.codelia(["skills", "load", usual[2]]);
  expect(search()).toEqual([usual[2], usual[0], usual[1]]);
  tree.codelia(["skills", "load", usual[1], "--session", "another"]);
  expect(search()).toEqual([usual[1], usual[2], usual[0]]);
});

test("log-reminders.sh posts every reminder to a log, and changes none", () => {
  using tree = withExamples();
  const log = () =>
    tree
      .read("home/codelia-reminders.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const { stdout, stderr } = tree.codelia(["resolve", "a/x", "--session", "s"]);
  expect(stderr).toBe("");
  expect(log()).toMatchObject([
    { hook: "reminder:before", context: { session: "s" }, data: { type: "agents.resolve.paths", text: stdout } },
  ]);
  const stdin = eventText(tree, before("Edit", { file_path: "a/x" }, { session_id: "t" }));
  const answer = JSON.parse(tree.codelia(["hook", "claude"], { stdin }).stdout);
  expect(log()[1].data.text).toBe(answer.hookSpecificOutput.additionalContext);
  tree.codelia(["hook", "claude"], { stdin });
  expect(log()).toHaveLength(2);
});

test("the examples do the same in a project that is trusted", () => {
  using tree = withExamples();
  cpSync(EXAMPLES, tree.path("repo/.codelia/plugins"), { recursive: true });
  chmodSync(tree.path("repo/.codelia/plugins/log-reminders.sh"), 0o755);
  tree.write("repo/.codelia/config.json", tree.read("home/.codelia/config.json"));
  tree.write("home/.codelia/config.json", "{}");
  tree.codelia(["trust", "--yes"]);
  expect(tree.codelia(["resolve", "x"])).toMatchObject({ stderr: "", exitCode: 0 });
  expect(tree.read("home/codelia-reminders.jsonl")).toContain("agents.resolve.paths");
  expect(tree.codelia(["skills", "search", "shop"])).toMatchObject({ stderr: "", exitCode: 0 });
});
