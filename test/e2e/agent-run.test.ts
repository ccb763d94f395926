import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import { CODELIA } from "../support/run-codelia.ts";
import { agentRunScene, connectionTo, resultOf, type AgentRunScene } from "./lib/agent-run-scene.ts";
import { ENGINES } from "./lib/engine-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { Turn } from "./lib/script.ts";
import { countSeen, lastSeen } from "./lib/seen.ts";

// `codelia agent run`, the built binary, with the real clients.

type Name = keyof typeof ENGINES;

const PROMPTS = {
  "measure.md": "Measure the house for {uv-who}.\n",
  "build.md": "Build it {uv-measure_height} {uv-measure_unit} high.\n",
  "review.md": "Is what you built {uv-measure_height} high?\n",
};

function houseOf(name: Name, connection: object = {}) {
  return {
    name: "house",
    entryStep: "measure",
    limits: { maxRetries: 2, timeoutMs: 40_000 },
    connection: connectionTo(name, connection),
    steps: {
      measure: {
        prompt: { path: "measure.md" },
        output: { height: { type: "number" }, unit: { type: "string", required: false, default: "m" } },
        check: { type: "output", onPass: "build" },
      },
      build: {
        prompt: { path: "build.md" },
        inputs: { from_step: "measure", variables: { height: true, unit: true } },
        check: { type: "prompt", prompt: { path: "review.md" }, onPass: "complete" },
      },
    },
  };
}

/** An answer as the client hands over what fits a schema, or as text where it is given none. */
function fitting(name: Name, data: object): Turn {
  return name === "claude"
    ? { toolUses: [{ name: "StructuredOutput", input: { ...data } }] }
    : { text: JSON.stringify(data) };
}

const HEIGHT = { height: 9 };
const RUN = ["agent", "run", "agent", "--var", "who=Ada", "--json"];

function requestsOf(scene: AgentRunScene, name: Name) {
  return scene.servers[name]!;
}

for (const name of ["claude", "codex"] as const) {
  describe.skipIf(ENGINES[name].client.missing !== undefined)(`agent run with ${name}`, () => {
    test(
      "hands variables over from step to step in one session, and retries a check that has failed",
      async () => {
        await using scene = await agentRunScene(houseOf(name), PROMPTS, {
          [name]: [
            fitting(name, HEIGHT),
            { text: "A hut." },
            fitting(name, { pass: false, reason: "It is a hut." }),
            { text: "A tower." },
            fitting(name, { pass: true, reason: "It is a tower." }),
          ],
        });
        const run = await scene.codelia(RUN);
        expect([run.stderr, run.exitCode]).toEqual(["", 0]);
        const result = resultOf(run);
        expect(result).toMatchObject({
          success: true,
          completionReason: "step 'build' ends the run: It is a tower.",
          iterations: 3,
        });
        expect(result.summaries).toMatchObject([
          { step: "measure", passed: true, queries: 1, engine: name },
          { step: "build", passed: false, queries: 2, reason: "It is a hut." },
          { step: "build", passed: true, queries: 2 },
        ]);
        if (name === "claude") {
          for (const { costUsd, turns } of result.summaries) expect([costUsd! > 0, turns! > 0]).toEqual([true, true]);
        }
        const server = requestsOf(scene, name);
        const seen = lastSeen(server);
        for (const said of [
          "Measure the house for Ada.",
          "Build it 9 m high.",
          "Is what you built 9 high?",
          "Your last answer did not pass: It is a hut.",
        ]) {
          expect(seen).toContain(said);
        }
        expect(countSeen(server, "Measure the house for Ada.").every((count) => count === 1)).toBe(true);
        expect(scene.left()).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "goes on in a new session where the old one has gone, and tells it what there is so far",
      async () => {
        const definition = houseOf(name);
        definition.steps.measure.check.onPass = "build";
        Object.assign(definition.steps.build, { check: { type: "output", onPass: "complete" } });
        // Between the two steps a command takes the client's sessions away.
        Object.assign(definition.steps.measure, {
          check: { type: "command", command: ["/bin/sh", "forget.sh"], onPass: "build" },
        });
        const forget = 'rm -rf "$HOME/.claude/projects" "$HOME/.codex/sessions" "$HOME"/.codex/*.sqlite*\n';
        await using scene = await agentRunScene(
          definition,
          { ...PROMPTS, "forget.sh": forget },
          {
            [name]: [fitting(name, HEIGHT), { text: "A tower." }],
          },
        );
        const run = await scene.codelia([...RUN, "--log", "log.jsonl"]);
        expect(resultOf(run)).toMatchObject({
          success: true,
          iterations: 2,
          summaries: [{ queries: 1 }, { queries: 2 }],
        });
        const events = scene.tree
          .read("log.jsonl")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).event);
        expect(events.filter((event: string) => event === "new-session")).toHaveLength(1);
        const seen = lastSeen(requestsOf(scene, name));
        expect(seen).toContain("earlier work that you can't see");
        expect(seen).toContain('"height": 9');
        expect(seen).toContain("Build it 9 m high.");
        expect(seen).not.toContain("Measure the house");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "ends in a whole result when it is interrupted, with all that it has started",
      async () => {
        await using scene = await agentRunScene(houseOf(name), PROMPTS, {
          [name]: [fitting(name, HEIGHT), { text: "I beg", hangs: true }],
        });
        const child = spawn(CODELIA, RUN, { cwd: scene.tree.root, env: scene.env });
        let stdout = "";
        child.stdout.on("data", (bytes: Uint8Array) => (stdout += new TextDecoder().decode(bytes)));
        const ended = new Promise<number | null>((resolve) => void child.on("close", resolve));
        while (requestsOf(scene, name).seenByModel.length < 2 && child.exitCode === null) await after(20);
        child.kill("SIGINT");
        expect(await ended).toBe(1);
        const result = resultOf({ stdout, stderr: "", exitCode: 1 });
        expect(result).toMatchObject({
          success: false,
          completionReason: "",
          error: "the run was stopped by SIGINT",
          iterations: 2,
        });
        expect(result.summaries).toMatchObject([
          { step: "measure", passed: true },
          { step: "build", passed: false },
        ]);
        expect(scene.left()).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );
  });
}

describe.skipIf(ENGINES.claude.client.missing !== undefined)("agent run with claude", () => {
  test(
    "waits a rate limit out",
    async () => {
      const error = { type: "rate_limit_error", message: "Slower." };
      const limit = { refusal: { status: 429, headers: { "retry-after": "1" }, error } };
      await using scene = await agentRunScene(houseOf("claude"), PROMPTS, {
        claude: [
          limit,
          limit,
          limit,
          fitting("claude", HEIGHT),
          { text: "A tower." },
          fitting("claude", { pass: true, reason: "It is." }),
        ],
      });
      const result = resultOf(await scene.codelia([...RUN, "--log", "log.jsonl"]));
      expect(result).toMatchObject({ success: true, iterations: 2, summaries: [{ queries: 2 }, { queries: 2 }] });
      const events = scene.tree
        .read("log.jsonl")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const wait = events.find(({ event }) => event === "wait");
      expect(wait.delayMs).toBeGreaterThanOrEqual(1000);
      const asked = events.filter(({ event }) => event === "query").map(({ time }) => Date.parse(time));
      expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(wait.delayMs);
    },
    TEST_TIMEOUT_MS,
  );
});

const isMissing = Object.values(ENGINES).some(({ client }) => client.missing !== undefined);

describe.skipIf(isMissing)("agent run", () => {
  test(
    "falls back on codex where claude's service is dead, and stays there",
    async () => {
      const definition = houseOf("claude", { fallback: ["codex"] });
      definition.limits.maxRetries = 0;
      definition.connection = { engine: "claude", args: [], fallback: ["codex"] } as never;
      await using scene = await agentRunScene(definition, PROMPTS, {
        claude: "down",
        codex: [fitting("codex", HEIGHT), { text: "A tower." }, fitting("codex", { pass: true, reason: "It is." })],
      });
      const result = resultOf(await scene.codelia(RUN));
      expect(result).toMatchObject({ success: true, iterations: 2 });
      expect(result.summaries).toMatchObject([
        { engine: "codex", queries: 2 },
        { engine: "codex", queries: 2 },
      ]);
      expect(lastSeen(scene.servers.codex!)).toContain("Build it 9 m high.");
    },
    TEST_TIMEOUT_MS,
  );
});
