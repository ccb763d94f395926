import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Engine, QueryOptions } from "../../../src/agent/engines/engine.ts";
import { queryWithRecovery, type RecoveryPlan } from "../../../src/agent/engines/recovery.ts";
import {
  AgentError,
  ConnectionError,
  ExecutionError,
  RateLimitError,
  SessionExpired,
} from "../../../src/agent/errors.ts";

type Turn = string | Error;
interface Asked {
  readonly engine: string;
  readonly prompt: string;
  readonly sessionId: string | undefined;
}

/** Engines that answer and fail as told; the last turn is repeated. */
function stage(turns: Readonly<Record<string, readonly Turn[]>>, plan: Partial<RecoveryPlan> = {}) {
  const asked: Asked[] = [];
  const log: string[] = [];
  const controller = new AbortController();
  const engines = Object.entries(turns).map(([name, said]): Engine => {
    const left = [...said];
    return {
      name,
      async query(prompt, { sessionId }) {
        asked.push({ engine: name, prompt, sessionId });
        const turn = left.length > 1 ? left.shift() : left[0];
        if (turn instanceof Error) throw turn;
        return { text: turn ?? "", durationMs: 1, sessionId: `of ${name}` };
      },
    };
  });
  const options: QueryOptions = { cwd: "/", args: [], timeoutMs: 60_000, signal: controller.signal };
  const ask = (sessionId?: string) =>
    queryWithRecovery("Do it.", sessionId === undefined ? options : { ...options, sessionId }, {
      engines: engines as [Engine, ...Engine[]],
      maxRetries: 2,
      isOptional: false,
      carry: { previousResponse: "Half done.", accumulatedContext: { measure: { height: 3 } } },
      sleep: async (milliseconds) => void log.push(`slept ${milliseconds}`),
      random: () => 0,
      onRecovery: (engine, error, recovery) => void log.push(`${engine}: ${error.code}, ${recovery.kind}`),
      ...plan,
    });
  return { ask, asked, log, controller };
}

const DOWN = new ConnectionError("unreachable", "it is down");
const EXPIRED = new SessionExpired("it is gone");
const MISSING = new ConnectionError("not_installed", "it is not there");

describe("queryWithRecovery()", () => {
  test("hands back an answer and who gave it", async () => {
    const { ask, asked, log } = stage({ one: ["Done."] });
    expect(await ask("s1")).toEqual({
      kind: "answered",
      engine: "one",
      result: { text: "Done.", durationMs: 1, sessionId: "of one" },
    });
    expect(asked).toEqual([{ engine: "one", prompt: "Do it.", sessionId: "s1" }]);
    expect(log).toEqual([]);
  });

  test("tries again in the same session, waiting as it was told", async () => {
    const { ask, asked, log } = stage({ one: [new RateLimitError("slower", 7000), DOWN, "Done."] });
    expect(await ask("s1")).toMatchObject({ kind: "answered" });
    expect(asked.map(({ sessionId }) => sessionId)).toEqual(["s1", "s1", "s1"]);
    expect(log).toEqual(["one: rate_limited, retry", "slept 7000", "one: connection_failed, retry", "slept 1000"]);
  });

  test("asks the next engine in a session of its own, told what the run carries", async () => {
    const { ask, asked, log } = stage({ one: [DOWN], two: [MISSING], three: ["Done."] });
    expect(await ask("s1")).toMatchObject({ kind: "answered", engine: "three" });
    expect(log.filter((line) => !line.startsWith("slept"))).toEqual([
      "one: connection_failed, retry",
      "one: connection_failed, retry",
      "one: connection_failed, fallback",
      "two: connection_failed, fallback",
    ]);
    expect(asked.at(-1)).toEqual({
      engine: "three",
      sessionId: undefined,
      prompt:
        "This continues earlier work that you can't see.\n\n" +
        'Results so far, as JSON:\n{\n  "measure": {\n    "height": 3\n  }\n}\n\n' +
        "The last answer:\nHalf done.\n\nYour task now:\nDo it.",
    });
  });

  test("gives each engine its own tries", async () => {
    const { ask, asked } = stage({ one: [DOWN], two: [DOWN, DOWN, "Done."] });
    await ask();
    expect(asked.map(({ engine }) => engine)).toEqual(["one", "one", "one", "two", "two", "two"]);
  });

  test("begins a lost session anew at once, told what the run carries, and counts no try for it", async () => {
    const { ask, asked, log } = stage({ one: [EXPIRED, DOWN, DOWN, "Done."] });
    expect(await ask("s1")).toMatchObject({ kind: "answered", engine: "one" });
    expect(asked.map(({ sessionId }) => sessionId)).toEqual(["s1", undefined, undefined, undefined]);
    expect(asked[1]?.prompt).toContain("The last answer:\nHalf done.");
    expect(log).toEqual([
      "one: session_expired, renew",
      "one: connection_failed, retry",
      "slept 500",
      "one: connection_failed, retry",
      "slept 1000",
    ]);
  });

  test("tells an engine without a session what the run carries, with every try", async () => {
    const { ask, asked } = stage({ one: [DOWN], two: [DOWN, "Done."] });
    await ask();
    expect(asked).toHaveLength(5);
    for (const { prompt } of asked) expect(prompt).toContain("The last answer:\nHalf done.");
  });

  test("shortens results that are long, and cuts what is still too long", async () => {
    const promptWith = async (accumulatedContext: Record<string, unknown>) => {
      const { ask, asked } = stage({ one: ["Done."] }, { carry: { accumulatedContext } });
      await ask();
      return asked[0]?.prompt ?? "";
    };
    const long = await promptWith({ a: { text: "x".repeat(900_000), size: 7 } });
    expect(long).toContain(`"${"x".repeat(500)} [899500 more characters]"`);
    expect([long.length < 1000, long.includes('"size": 7')]).toEqual([true, true]);
    const many = await promptWith({ a: { list: Array.from({ length: 90_000 }, (_, at) => at) } });
    expect([many.length < 34_000, many.includes("\n[cut here]\n")]).toEqual([true, true]);
  });

  test("says nothing of what there is not", async () => {
    const { ask, asked } = stage({ one: [EXPIRED, "Done."] }, { carry: {} });
    await ask("s1");
    expect(asked[1]?.prompt).toBe("Do it.");
  });

  test("leaves an optional step out, at last", async () => {
    const { ask, asked } = stage({ one: [DOWN] }, { isOptional: true });
    expect(await ask()).toEqual({ kind: "skipped", error: DOWN });
    expect(asked).toHaveLength(3);
  });

  test.each<[string, Error, number]>([
    ["what it was told last, when nothing has helped", DOWN, 3],
    ["what can't be recovered from, at once", new ExecutionError("no"), 1],
    ["an error of the program, at once and as it is", new TypeError("a mistake of ours"), 1],
  ])("throws %s", async (_, error, times) => {
    const { ask, asked } = stage({ one: [error] }, { isOptional: !(error instanceof ConnectionError) });
    expect(await ask().catch((thrown: unknown) => thrown)).toBe(error);
    expect(asked).toHaveLength(times);
  });

  test("asks nobody any more when it is stopped while it waits", async () => {
    const scene = stage({ one: [DOWN, "Done."] }, { sleep: async () => scene.controller.abort() });
    const error = await scene.ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({
      recoverable: false,
      message: "engine 'one' was not asked again: the run was stopped while it waited (it is down)",
    });
    expect(scene.asked).toHaveLength(1);
  });

  test("comes to an end, whatever the engines do, and asks none more often than it may", async () => {
    const turn = fc.constantFrom<Turn>("Done.", DOWN, EXPIRED, MISSING, new RateLimitError("slower", 100_000));
    const turns = fc.array(turn, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(turns, { minLength: 1, maxLength: 3 }),
        fc.nat(3),
        fc.boolean(),
        fc.option(fc.constant("s1"), { nil: undefined }),
        async (engines, maxRetries, isOptional, session) => {
          const names = Object.fromEntries(engines.map((said, index) => [`e${index}`, said]));
          const { ask, asked } = stage(names, { maxRetries, isOptional, sleep: async () => {} });
          const end = await ask(session).catch((error: unknown) => error);
          const counts = Object.keys(names).map((name) => asked.filter(({ engine }) => engine === name).length);
          // One more for a session that is begun anew.
          expect(Math.max(...counts)).toBeLessThanOrEqual(maxRetries + 2);
          // A session is only ever the first engine's.
          expect(asked.every(({ engine, sessionId }) => engine === "e0" || sessionId === undefined)).toBe(true);
          if (end instanceof Error) expect([end instanceof AgentError, isOptional]).toEqual([true, false]);
          else expect((end as { kind: string }).kind).toBeOneOf(isOptional ? ["answered", "skipped"] : ["answered"]);
        },
      ),
    );
  });
});
