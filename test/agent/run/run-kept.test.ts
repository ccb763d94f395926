import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { RUN_VARIABLE } from "../../../src/agent/engines/engine.ts";
import { findMarked } from "../../../src/lib/process.ts";
import { agentScene, type AgentScene } from "../agent-scene.ts";
import type { Definition } from "../definitions.ts";
import { PROMPTS, SCRIPT, startRun, twoSteps } from "../started-run.ts";

// The record, the lock and the engines of a driven run, when they are taken from it.

const runsOf = (scene: AgentScene) => JSON.parse(scene.run(["agent", "status", "--json"]).stdout).runs;

test("a run whose tree is cleaned meanwhile stays known, and the only one", async () => {
  using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"]]);
  const { end } = await startRun(scene);
  const before = runsOf(scene);
  spawnSync("git", ["init", "-q"], { cwd: scene.tree.root });
  expect(spawnSync("git", ["clean", "-fdxq", "-e", "agent"], { cwd: scene.tree.root }).status).toBe(0);
  while (runsOf(scene).length === 0);
  expect(runsOf(scene)).toEqual(before);
  expect(scene.run(["agent", "run", "agent"]).stderr).toContain(`'${before[0].instance}' is using this tree`);
  expect(scene.run(["agent", "stop"]).exitCode).toBe(0);
  const { outputs, ...result } = (await end()).result;
  expect(runsOf(scene)).toMatchObject([{ status: "stopped", outputs, result }]);
});

test("what one run says of its end is kept where all of its outputs would be too much", () => {
  const names = Array.from({ length: 12 }, (_, index) => `step-${index}`);
  const definition: Definition = { ...twoSteps(), entryStep: "step-0", steps: {} };
  for (const [index, name] of names.entries()) {
    const output = { text: { type: "string" } };
    const check = { type: "output", onPass: names[index + 1] ?? "complete" };
    definition.steps[name] = { prompt: { path: "prompts/one.md" }, output, check };
  }
  const answer = JSON.stringify({ text: "x".repeat(900_000) });
  using scene = agentScene(
    definition,
    { "prompts/one.md": "Do one.\n" },
    names.map(() => ["Do one", answer] as const),
  );
  const { stdout, stderr, exitCode } = scene.run(["agent", "run", "agent", "--json"]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  const { outputs, ...result } = JSON.parse(stdout);
  expect(Object.keys(outputs)).toEqual(names);
  expect(runsOf(scene)).toMatchObject([{ status: "stopped", outputs: {}, result }]);
});

test("an end that can't be kept at all is said", async () => {
  using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"]]);
  const { child, end } = await startRun(scene);
  let stderr = "";
  child.stderr.on("data", (bytes: Uint8Array) => (stderr += new TextDecoder().decode(bytes)));
  const [{ instance }] = runsOf(scene);
  // It takes two to agree: a record that another process has changed is not written over.
  const path = `.codelia/agents/${instance}.json`;
  scene.tree.write(path, JSON.stringify({ ...JSON.parse(scene.tree.read(path)), n: 7 }));
  child.kill("SIGTERM");
  expect((await end()).exitCode).toBe(1);
  expect(stderr).toBe(
    `codelia: warning: the end of '${instance}' can't be recorded (it was changed meanwhile); 'codelia agent status' will call it dead\n`,
  );
});

/** A run whose driver was killed, and the mark of what it has left. */
async function killedRun(scene: AgentScene): Promise<string> {
  const { child } = await startRun(scene);
  const [{ instance }] = runsOf(scene);
  const { mark } = JSON.parse(scene.tree.read(`.codelia/agents/${instance}.json`));
  child.kill("SIGKILL");
  await new Promise((resolve) => void child.on("close", resolve));
  expect(findMarked(RUN_VARIABLE, mark)).not.toEqual([]);
  return mark;
}

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)("'agent stop' ends what a killed run has left working", async () => {
  using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"]]);
  const mark = await killedRun(scene);
  expect(scene.run(["agent", "stop"]).stdout).toContain("the process that drove the run is gone");
  expect(findMarked(RUN_VARIABLE, mark)).toEqual([]);
});

test.skipIf(!isLinux)(
  "a run that takes the place of a killed one ends what that has left working, and says so",
  async () => {
    using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"], ...SCRIPT]);
    const mark = await killedRun(scene);
    const { stderr, exitCode } = scene.run(["agent", "run", "agent"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("had started: the process that drove it is gone");
    expect(findMarked(RUN_VARIABLE, mark)).toEqual([]);
  },
);
