import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import type { AgentResult } from "../../src/agent/run-schema.ts";
import { runAtTerminal } from "../support/run-at-terminal.ts";
import { CODELIA } from "../support/run-codelia.ts";
import { agentScene, resultOf } from "../agent/agent-scene.ts";
import type { Definition } from "../agent/definitions.ts";
import { PROMPTS, SCRIPT, startRun, twoSteps } from "../agent/started-run.ts";

function expectWhole(result: AgentResult) {
  expect(result.iterations).toBe(result.summaries.length);
  if (result.success) expect(result.completionReason).not.toBe("");
  else expect(result.error ?? "").not.toBe("");
}

test("agent run records the run, ends with 0, and leaves no lock", () => {
  using scene = agentScene(twoSteps(), PROMPTS, SCRIPT);
  const run = scene.run(["agent", "run", "agent", "--json"]);
  expect([run.stderr, run.exitCode]).toEqual(["", 0]);
  expectWhole(resultOf(run));
  const files = readdirSync(scene.tree.path(".codelia/agents"));
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^agent-two-\d{8}T\d{9}Z\.json$/);
  const { outputs, ...result } = resultOf(run);
  expect(outputs).toEqual({ one: { size: 7 } });
  const { runs } = JSON.parse(scene.run(["agent", "status", "--json"]).stdout);
  expect(runs).toMatchObject([
    { name: "two", mode: "driven", status: "stopped", iterations: 2, outputs: { one: { size: 7 } }, result },
  ]);
  expect(scene.run(["agent", "status"]).stdout).toMatch(
    /^agent-two-\S+ \(driven, 2 iterations\)\n {2}complete: step 'two'/,
  );
});

test("agent run tells a failure with exit 1, and which iteration it was", () => {
  using scene = agentScene(twoSteps(), PROMPTS, [SCRIPT[0], ["Do two", 4]]);
  const run = scene.run(["agent", "run", "agent", "--json"]);
  expect(run.exitCode).toBe(1);
  const result = resultOf(run);
  expectWhole(result);
  expect(result).toMatchObject({ success: false, iterations: 2, error: expect.stringContaining("exit code 4") });
  expect(result.summaries[1]).toMatchObject({ step: "two", passed: false, queries: 1 });
});

test("agent run of a definition that is not valid exits 3, and names what is wrong", () => {
  using scene = agentScene({ ...twoSteps(), entryStep: "three" }, PROMPTS, []);
  const { stdout, stderr, exitCode } = scene.run(["agent", "run", "agent", "--json"]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("is not valid: /entryStep: there is no step 'three'");
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: "agent_unusable", errors: [{ code: "entry", pointer: "/entryStep" }] },
  });
});

test("agent run does not run what names commands and is not trusted, nor what has changed since", () => {
  using scene = agentScene(twoSteps(), PROMPTS, SCRIPT);
  scene.tree.write("agent/prompts/one.md", "Do something else.\n");
  const changed = scene.run(["agent", "run", "agent"]);
  expect([changed.stdout, changed.exitCode]).toEqual(["", 1]);
  expect(changed.stderr).toContain(
    "it names commands (connection.command), and 'prompts/one.md' has changed since it was trusted; run 'codelia trust ",
  );
  scene.run(["trust", "agent", "--revoke"]);
  const unknown = scene.run(["agent", "run", "agent"]);
  expect(unknown.stderr).toContain("and you have not trusted it; run 'codelia trust ");
  const started = scene.run(["agent", "start", "agent", "--session", "s"]);
  expect([started.exitCode, started.stderr]).toEqual([1, unknown.stderr]);
  expect(scene.prompts()).toEqual([]);
});

for (const [what, change, named] of [
  ["words for an engine", (d: Definition) => (d.connection = { engine: "claude", args: ["--x"] }), "connection.args"],
  [
    "tools",
    (d: Definition) => (d.connection = { engine: "claude", allowedTools: ["Bash"] }),
    "connection.allowedTools",
  ],
  [
    "a check",
    (d: Definition) =>
      Object.assign(d, {
        connection: { engine: "claude" },
        steps: {
          one: {
            prompt: { path: "prompts/one.md" },
            check: { type: "command", command: ["true"], onPass: "complete" },
          },
        },
      }),
    "steps.one.check.command",
  ],
] as const) {
  test(`a definition that names ${what} asks for trust too`, () => {
    const definition = twoSteps();
    change(definition);
    using scene = agentScene(twoSteps(), PROMPTS, []);
    scene.tree.write("other/agent.json", JSON.stringify(definition));
    for (const [path, text] of Object.entries(PROMPTS))
      scene.tree.write(`agent/../other/${path}`.replace("agent/../", ""), text);
    const { stderr, exitCode } = scene.run(["agent", "run", "other"]);
    expect([exitCode, stderr.includes(`it names commands (${named})`)]).toEqual([1, true]);
  });
}

const USAGE: [args: string[], message: string][] = [
  [[], "needs a definition"],
  [["agent", "--var", "size=1"], "no prompt names '{uv-size}'"],
  [["agent", "--var", "size"], "must have the form name=value"],
  [["agent", "--origin", "main"], "go with '--issue'"],
  [["agent", "--issue", "x"], "is not an issue number"],
  [["agent", "--log", "/nowhere/x"], "can't be written (ENOENT)"],
  [["agent", "--engine", "gpt"], "gpt"],
];
test("agent run says what is wrong with its words, and asks nobody", () => {
  using scene = agentScene(twoSteps(), PROMPTS, SCRIPT);
  for (const [args, message] of USAGE) {
    const { stdout, stderr, exitCode } = scene.run(["agent", "run", ...args]);
    expect([exitCode, stdout]).toEqual([64, ""]);
    expect(stderr).toContain(message);
  }
  expect(scene.prompts()).toEqual([]);
});

test("a variable of the prompts must be given, and is replaced", () => {
  const prompts = { ...PROMPTS, "prompts/one.md": "Do one for {uv-who} and {uv-whom}.\n" };
  using scene = agentScene(twoSteps(), prompts, SCRIPT);
  const without = scene.run(["agent", "run", "agent", "--var", "whom=you"]);
  expect([without.exitCode, without.stderr]).toEqual([
    64,
    "codelia: the prompts name '{uv-who}'; set it with '--var who=…'\n",
  ]);
  expect(scene.run(["agent", "run", "agent", "--var", "who=a=b", "--var=whom=you"]).exitCode).toBe(0);
  expect(scene.prompts()[0]).toStartWith("Do one for a=b and you.");
});

test("a prompt that is blank with its variables' values asks nobody, driven or guided", () => {
  const steps = { one: { prompt: { path: "prompts/one.md" }, check: { type: "output", onPass: "complete" } } };
  using scene = agentScene({ name: "blank", entryStep: "one", steps }, { "prompts/one.md": "{uv-who}\n" }, []);
  const why = "prompt 'prompts/one.md' can't be used: it is blank after replacing '{uv-who}'";
  const driven = scene.run(["agent", "run", "agent", "--var", "who=", "--json"]);
  expect([driven.exitCode, resultOf(driven).error]).toEqual([1, why]);
  const guided = scene.run(["agent", "start", "agent", "--session", "s1", "--var", "who= "]);
  expect(guided).toEqual({ stdout: "", stderr: `codelia: ${why}\n`, exitCode: 3 });
  expect(scene.prompts()).toEqual([]);
});

test("a run inside a run is refused, guided or driven", () => {
  using scene = agentScene(twoSteps(), PROMPTS, SCRIPT);
  for (const verb of ["run", "start"]) {
    const env = { CODELIA_AGENT_RUN: "x", CODELIA_SESSION_ID: "s" };
    const { stderr, exitCode } = scene.run(["agent", verb, "agent"], { env });
    expect([exitCode, stderr]).toEqual([1, "codelia: a run can't be started inside a run: it would have no end\n"]);
  }
});

test("what a run starts can't start a run", () => {
  const definition = twoSteps();
  definition.steps.two.check = { type: "command", command: [CODELIA, "agent", "run", "agent"], onPass: "complete" };
  using scene = agentScene(definition, PROMPTS, SCRIPT);
  const result = resultOf(scene.run(["agent", "run", "agent", "--json"]));
  expect(result.error).toContain("a run can't be started inside a run");
});

test("a check by command sees the answer, runs where the run works, and what it says goes into the next prompt", () => {
  const definition = twoSteps();
  definition.limits.maxRetries = 1;
  definition.steps.two.check = { type: "command", command: ["/bin/sh", "check.sh"], onPass: "complete" };
  const script = [SCRIPT[0], ["Do two", "draft"], ["Do two", "done"]] as const;
  const check = 'read answer; test "$answer" = done && test -d .git || { echo "it is only a $answer" >&2; exit 3; }\n';
  using scene = agentScene(definition, { ...PROMPTS, "check.sh": check }, script);
  const result = resultOf(scene.run(["agent", "run", "agent", "--json"]));
  expect(result).toMatchObject({ success: true, iterations: 3 });
  expect(result.summaries[1]?.reason).toBe("the command ended with 3: it is only a draft");
  expect(scene.prompts()[2]).toContain(
    "Your task now:\nYour last answer did not pass: the command ended with 3: it is only a draft\nDo it again:",
  );
});

const EVENTS_OF_ITERATION = ["iteration", "query", "answer", "check", "iteration-ended"];

test("--log has every event as a line of JSON", () => {
  using scene = agentScene(twoSteps(), PROMPTS, SCRIPT);
  scene.run(["agent", "run", "agent", "--log", "log.jsonl"]);
  const events = scene.tree
    .read("log.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual([
    "started",
    ...EVENTS_OF_ITERATION,
    ...EVENTS_OF_ITERATION,
    "ended",
  ]);
  for (const { time } of events) expect(new Date(time).toISOString()).toBe(time);
  expect(events.at(-1)).toMatchObject({ result: { success: true } });
  scene.says(SCRIPT);
  scene.run(["agent", "run", "agent", "--log", "log.jsonl"]);
  expect(scene.tree.read("log.jsonl").trimEnd().split("\n")).toHaveLength(2 * events.length);
});

test("at a terminal what goes on is shown as it comes, and nowhere else", async () => {
  const script = [["Do one", "Hm."], ...SCRIPT] as const;
  const definition = twoSteps();
  definition.limits.maxRetries = 1;
  using scene = agentScene(definition, PROMPTS, script);
  const options = { cwd: scene.tree.root, home: scene.home.root, env: scene.env };
  const { shown, exitCode } = await runAtTerminal(["agent", "run", "agent"], options);
  const lines = shown
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\d\.\d s/, "N s"));
  expect([exitCode, lines.slice(1)]).toEqual([
    0,
    [
      "codelia: [1] step one",
      "codelia: [1] asking command",
      "codelia: [1] not passed: no JSON object and no 'field: value' lines in the answer to step 'one'",
      "codelia: [2] step one",
      "codelia: [2] asking command",
      "codelia: [2] passed: the answer has the required output",
      "codelia: [3] step two",
      "codelia: [3] asking command",
      "codelia: [3] passed: there is an answer",
      "1 one: not passed (N s, command): no JSON object and no 'field: value' lines in the answer to step 'one'",
      "2 one: passed (N s, command): the answer has the required output",
      "3 two: passed (N s, command): there is an answer",
      "complete: step 'two' ends the run: there is an answer",
    ],
  ]);
  scene.says(script);
  const quiet = await runAtTerminal(["agent", "run", "agent", "--quiet"], options);
  expect(quiet.shown).toStartWith("1 one: not passed");
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} ends in a whole result, and ends the engine`, async () => {
    using scene = agentScene(twoSteps(), PROMPTS, [SCRIPT[0], ["Do two", "hang"]]);
    const { child, end } = await startRun(scene);
    while (scene.prompts().length < 2) await after(5);
    child.kill(signal);
    const { exitCode, result } = await end();
    expectWhole(result);
    expect([exitCode, result.success, result.error, result.iterations]).toEqual([
      1,
      false,
      `the run was stopped by ${signal}`,
      2,
    ]);
    expect(readdirSync(scene.tree.path(".codelia/agents")).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });
}

test("a second run in the same tree is refused while the first goes on, and 'agent stop' ends that, twice", async () => {
  using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"]]);
  const { end } = await startRun(scene);
  const second = scene.run(["agent", "run", "agent", "--json"]);
  expect(second.exitCode).toBe(1);
  const { error } = JSON.parse(second.stdout);
  expect(error).toMatchObject({ code: "agent_failed", kind: "AlreadyStarted" });
  expect(error.message).toMatch(/'agent-two-\S+' is using this tree/);
  const [shown] = JSON.parse(scene.run(["agent", "status", "--json"]).stdout).runs;
  expect(shown).toMatchObject({ status: "started", step: "one", iterations: 0 });
  const stopped = scene.run(["agent", "stop", "--json"]);
  expect(stopped.exitCode).toBe(0);
  const { exitCode, result } = await end();
  expect([exitCode, result]).toEqual([1, resultOf(stopped)]);
  expect(result.error).toBe("the run was stopped by SIGTERM");
  const again = scene.run(["agent", "stop", shown.instance, "--json"]);
  expect([again.exitCode, resultOf(again)]).toEqual([0, result]);
  const none = scene.run(["agent", "stop"]);
  expect([none.exitCode, none.stderr]).toEqual([
    1,
    "codelia: no run is in progress here; 'codelia agent status' lists them\n",
  ]);
});

test("a run whose process was killed is shown as dead, and the next one takes its place", async () => {
  using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"], ...SCRIPT]);
  const { child } = await startRun(scene);
  child.kill("SIGKILL");
  await new Promise((resolve) => void child.on("close", resolve));
  expect(scene.run(["agent", "status"]).stdout).toContain("dead at step one: its process is gone");
  expect(scene.run(["agent", "run", "agent"]).exitCode).toBe(0);
  const { runs } = JSON.parse(scene.run(["agent", "status", "--json"]).stdout);
  expect(runs.map(({ result }: { result: AgentResult }) => [result.success, result.error])).toEqual([
    [false, "the process that drove the run is gone"],
    [true, undefined],
  ]);
});

test("a run whose process can't be seen from here is not taken for a dead one", async () => {
  using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"], ...SCRIPT]);
  const { child } = await startRun(scene);
  child.kill("SIGKILL");
  await new Promise((resolve) => void child.on("close", resolve));
  const lock = ".codelia/agents/run.lock";
  const holder = JSON.parse(scene.tree.read(lock));
  scene.tree.write(lock, JSON.stringify({ ...holder, pidNamespace: "pid:[1]" }));
  const { stderr, exitCode } = scene.run(["agent", "run", "agent"]);
  expect([exitCode, stderr.includes("names a process that can't be seen from here")]).toEqual([1, true]);
  expect(scene.run(["agent", "status"]).stdout).toContain("started: at step one");
  expect(scene.run(["agent", "stop"]).stderr).toContain("its process can't be seen from here");
  scene.tree.remove(lock);
  expect(scene.run(["agent", "run", "agent"]).exitCode).toBe(0);
});

test("a run does not start where none of its engines is installed", () => {
  using scene = agentScene(twoSteps(), PROMPTS, SCRIPT);
  const run = scene.run(["agent", "run", "agent", "--engine", "claude", "--json"], { env: { PATH: scene.bare } });
  expect(run.exitCode).toBe(3);
  expect(JSON.parse(run.stdout).error).toMatchObject({
    code: "agent_unusable",
    kind: "DependencyError",
    message: expect.stringContaining("'two' can't be run: engine 'claude' is not installed: it is not on PATH"),
  });
  expect(JSON.parse(scene.run(["agent", "status", "--json"]).stdout)).toEqual({ runs: [] });
});

test("an engine that is not there falls back on the next one", () => {
  const definition = { ...twoSteps() };
  using other = agentScene(definition, PROMPTS, SCRIPT);
  const whole = JSON.parse(other.tree.read("agent/agent.json"));
  whole.connection = { ...whole.connection, engine: "claude", fallback: ["command"] };
  other.tree.write("agent/agent.json", JSON.stringify(whole));
  other.run(["trust", "agent", "--yes"]);
  const run = resultOf(other.run(["agent", "run", "agent", "--json"], { env: { PATH: other.bare } }));
  expect(run.summaries.map(({ engine, queries }) => [engine, queries])).toEqual([
    ["command", 2],
    ["command", 1],
  ]);
});

test("an optional step that nobody can answer is left out; another is not", () => {
  const definition = twoSteps();
  definition.steps.two.inputs.variables["one.size"] = { required: false, default: 1 };
  definition.steps.one.optional = true;
  using scene = agentScene(definition, PROMPTS, [
    ["Do one", 3],
    ["Do two with 1", "done"],
  ]);
  const result = resultOf(scene.run(["agent", "run", "agent", "--json"]));
  expect(result).toMatchObject({ success: true, iterations: 2 });
  expect(result.summaries[0]).toMatchObject({ skipped: true, passed: false });
});

test("a required input that is missing ends the run, and is named", () => {
  const definition = twoSteps();
  definition.steps.one.output.size.required = false;
  using scene = agentScene(definition, PROMPTS, [["Do one", "{}"]]);
  const result = resultOf(scene.run(["agent", "run", "agent", "--json"]));
  expect(result.error).toBe("step 'two' can't be asked: its required input 'one.size' is missing");
  expect(result.iterations).toBe(2);
});

test("the limit of iterations ends a run that is not complete: a failure", () => {
  const definition = twoSteps();
  definition.limits.maxIterations = 3;
  definition.steps.two.check.onPass = "one";
  definition.completion = { type: "keywordSignal", keyword: "NEVER" };
  using scene = agentScene(definition, PROMPTS, [...SCRIPT, ...SCRIPT]);
  const result = resultOf(scene.run(["agent", "run", "agent", "--json"]));
  expect(result).toMatchObject({
    success: false,
    iterations: 3,
    error: "the run is not complete after 3 iterations, its limit",
  });
});

test("a state that a clone brought along is not used, and is not a run", () => {
  using scene = agentScene(twoSteps(), PROMPTS, [["Do one", "hang"]]);
  using other = agentScene(twoSteps(), PROMPTS, SCRIPT);
  other.run(["agent", "run", "agent"]);
  const [name = ""] = readdirSync(other.tree.path(".codelia/agents"));
  scene.tree.write(`.codelia/agents/${name}`, readFileSync(other.tree.path(".codelia/agents", name)));
  expect(JSON.parse(scene.run(["agent", "status", "--json"]).stdout)).toEqual({ runs: [] });
});

test("a directory of runs that is a link is not written to", () => {
  using scene = agentScene(twoSteps(), PROMPTS, SCRIPT, {
    ".codelia/agents": { link: "../elsewhere" },
    "elsewhere/a": "",
  });
  const { stderr, exitCode } = scene.run(["agent", "run", "agent"]);
  expect([exitCode, stderr.includes("is a link")]).toEqual([1, true]);
  expect(readdirSync(scene.tree.path("elsewhere"))).toEqual(["a"]);
  expect(scene.prompts()).toEqual([]);
});
