import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { runCodelia, CODELIA } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { bash } from "./lib/claude-tools.ts";
import { runClaude } from "./lib/claude.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { installHooks } from "./lib/codelia-scene.ts";
import { DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { CODEX_CONFIG, runCodex } from "./lib/codex.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { countSeen, lastSeen, turnsOf } from "./lib/seen.ts";

// A definition that the real clients are guided through by the Stop hook that `codelia install` registers.

const STEP = (name: string, onPass: string) => ({ prompt: { path: `${name}.md` }, check: { type: "output", onPass } });

const HOUSE = {
  name: "house",
  entryStep: "measure",
  limits: { maxRetries: 1 },
  steps: {
    measure: { ...STEP("measure", "build"), output: { height: { type: "number" } } },
    build: { ...STEP("build", "paint"), inputs: { variables: { "measure.height": true } } },
    paint: {
      prompt: { path: "paint.md" },
      check: { type: "prompt", prompt: { path: "review.md" }, onPass: "complete" },
    },
  },
};
const LOOP = {
  name: "loop",
  entryStep: "work",
  limits: { maxIterations: 4 },
  completion: { type: "keywordSignal", keyword: "TASK_COMPLETE" },
  steps: { work: { prompt: { path: "work.md" } } },
};
const PROMPTS = {
  "measure.md": "Measure the house.\n",
  "build.md": "Build it {uv-measure_height} high.\n",
  "paint.md": "Paint it.\n",
  "review.md": "Is it painted?\n",
  "work.md": "Work on. When nothing is left, signal TASK_COMPLETE.\n",
};

function project(definition: object): TempTree {
  return tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "agent/agent.json": JSON.stringify(definition),
    ...Object.fromEntries(Object.entries(PROMPTS).map(([path, text]) => [`agent/${path}`, text])),
  });
}

function onlyRun(tree: TempTree, home: TempTree) {
  const { runs } = JSON.parse(runCodelia(["agent", "status", "--json"], { cwd: tree.root, home: home.root }).stdout);
  expect(runs).toHaveLength(1);
  return runs[0];
}

const PASS = { text: '{"pass": true, "reason": "It is red."}' };

describe.skipIf(CLAUDE.missing !== undefined)("the Stop hook of Claude Code", () => {
  /** Begun by the user, who gives the model the first prompt. */
  async function guide(tree: TempTree, home: TempTree, main: readonly { text: string }[], channel = "command") {
    installHooks("claude", tree, home, channel);
    const session = randomUUID();
    const started = runCodelia(["agent", "start", "agent", "--session", session], { cwd: tree.root, home: home.root });
    expect([started.stderr, started.exitCode]).toEqual(["", 0]);
    const run = await runClaude({
      tree,
      home,
      // As a list, for the client to print what hooks tell the user.
      prompt: [started.stdout],
      args: ["--session-id", session],
      script: { main },
    });
    expect([run.exitCode, run.stderr, run.leftBehind]).toEqual([0, "", []]);
    return run;
  }

  test.each(["command", "mcp", "mod"])(
    "by %s drives it through three steps to completion: what does not pass is done again, a check is one more turn",
    async (channel) => {
      using tree = project(HOUSE);
      using home = tempTree();
      const main = [
        { text: "It is high." },
        { text: '```json\n{ "height": 9 }\n```' },
        { text: "Built." },
        { text: "Painted." },
        PASS,
        { text: "Never asked." },
      ];
      const run = await guide(tree, home, main, channel);
      expect(turnsOf(run)).toHaveLength(5);
      expect(countSeen(run, "Measure the house.").slice(0, 1)).toEqual([1]);
      for (const said of [
        "Your last answer did not pass: no JSON object",
        "Build it 9 high.",
        "Paint it.",
        "Is it painted?",
      ]) {
        expect(lastSeen(run)).toContain(said);
      }
      expect(onlyRun(tree, home)).toMatchObject({
        status: "stopped",
        outputs: { measure: { height: 9 } },
        result: { success: true, completionReason: "step 'paint' ends the run: It is red.", iterations: 4 },
      });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "stops at the limit when the model never completes",
    async () => {
      using tree = project(LOOP);
      using home = tempTree();
      const run = await guide(
        tree,
        home,
        Array.from({ length: 12 }, (_, at) => ({ text: `I go on: ${at}.` })),
      );
      // The fifth is the model's report.
      expect(turnsOf(run)).toHaveLength(5);
      expect(lastSeen(run)).toContain("has failed: the run is not complete after 4 iterations, its limit");
      expect(run.stdout).toContain("Stop says: codelia: the guided run 'agent-loop-");
      expect(onlyRun(tree, home).result).toMatchObject({
        success: false,
        iterations: 4,
        error: "the run is not complete after 4 iterations, its limit",
      });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "has the client stop where that would heed it no longer, and goes on with the next prompt of the user",
    async () => {
      using tree = project({ ...LOOP, limits: { maxIterations: 20 } });
      using home = tempTree();
      const run = await guide(
        tree,
        home,
        Array.from({ length: 12 }, (_, at) => ({ text: `I go on: ${at}.` })),
      );
      expect(turnsOf(run)).toHaveLength(9);
      expect(onlyRun(tree, home)).toMatchObject({ status: "started", isUntold: true, iterations: 9 });
      const main = [{ text: "I will say TASK_COMPLETE later" }, { text: "TASK_COMPLETE" }];
      const again = await runClaude({ tree, home, prompt: "Go on.", resume: true, script: { main } });
      expect([again.exitCode, turnsOf(again).length]).toEqual([0, 2]);
      expect(onlyRun(tree, home).result).toMatchObject({ success: true, iterations: 10 });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "guides a session whose model has begun the run itself",
    async () => {
      using tree = project(LOOP);
      using home = tempTree();
      installHooks("claude", tree, home);
      const main = [
        { toolUses: [bash(`'${CODELIA}' agent start agent`)] },
        { text: "I work." },
        { text: "TASK_COMPLETE" },
      ];
      const run = await runClaude({ tree, home, prompt: "Go.", script: { main } });
      expect([run.exitCode, turnsOf(run).length]).toEqual([0, 3]);
      expect(onlyRun(tree, home).result).toMatchObject({ success: true, iterations: 2 });
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(CODEX.missing !== undefined)("the Stop hook of Codex", () => {
  test.each(["command", "mcp"])(
    "by %s drives it through three steps to completion, in a run that its model has begun",
    async (channel) => {
      using tree = project(HOUSE);
      using home = tempTree();
      home.write(".codex/config.toml", CODEX_CONFIG);
      installHooks("codex", tree, home, channel);
      const main = [
        { toolUses: [DIRECT_TOOLS.run(`'${CODELIA}' agent start agent`)] },
        { text: '{ "height": 9 }' },
        { text: "Built." },
        { text: "Painted." },
        PASS,
        { text: "Never asked." },
      ];
      const run = await runCodex({ tree, home, prompt: "Go.", script: { main } });
      expect([run.exitCode, turnsOf(run).length]).toEqual([0, 5]);
      for (const said of ["Measure the house.", "Build it 9 high.", "Paint it.", "Is it painted?"]) {
        expect(lastSeen(run)).toContain(said);
      }
      expect(onlyRun(tree, home).result).toMatchObject({ success: true, iterations: 3 });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "stops at our limit, because the client has none",
    async () => {
      using tree = project({ ...LOOP, limits: { maxIterations: 12 } });
      using home = tempTree();
      installHooks("codex", tree, home);
      const start = { toolUses: [DIRECT_TOOLS.run(`'${CODELIA}' agent start agent`)] };
      const main = [start, ...Array.from({ length: 20 }, (_, at) => ({ text: `I go on: ${at}.` }))];
      const run = await runCodex({ tree, home, prompt: "Go.", script: { main } });
      expect([run.exitCode, turnsOf(run).length]).toEqual([0, 14]);
      expect(lastSeen(run)).toContain("has failed: the run is not complete after 12 iterations, its limit");
      expect(onlyRun(tree, home).result).toMatchObject({ success: false, iterations: 12 });
    },
    TEST_TIMEOUT_MS,
  );
});
