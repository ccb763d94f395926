import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { agentScene, resultOf } from "../agent/agent-scene.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

const PROJECT = { ".git/HEAD": "ref: refs/heads/main\n", "sub/a.txt": "" };
const FILES = ["agent.json", "prompts/check.md", "prompts/plan.md", "prompts/work.md"];

function project(files: Parameters<typeof tempTree>[0] = {}) {
  const tree = tempTree({ ...PROJECT, ...files });
  const codelia = (args: readonly string[], cwd = ".") =>
    runCodelia(["agent", ...args], { cwd: tree.path(cwd), home: tree.path("home") });
  return { tree, codelia, [Symbol.dispose]: () => tree[Symbol.dispose]() };
}

test("agent new writes a definition that validates, and says how to run it", () => {
  using made = project();
  const { tree, codelia } = made;
  const { stdout, stderr, exitCode } = codelia(["new", "tidy"], "sub");
  const directory = tree.path(".agents/agents/tidy");
  expect([stderr, exitCode]).toEqual(["", 0]);
  const lines = FILES.map((file) => `wrote '${directory}/${file}'\n`).join("");
  expect(stdout).toBe(`${lines}run it with: codelia agent run tidy --var task='what is to be done'\n`);
  expect(codelia(["validate", "tidy"]).stdout).toBe(`${directory}/agent.json: 0 errors, 0 warnings\n`);
  expect(JSON.parse(tree.read(".agents/agents/tidy/agent.json"))).toMatchObject({ name: "tidy", version: "1.0" });
});

test("what agent new writes runs: a plan, the work, and a check that sends it back", () => {
  using made = project();
  made.codelia(["new", "tidy"]);
  const textOf = (file: string) => made.tree.read(`.agents/agents/tidy/${file}`);
  const prompts = Object.fromEntries(FILES.slice(1).map((file) => [file, textOf(file)]));
  using scene = agentScene(JSON.parse(textOf("agent.json")), prompts, [
    ["Plan it", '{"plan": ["Sort the list."], "done": "The list is sorted."}'],
    ['["Sort the list."]', '{"summary": "I sorted it."}'],
    ["I sorted it.", '{"pass": false, "reason": "Two lines are wrong."}'],
    ["did not pass: Two lines are wrong.", '{"summary": "I sorted it again."}'],
    ["I sorted it again.", '{"pass": true, "reason": "It is sorted."}'],
  ]);
  const run = scene.run(["agent", "run", "agent", "--var", "task=Sort the list.", "--json"]);
  expect([run.stderr, run.exitCode]).toEqual(["", 0]);
  expect(resultOf(run)).toMatchObject({
    success: true,
    iterations: 3,
    outputs: { plan: { done: "The list is sorted." }, work: { summary: "I sorted it again." } },
  });
});

test("agent new writes over nothing, and through no link out of the project", () => {
  using made = project();
  const { tree, codelia } = made;
  codelia(["new", "tidy"]);
  tree.write(".agents/agents/tidy/agent.json", "mine");
  const again = codelia(["new", "tidy"]);
  expect([again.exitCode, again.stdout]).toEqual([1, ""]);
  expect(again.stderr).toBe(`codelia: '${tree.path(".agents/agents/tidy")}' exists already; choose another name\n`);
  expect(tree.read(".agents/agents/tidy/agent.json")).toBe("mine");
  using outside = tempTree();
  using linked = project({ ".agents": { link: outside.root } });
  const { stderr, exitCode } = linked.codelia(["new", "tidy"]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("leads out of the project")]);
  expect(readdirSync(outside.root)).toEqual([]);
});

test("agent new wants a name that a definition can have", () => {
  using made = project();
  for (const [name, why] of [
    ["My Agent", "must be lower-case letters, digits and single hyphens"],
    ["../x", "must be lower-case letters"],
  ] as const) {
    const { stderr, exitCode } = made.codelia(["new", name]);
    expect([exitCode, stderr]).toEqual([64, expect.stringContaining(`'${name}' ${why}`)]);
  }
  expect(made.codelia(["new"]).exitCode).toBe(64);
  expect(existsSync(made.tree.path(".agents"))).toBe(false);
});

test("agent new --json names what it has written", () => {
  using made = project();
  const { stdout } = made.codelia(["new", "tidy", "--json"]);
  const directory = made.tree.path(".agents/agents/tidy");
  expect(JSON.parse(stdout)).toEqual({ directory, files: FILES.map((file) => `${directory}/${file}`) });
});
