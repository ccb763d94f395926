import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { startCodelia } from "../support/run-codelia.ts";
import { dir } from "../support/temp-tree.ts";
import { agentScene, resultOf, type AgentScene } from "./agent-scene.ts";
import type { Definition } from "./definitions.ts";
import { PROMPTS as TWO_PROMPTS, twoSteps } from "./started-run.ts";

const PROMPTS = { ...TWO_PROMPTS, "prompts/review.md": "Is {uv-one_size} enough?\n" };

/** The same two steps, of which the second is reviewed. */
function guidedSteps(): Definition {
  const definition = { ...twoSteps(), name: "guided", limits: { maxRetries: 1, maxIterations: 5 } };
  definition.steps.two.check = { type: "prompt", prompt: { path: "prompts/review.md" }, onPass: "complete" };
  return definition;
}

/** Tells the hook of a stop; the answer is what the model is told, "" where it may stop. */
function stop(
  scene: AgentScene,
  message: string | null,
  options: { host?: string; isContinued?: boolean; fields?: object; cwd?: string } = {},
) {
  const { host = "claude", isContinued = true, fields, cwd } = options;
  const event = {
    hook_event_name: "Stop",
    session_id: "s1",
    cwd: scene.tree.path(cwd ?? "."),
    last_assistant_message: message,
    stop_hook_active: isContinued,
    ...fields,
  };
  const { stdout, stderr, exitCode } = scene.run(["hook", host], { stdin: JSON.stringify(event) });
  expect([stderr, exitCode]).toEqual(["", 0]);
  if (stdout === "") return "";
  const { decision, reason, ...rest } = JSON.parse(stdout);
  expect([decision, rest]).toEqual(["block", {}]);
  return reason as string;
}

function start(scene: AgentScene) {
  return scene.run(["agent", "start", "agent", "--session", "s1"]);
}

function onlyRun(scene: AgentScene) {
  const { runs } = JSON.parse(scene.run(["agent", "status", "--json"]).stdout);
  expect(runs).toHaveLength(1);
  return runs[0];
}

for (const host of ["claude", "codex"]) {
  test(`${host}: a session is guided from step to step, through a check by prompt, to the end`, () => {
    using scene = agentScene(guidedSteps(), PROMPTS, []);
    const started = start(scene);
    expect(started).toMatchObject({ stderr: "", exitCode: 0 });
    expect(started.stdout).toStartWith("Do one.\n\nEnd your answer with a JSON object");
    const again = stop(scene, "I have no idea.", { host, isContinued: false });
    expect(again).toStartWith("Your last answer did not pass: no JSON object");
    expect(stop(scene, 'So:\n```json\n{"size": 7}\n```', { host })).toBe("Do two with 7.\n");
    expect(stop(scene, "done", { host })).toStartWith("Is 7 enough?\n");
    expect(stop(scene, '{"pass": true, "reason": "It is."}', { host })).toBe("");
    const run = onlyRun(scene);
    expect(run).toMatchObject({
      mode: "guided",
      status: "stopped",
      session: "s1",
      iterations: 3,
      result: { success: true, completionReason: "step 'two' ends the run: It is." },
    });
    expect(run.summaries.map(({ step, passed, queries }: never) => [step, passed, queries])).toEqual([
      ["one", false, 1],
      ["one", true, 1],
      ["two", true, 2],
    ]);
    expect(stop(scene, "more")).toBe("");
    expect(readdirSync(scene.home.path(".local/state/codelia/guided"))).toEqual([]);
  });
}

test("a Stop of a session that is not guided, and that of a sub-agent, are left alone", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  expect(stop(scene, "hello")).toBe("");
  start(scene);
  const before = onlyRun(scene);
  expect(stop(scene, '{"size": 7}', { fields: { session_id: "s2" } })).toBe("");
  expect(stop(scene, '{"size": 7}', { fields: { agent_id: "a1" } })).toBe("");
  expect(stop(scene, '{"size": 7}', { fields: { agent_id: "a1", hook_event_name: "SubagentStop" } })).toBe("");
  expect(onlyRun(scene)).toEqual(before);
});

test("a Stop of a session that is not guided is one look for a file: not even the root is looked for", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  const stagesOf = (event: string) => {
    const stdin = JSON.stringify({ hook_event_name: event, session_id: "s1", cwd: scene.tree.root });
    const { stderr } = scene.run(["hook", "claude"], { stdin, env: { CODELIA_TRACE: "1" } });
    return stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).stage);
  };
  expect(stagesOf("Stop")).toEqual(["loaded", "event", "exit"]);
  expect(stagesOf("PreToolUse")).toContain("root");
});

test("a guided run goes on where the session's directory has moved to another root", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, [], { "other/.git/": dir });
  start(scene);
  expect(stop(scene, '{"size": 7}', { cwd: "other" })).toBe("Do two with 7.\n");
  expect(existsSync(scene.tree.path("other/.codelia"))).toBe(false);
});

test("a session is guided through one definition at a time", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  const json = JSON.parse(scene.run(["agent", "start", "agent", "--session", "s1", "--json"]).stdout);
  expect(json).toEqual({
    instance: expect.stringMatching(/^agent-guided-/),
    step: "one",
    prompt: expect.stringContaining("Do one."),
  });
  const second = start(scene);
  expect([second.stdout, second.exitCode]).toEqual(["", 1]);
  expect(second.stderr).toBe(
    `codelia: can't start: session 's1' is already guided through '${json.instance}'; end it with 'codelia agent stop ${json.instance}'\n`,
  );
  const stopped = scene.run(["agent", "stop", "--session", "s1", "--json"]);
  expect([stopped.exitCode, resultOf(stopped)]).toEqual([
    0,
    {
      success: false,
      completionReason: "",
      error: "the run was stopped by 'codelia agent stop'",
      iterations: 0,
      summaries: [],
    },
  ]);
  expect(stop(scene, "done")).toBe("");
  expect(start(scene).exitCode).toBe(0);
  const unnamed = scene.run(["agent", "start", "agent"]);
  expect([unnamed.exitCode, unnamed.stderr]).toEqual([64, "codelia: name the session to guide with '--session'\n"]);
});

test("of many that begin to guide one session at once, one does", async () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  const options = { cwd: scene.tree.root, home: scene.home.root };
  const started = await Promise.all(
    Array.from({ length: 4 }, () => startCodelia(["agent", "start", "agent", "--session", "s1"], options)),
  );
  expect(started.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1, 1, 1]);
  expect(onlyRun(scene).status).toBe("started");
});

test("what points at a run of a month ago is swept away when another begins", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  const guided = ".local/state/codelia/guided";
  const [first = ""] = readdirSync(scene.home.path(guided));
  scene.home.touch(`${guided}/${first}`, Date.now() - 31 * 86_400_000);
  scene.run(["agent", "start", "agent", "--session", "s2"]);
  const left = readdirSync(scene.home.path(guided));
  expect([left.length, left.includes(first)]).toEqual([1, false]);
});

test("a guided run fails, and lets the model stop, when its tries are used up", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  expect(stop(scene, "no")).not.toBe("");
  expect(stop(scene, "no")).toBe("");
  expect(onlyRun(scene)).toMatchObject({
    status: "stopped",
    result: { success: false, error: expect.stringContaining("did not pass in 2 tries") },
  });
});

test("a guided run that never completes ends at its limit, also where the host has none", () => {
  const definition = guidedSteps();
  definition.steps = { one: { prompt: { path: "prompts/one.md" } } };
  definition.completion = { type: "keywordSignal", keyword: "DONE" };
  using scene = agentScene(definition, PROMPTS, []);
  start(scene);
  const told = Array.from({ length: 6 }, () => stop(scene, "more", { host: "codex" }));
  expect(told).toEqual([...Array.from({ length: 4 }, () => "Do one.\n"), "", ""]);
  expect(onlyRun(scene).result).toMatchObject({
    success: false,
    iterations: 5,
    error: "the run is not complete after 5 iterations, its limit",
  });
});

test("what the client will not heed is not said, and told when the model next stops", () => {
  const definition = guidedSteps();
  definition.limits.maxIterations = 20;
  definition.steps = { one: { prompt: { path: "prompts/one.md" } } };
  definition.completion = { type: "keywordSignal", keyword: "DONE" };
  using scene = agentScene(definition, PROMPTS, []);
  start(scene);
  const told = [stop(scene, "more", { isContinued: false }), ...Array.from({ length: 8 }, () => stop(scene, "more"))];
  expect(told).toEqual([...Array.from({ length: 8 }, () => "Do one.\n"), ""]);
  expect(onlyRun(scene)).toMatchObject({ iterations: 9, isUntold: true });
  expect(stop(scene, "The user asked something else. DONE", { isContinued: false })).toBe("Do one.\n");
  expect(onlyRun(scene)).toMatchObject({ iterations: 9, isUntold: false });
  expect(stop(scene, "DONE")).toBe("");
  expect(onlyRun(scene).result).toMatchObject({ success: true, iterations: 10 });
});

test("a definition that has changed since it was trusted ends the run: nothing of it is run or said", () => {
  const definition = guidedSteps();
  definition.steps.one.check = { type: "command", command: ["touch", "checked"], onPass: "two" };
  using scene = agentScene(definition, PROMPTS, []);
  start(scene);
  scene.tree.write("agent/prompts/two.md", "Do evil.");
  expect(stop(scene, '{"size": 7}')).toBe("");
  expect(onlyRun(scene).result.error).toContain("has changed since it was trusted");
  expect(existsSync(scene.tree.path("checked"))).toBe(false);
});

test("a check by command decides in a guided run too", () => {
  const definition = guidedSteps();
  definition.steps.one.check = { type: "command", command: ["grep", "-q", "9"], onPass: "two" };
  using scene = agentScene(definition, PROMPTS, []);
  start(scene);
  expect(stop(scene, '{"size": 7}')).toStartWith("Your last answer did not pass: the command ended with 1");
  expect(stop(scene, '{"size": 9}')).toBe("Do two with 9.\n");
});

test("a prompt that is longer than the host lets through is a file that the model is told to read", () => {
  using scene = agentScene(
    guidedSteps(),
    { ...PROMPTS, "prompts/two.md": `${"Long. ".repeat(3000)}{uv-one_size}\n` },
    [],
  );
  start(scene);
  const [, path = ""] = /^Read all of '(.+)' and do what it says\.$/.exec(stop(scene, '{"size": 7}')) ?? [];
  expect(path).toStartWith(scene.tree.path(".codelia/agents/agent-guided-"));
  expect(scene.tree.read(path.slice(scene.tree.root.length + 1))).toEndWith("Long. 7\n");
  stop(scene, "done");
  stop(scene, "pass: true\nreason: fine");
  expect(existsSync(path)).toBe(false);
});

test("what can't be recorded is not said: the model may stop", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  const [name = ""] = readdirSync(scene.tree.path(".codelia/agents"));
  scene.tree.write(`.codelia/agents/${name}`, "broken");
  expect(stop(scene, '{"size": 7}')).toBe("");
});
