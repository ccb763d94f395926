import { describe, expect, test } from "bun:test";
import { queryWithRecovery, type RecoveryPlan } from "../../src/agent/engines/recovery.ts";
import type { QueryOptions } from "../../src/agent/engines/engine.ts";
import { sleep } from "../../src/lib/process.ts";
import { engineScene, ENGINES, type EngineScene } from "./lib/engine-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { lastSeen } from "./lib/seen.ts";

// What a run does about engines that fail, on the real clients.

const LIMIT = {
  refusal: { status: 429, headers: { "retry-after": "1" }, error: { type: "rate_limit_error", message: "Slower." } },
};
const CARRY = { previousResponse: "The house is half built." };

/** One recovered query, with what was decided on the way. The words of each engine's command line are its own. */
async function recover(scenes: readonly EngineScene[], given: Partial<QueryOptions> = {}) {
  const decided: string[] = [];
  const delaysMs: number[] = [];
  const engines = scenes.map(({ engine, ask }) => ({
    name: engine.name,
    query: (prompt: string, { cwd: _cwd, args: _args, ...options }: QueryOptions) => ask(prompt, options),
  }));
  const options = { cwd: "/", args: [], timeoutMs: 40_000, signal: new AbortController().signal, ...given };
  const answer = await queryWithRecovery("Build on.", options, {
    engines: engines as unknown as RecoveryPlan["engines"],
    maxRetries: 1,
    isOptional: false,
    carry: CARRY,
    sleep,
    random: () => 0,
    onRecovery: (engine, { code }, recovery) => {
      decided.push(`${engine}: ${code}, ${recovery.kind}`);
      if (recovery.kind === "retry") delaysMs.push(recovery.delayMs);
    },
  });
  return { answer, decided, delaysMs };
}

const isMissing = Object.values(ENGINES).some(({ client }) => client.missing !== undefined);

describe.skipIf(isMissing)("recovery", () => {
  test(
    "waits a rate limit out, as long as it was told to",
    async () => {
      await using scene = await engineScene("claude", [LIMIT, LIMIT, { text: "Built." }], {
        env: { CLAUDE_CODE_MAX_RETRIES: "1" },
      });
      const { answer, decided, delaysMs } = await recover([scene]);
      expect(answer).toMatchObject({ kind: "answered", result: { text: "Built." } });
      expect(decided).toEqual(["claude: rate_limited, retry"]);
      expect(delaysMs[0]).toBeGreaterThanOrEqual(1000);
    },
    TEST_TIMEOUT_MS,
  );

  test.each(["claude", "codex"] as const)(
    "goes on in a new session of %s where the old one is gone, and tells it what it must know",
    async (name) => {
      await using scene = await engineScene(name, [{ text: "Built." }]);
      const { answer, decided } = await recover([scene], { sessionId: "00000000-0000-4000-8000-000000000000" });
      expect(answer).toMatchObject({ kind: "answered", engine: name, result: { text: "Built." } });
      expect(decided).toEqual([`${name}: session_expired, renew`]);
      expect(lastSeen(scene.server)).toContain(CARRY.previousResponse);
      expect(lastSeen(scene.server)).toContain("Your task now:\nBuild on.");
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "asks Codex where Claude's service is down",
    async () => {
      await using claude = await engineScene("claude", [], { isDown: true, env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
      await using codex = await engineScene("codex", [{ text: "Built." }]);
      const { answer, decided } = await recover([claude, codex]);
      expect(answer).toMatchObject({ kind: "answered", engine: "codex", result: { text: "Built." } });
      expect(decided).toEqual(["claude: connection_failed, retry", "claude: connection_failed, fallback"]);
    },
    TEST_TIMEOUT_MS,
  );
});
