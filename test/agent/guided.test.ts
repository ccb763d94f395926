import { expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describeSelf } from "../../src/lib/lock.ts";
import { startHookServer } from "../support/hook-server.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { CODELIA, startCodelia } from "../support/run-codelia.ts";
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

interface StopOptions {
  host?: string;
  isContinued?: boolean;
  fields?: object;
  cwd?: string;
}

/** Tells the hook of a stop; the answer is what the model is told, "" where it may stop. The user is told nothing. */
function stop(scene: AgentScene, message: string | null, options?: StopOptions) {
  const { user, model } = tell(scene, message, options);
  expect(user).toBeUndefined();
  return model ?? "";
}

/** The same, with what the user is told. */
function tell(scene: AgentScene, message: string | null, options: StopOptions = {}): { user?: string; model?: string } {
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
  if (stdout === "") return {};
  const { decision, reason, systemMessage, ...rest } = JSON.parse(stdout);
  expect([decision, rest]).toEqual([reason === undefined ? undefined : "block", {}]);
  return { user: systemMessage, model: reason };
}

/** What a failure is told as. */
function failureOf(scene: AgentScene, why: string) {
  const { instance } = onlyRun(scene);
  const look = `'codelia agent status ${instance}' shows the run`;
  return {
    user: expect.stringMatching(
      new RegExp(`^codelia: the guided run '${instance}' failed: .*${why}.*; 'codelia agent status ${instance}'`, "s"),
    ),
    model: expect.stringMatching(new RegExp(`^The guided run '${instance}' has failed: .*${why}.*; ${look}\\.$`, "s")),
  };
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

/** What a context is given that begins for this reason. */
function begin(scene: AgentScene, host: string, source: string, fields: object = {}): string {
  const event = { hook_event_name: "SessionStart", session_id: "s1", cwd: scene.tree.path("."), source, ...fields };
  const { stdout, stderr, exitCode } = scene.run(["hook", host], { stdin: JSON.stringify(event) });
  expect([stderr, exitCode]).toEqual(["", 0]);
  return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

test.each(["claude", "codex"])("%s: a model that compacted in the middle of a step has its prompt again", (host) => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  expect(stop(scene, '{"size": 7}', { host, isContinued: false })).toBe("Do two with 7.\n");
  expect(begin(scene, host, "compact")).toStartWith(
    "You work on step 'two' of agent 'guided'. Its prompt again:\n\nDo two with 7.\n",
  );
  expect(begin(scene, host, "startup", { session_id: "s2" })).not.toContain("Do two");
  expect(stop(scene, "done", { host })).toStartWith("Is 7 enough?\n");
  expect(begin(scene, host, "compact")).toContain("Is 7 enough?\n");
  expect(stop(scene, '{"pass": true, "reason": "It is."}', { host })).toBe("");
  expect(begin(scene, host, "compact")).not.toContain("agent 'guided'");
});

test("a prompt that leaves no room for instructions is read from a file after a compaction", () => {
  using scene = agentScene(
    guidedSteps(),
    { ...PROMPTS, "prompts/one.md": `Do one.\n${"Mind this.\n".repeat(600)}` },
    [],
  );
  start(scene);
  const [, path = ""] = /Its prompt again: read all of '(.*)' and do what it says\.\n/.exec(
    begin(scene, "claude", "compact"),
  ) ?? [""];
  expect(readFileSync(path, "utf8")).toContain("Mind this.\n".repeat(600));
});

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
      failure: { class: "ExecutionError", code: "Stopped", recoverable: false },
      iterations: 0,
      summaries: [],
      outputs: {},
    },
  ]);
  const again = [["--session", "s1"], [json.instance]].map((which) => scene.run(["agent", "stop", ...which, "--json"]));
  expect(again).toEqual([stopped, stopped]);
  expect(scene.run(["agent", "stop", "--session", "s2"]).exitCode).toBe(1);
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

test("a guided run fails when its tries are used up: the user and the model are told once", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  expect(stop(scene, "no", { isContinued: false })).not.toBe("");
  expect(tell(scene, "no")).toEqual(failureOf(scene, "step 'one' did not pass in 2 tries: no JSON object"));
  expect(stop(scene, "It has failed.")).toBe("");
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
  const more = (at: number) => tell(scene, `more ${at}`, { host: "codex" });
  for (const at of [1, 2, 3, 4]) expect(more(at).model).toStartWith("Do one.\n\nWhen the whole task is done");
  expect(more(5)).toEqual(failureOf(scene, "the run is not complete after 5 iterations, its limit"));
  expect(more(6)).toEqual({});
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
  const said = Array.from({ length: 9 }, (_, at) => stop(scene, `more ${at}`, { isContinued: at > 0 }));
  for (const prompt of said.slice(0, 8)) expect(prompt).toStartWith("Do one.\n");
  expect(said.at(-1)).toBe("");
  expect(onlyRun(scene)).toMatchObject({ iterations: 9, isUntold: true });
  const other = stop(scene, "The user asked something else. DONE", { isContinued: false });
  expect(other).toStartWith("Do one.\n");
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
  expect(tell(scene, '{"size": 7}')).toEqual(failureOf(scene, "has changed since it was trusted"));
  expect(onlyRun(scene).result.failure).toMatchObject({ code: "NotTrusted" });
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

test("a failure that the client will not heed is told to the user, and to the model when it next stops", () => {
  const definition = guidedSteps();
  definition.limits.maxIterations = 9;
  definition.steps = { one: { prompt: { path: "prompts/one.md" } } };
  definition.completion = { type: "keywordSignal", keyword: "DONE" };
  using scene = agentScene(definition, PROMPTS, []);
  start(scene);
  for (let at = 0; at < 8; at++) expect(stop(scene, `more ${at}`, { isContinued: at > 0 })).not.toBe("");
  const last = tell(scene, "more 8");
  const { user, model } = failureOf(scene, "after 9 iterations, its limit");
  expect(last).toEqual({ user });
  expect(stop(scene, "You asked?", { isContinued: false })).toEqual(model);
  expect(stop(scene, "It has failed.")).toBe("");
  expect(readdirSync(scene.home.path(".local/state/codelia/guided"))).toEqual([]);
});

test("a step that the completion left unchecked is told to the user, and the model may stop", () => {
  const definition = guidedSteps();
  definition.completion = { type: "keywordSignal", keyword: "DONE" };
  using scene = agentScene(definition, PROMPTS, []);
  start(scene);
  stop(scene, '{"size": 7}');
  expect(tell(scene, "Two is done. DONE")).toEqual({
    user: expect.stringContaining("is complete: the answer says 'DONE'; step 'two' was not checked; 'codelia agent"),
  });
  expect(onlyRun(scene).summaries.at(-1)).toMatchObject({ passed: false, unchecked: true });
});

test("a run whose record is gone is told once, as failed", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  const [name = ""] = readdirSync(scene.tree.path(".codelia/agents"));
  scene.tree.write(`.codelia/agents/${name}`, "broken");
  const { user, model } = tell(scene, '{"size": 7}');
  expect(user).toContain("failed: its record is gone or can't be used");
  expect(model).toContain("Tell the user so. No further step follows.");
  expect(stop(scene, "I see.")).toBe("");
});

test("a prompt whose step can't be recorded is not given, and the user is told", () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  const [name = ""] = readdirSync(scene.tree.path(".codelia/agents"));
  // A lock that another process holds.
  scene.tree.write(`.codelia/agents/${name}.lock`, JSON.stringify(describeSelf(fakeWorld({ pid: process.pid }))));
  const { user, model } = tell(scene, '{"size": 7}');
  expect([user, model]).toEqual([expect.stringContaining("so no next step is given"), undefined]);
  scene.tree.remove(`.codelia/agents/${name}.lock`);
  expect(stop(scene, '{"size": 8}')).toBe("Do two with 8.\n");
});

test("of two hooks of one stop, the later one does not take the answer for that to the next prompt", async () => {
  using scene = agentScene(guidedSteps(), PROMPTS, []);
  start(scene);
  const event = {
    hook_event_name: "Stop",
    session_id: "s1",
    cwd: scene.tree.root,
    last_assistant_message: '{"size": 7}',
  };
  // Both are started at once; this one hears of the event when the other is done.
  const late = spawn(CODELIA, ["hook", "claude"], { cwd: scene.tree.root, env: { HOME: scene.home.root } });
  const said: string[] = [];
  late.stdout.on("data", (bytes: Uint8Array) => said.push(new TextDecoder().decode(bytes)));
  await new Promise((resolve) => void late.on("spawn", resolve));
  expect(stop(scene, '{"size": 7}', { isContinued: false })).toBe("Do two with 7.\n");
  const ended = new Promise((resolve) => void late.on("close", resolve));
  late.stdin.end(JSON.stringify(event));
  expect([await ended, said.join("")]).toEqual([0, ""]);
  expect(onlyRun(scene)).toMatchObject({ iterations: 1, step: "two", awaiting: "answer" });
});

test("a server leaves the end of a turn to a process: while a check takes its time, others are answered", async () => {
  const definition = guidedSteps();
  definition.steps.one.check = { type: "command", command: ["cat", "gate"], onPass: "two" };
  using scene = agentScene(definition, PROMPTS, [], { "AGENTS.md": "Root rules.\n" });
  expect(spawnSync("mkfifo", [scene.tree.path("gate")]).status).toBe(0);
  start(scene);
  using server = startHookServer({ path: (name) => (name === "repo" ? scene.tree : scene.home).root }, scene.env);
  const ended = { client: "claude", cwd: scene.tree.root, session_id: "s1", hook_event_name: "Stop" };
  const checking = server.ask({ ...ended, last_assistant_message: '{"size": 7}', stop_hook_active: "false" });
  const touch = { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: scene.tree.path("x") } };
  expect(await server.ask({ ...ended, ...touch })).toContain("AGENTS.md");
  expect(await server.ask({ ...ended, session_id: "other", last_assistant_message: "x" })).toBe("");
  scene.tree.write("gate", "open");
  expect(JSON.parse(await checking)).toEqual({ decision: "block", reason: "Do two with 7.\n" });
  expect(await server.end()).toBe(0);
});

test("a server whose client goes ends the check of a turn, too", async () => {
  const definition = guidedSteps();
  definition.steps.one.check = { type: "command", command: ["cat", "gate"], onPass: "two" };
  using scene = agentScene(definition, PROMPTS, []);
  expect(spawnSync("mkfifo", [scene.tree.path("gate")]).status).toBe(0);
  start(scene);
  using server = startHookServer({ path: (name) => (name === "repo" ? scene.tree : scene.home).root }, scene.env);
  const ended = { client: "claude", cwd: scene.tree.root, session_id: "s1", hook_event_name: "Stop" };
  void server.ask({ ...ended, last_assistant_message: '{"size": 7}' });
  await server.request("ping");
  expect(await server.end()).toBe(0);
  // Nobody reads it any more.
  const opened = spawnSync("dd", ["of=gate", "oflag=nonblock", "count=0", "conv=notrunc,nocreat"], {
    cwd: scene.tree.root,
  });
  expect([opened.status, opened.stderr.toString()]).toEqual([1, expect.stringContaining("No such device")]);
});
