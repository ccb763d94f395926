import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { ConnectionError, ExecutionError, RateLimitError, SessionExpired } from "../../src/agent/errors.ts";
import { bash } from "./lib/claude-tools.ts";
import { DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { engineScene, ENGINES } from "./lib/engine-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { Turn } from "./lib/script.ts";
import { countSeen, lastSeen } from "./lib/seen.ts";

// The engines on the real clients: what of their output we rely on.

const UNKNOWN_SESSION = "00000000-0000-4000-8000-000000000000";
const SCHEMA = {
  type: "object",
  properties: { height: { type: "number" } },
  required: ["height"],
};

function refusal(status: number, type: string, more: object = {}, headers: Record<string, string> = {}): Turn {
  return { refusal: { status, headers, error: { type, message: `It says ${status}.`, ...more } } };
}

const TOOLS = { claude: bash("cat a.txt"), codex: DIRECT_TOOLS.run("cat a.txt") };
const TOOL_NAMES = { claude: "Bash", codex: "command_execution" };

for (const name of ["claude", "codex"] as const) {
  describe.skipIf(ENGINES[name].client.missing !== undefined)(`engine ${name}`, () => {
    test(
      "asks once and hands back the answer, the session and what went on",
      async () => {
        await using scene = await engineScene(name, [{ text: "I look.", toolUses: [TOOLS[name]] }, { text: "It is." }]);
        const prompt = "--help is no flag here\nWhat is in 'a.txt'?";
        const { sessionId, durationMs, ...answer } = await scene.ask(prompt);
        expect(answer).toEqual({ text: "It is.", ...(name === "claude" && { costUsd: 0.0084, turns: 2 }) });
        expect(durationMs).toBeGreaterThan(0);
        expect(scene.events).toEqual([
          { kind: "session", sessionId: sessionId! },
          { kind: "text", text: "I look." },
          { kind: "tool", name: TOOL_NAMES[name] },
          { kind: "text", text: "It is." },
        ]);
        expect(countSeen(scene.server, prompt)).toEqual([1, 1]);
        expect(lastSeen(scene.server)).toContain("text of a");
        expect(scene.left()).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "goes on in a session, and counts its cost alone",
      async () => {
        await using scene = await engineScene(name, [{ text: "First." }, { text: "Second." }]);
        const first = await scene.ask("Begin.");
        const second = await scene.ask("Go on.", { sessionId: first.sessionId! });
        expect(second.sessionId).toBe(first.sessionId);
        expect([first.costUsd, second.costUsd]).toEqual(name === "claude" ? [0.0042, 0.0042] : [undefined, undefined]);
        expect(countSeen(scene.server, "Begin.")).toEqual([1, 1]);
        expect(lastSeen(scene.server)).toContain("First.");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "has an answer made that fits a schema",
      async () => {
        const claude = { toolUses: [{ name: "StructuredOutput", input: { height: 3 } }] };
        await using scene = await engineScene(name, [name === "claude" ? claude : { text: '{"height":3}' }]);
        const { structured, text } = await scene.ask("How high?", { schema: SCHEMA });
        expect({ structured, text: JSON.parse(text) }).toEqual({ structured: { height: 3 }, text: { height: 3 } });
        const { tools, text: wanted } = scene.server.requests.at(-1)!.body as { tools: object[]; text?: object };
        if (name === "claude") {
          const tool = tools.find((entry) => (entry as { name: string }).name === "StructuredOutput");
          expect(tool).toMatchObject({ input_schema: SCHEMA });
        } else {
          const schema = { ...SCHEMA, additionalProperties: false };
          expect(wanted).toMatchObject({ format: { type: "json_schema", strict: true, schema } });
        }
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "leaves an answer that fits no schema to its reader",
      async () => {
        await using scene = await engineScene(name, [{ text: "High." }, { text: "Very high." }]);
        const { structured, text } = await scene.ask("How high?", { schema: SCHEMA });
        expect({ structured, text }).toEqual({
          structured: undefined,
          text: name === "claude" ? "Very high." : "High.",
        });
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "tells a session that is not there, and asks no model",
      async () => {
        await using scene = await engineScene(name, []);
        const error = await scene.fail("Go on.", { sessionId: UNKNOWN_SESSION });
        expect(error).toBeInstanceOf(SessionExpired);
        expect(error).toMatchObject({ recoverable: true, code: "session_expired" });
        expect(error.message).toStartWith(`engine '${name}' no longer has session '${UNKNOWN_SESSION}'`);
        expect(await scene.fail("Go on.", { sessionId: "--last" })).toBeInstanceOf(SessionExpired);
        expect(scene.server.requests).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "tells a service that is overloaded, one that refuses and one that fails",
      async () => {
        const overloaded =
          name === "claude" ? refusal(529, "overloaded_error") : refusal(503, "x", { code: "server_is_overloaded" });
        const unknownKey = refusal(401, "authentication_error");
        const asked = name === "claude" ? 3 : 1; // by the client, which tries again by itself
        const turns = [
          ...Array.from({ length: asked }, () => overloaded),
          ...Array.from({ length: 3 }, () => unknownKey),
        ];
        await using scene = await engineScene(name, turns);
        expect(await scene.fail("Go.")).toMatchObject({ reason: "overloaded", isTransient: true });
        const error = await scene.fail("Go.");
        expect(error).toMatchObject({ reason: "refused", isTransient: false });
        expect(error.message).toContain("It says 401.");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "tells a service that can't be reached",
      async () => {
        await using scene = await engineScene(name, [], { isDown: true });
        const error = await scene.fail("Go.");
        expect(error).toBeInstanceOf(ConnectionError);
        expect(error).toMatchObject({ reason: "unreachable", isTransient: true, code: "connection_failed" });
        expect(scene.left()).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "ends in the middle of an answer, with all that it has started",
      async () => {
        const controller = new AbortController();
        const command = "(tail -f a.txt & setsid tail -f a.txt & touch started; tail -f a.txt)";
        const tool = name === "claude" ? bash(command) : DIRECT_TOOLS.run(command);
        await using scene = await engineScene(name, [{ text: "I wait.", toolUses: [tool] }]);
        const watch = setInterval(() => void (existsSync(scene.tree.path("started")) && controller.abort()), 50);
        const error = await scene.fail("Go.", { signal: controller.signal });
        clearInterval(watch);
        expect(error).toBeInstanceOf(ExecutionError);
        expect(error).toMatchObject({ recoverable: false });
        expect(existsSync(scene.tree.path("started"))).toBe(true);
        expect(scene.left()).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "ends when a model that has begun to speak says no more in time",
      async () => {
        await using scene = await engineScene(name, [{ text: "I beg", hangs: true }]);
        const error = await scene.fail("Go.", { timeoutMs: 3000 });
        expect(error).toMatchObject({ reason: "timed_out", isTransient: true });
        expect(scene.server.seenByModel).toHaveLength(1);
        expect(scene.left()).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "tells words that the client does not know",
      async () => {
        await using scene = await engineScene(name, []);
        const error = await scene.fail("Go.", { args: ["--nonsense"] });
        expect(error).toMatchObject({ reason: "refused", isTransient: false });
      },
      TEST_TIMEOUT_MS,
    );
  });
}

describe.skipIf(ENGINES.claude.client.missing !== undefined)("engine claude", () => {
  test(
    "tells a rate limit with the delay that the service states, which the client has waited once or twice itself",
    async () => {
      const limit = refusal(429, "rate_limit_error", {}, { "retry-after": "1" });
      await using scene = await engineScene("claude", [limit, limit, limit]);
      const error = await scene.fail("Go.");
      expect(error).toBeInstanceOf(RateLimitError);
      expect((error as RateLimitError).retryAfterMs).toBeGreaterThanOrEqual(1000);
      const waits = scene.events.filter(({ kind }) => kind === "waiting");
      expect(waits).toMatchObject([{ reason: "rate_limit" }, { reason: "rate_limit" }]);
      expect(scene.server.seenByModel).toHaveLength(3);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "does not wait for a limit that ends in an hour, nor learns when it ends",
    async () => {
      await using scene = await engineScene("claude", [
        refusal(429, "rate_limit_error", {}, { "retry-after": "3600" }),
      ]);
      const error = await scene.fail("Go.");
      expect(error).toBeInstanceOf(RateLimitError);
      expect((error as RateLimitError).retryAfterMs).toBeUndefined();
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "is not told of a request that the client itself has repaired",
    async () => {
      const turns = [refusal(400, "invalid_request_error"), { text: "Repaired." }];
      await using scene = await engineScene("claude", turns, { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
      expect((await scene.ask("Go.")).text).toBe("Repaired.");
      expect(scene.server.seenByModel).toHaveLength(2);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "uses the tools that are allowed, and no others",
    async () => {
      const turns = [{ toolUses: [bash("touch one")] }, { toolUses: [bash("mkdir two")] }, { text: "Done." }];
      await using scene = await engineScene("claude", turns);
      const args = ["--model", "claude-opus-5-5"];
      await scene.ask("Go.", { args, allowedTools: ["Bash(touch *)", "Read"] });
      expect(["one", "two"].map((path) => existsSync(scene.tree.path(path)))).toEqual([true, false]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "runs inside another session of the client",
    async () => {
      const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: UNKNOWN_SESSION, CLAUDE_CODE_ENTRYPOINT: "cli" };
      await using scene = await engineScene("claude", [{ text: "Inside." }], { env });
      const answer = await scene.ask("Go.");
      expect(answer.text).toBe("Inside.");
      expect(answer.sessionId).not.toBe(UNKNOWN_SESSION);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(ENGINES.codex.client.missing !== undefined)("engine codex", () => {
  const inTwoDays = Math.floor(Date.now() / 1000) + 2 * 86_400;
  const inTwoMinutes = Math.floor(Date.now() / 1000) + 120;
  test.each([
    ["today", inTwoMinutes],
    ["another day", inTwoDays],
  ])(
    "tells a usage limit and when it ends: %s",
    async (_, endsAt) => {
      await using scene = await engineScene("codex", [
        refusal(429, "usage_limit_reached", { plan_type: "plus", resets_at: endsAt }),
      ]);
      const error = (await scene.fail("Go.")) as RateLimitError;
      expect(error).toBeInstanceOf(RateLimitError);
      const earlyMs = endsAt * 1000 - Date.now() - error.retryAfterMs!;
      expect(earlyMs).toBeLessThan(0);
      expect(earlyMs).toBeGreaterThan(-70_000);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "tells another rate limit, whose delay the client keeps to itself",
    async () => {
      await using scene = await engineScene("codex", [refusal(429, "rate_limit_exceeded", {}, { "retry-after": "7" })]);
      const error = await scene.fail("Go.");
      expect(error).toBeInstanceOf(RateLimitError);
      expect((error as RateLimitError).retryAfterMs).toBeUndefined();
    },
    TEST_TIMEOUT_MS,
  );
});
