import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { concludeClaude, readClaudeEvent, type ClaudeReading } from "../../../src/agent/engines/claude.ts";
import { concludeCodex, readCodexEvent, type CodexReading } from "../../../src/agent/engines/codex.ts";
import { parseObject, type JsonObject } from "../../../src/agent/engines/answers.ts";
import { readLines } from "../../../src/agent/engines/run.ts";
import { statedDelay } from "../../../src/agent/engines/codex.ts";
import { strictSchema } from "../../../src/agent/engines/codex.ts";
import { ConnectionError, SessionExpired } from "../../../src/agent/errors.ts";

const NOW_MS = new Date(2026, 10, 18, 17, 0, 0).getTime();

function claude(events: readonly JsonObject[], words = "", sessionId?: string) {
  const reading: ClaudeReading = { costUsd: 0 };
  for (const event of events) readClaudeEvent(reading, event);
  return concludeClaude(reading, { sessionId, nowMs: NOW_MS }, { exitCode: 1, words });
}

function codex(events: readonly JsonObject[], words = "", exitCode = 1, sessionId?: string) {
  const reading: CodexReading = { isCompleted: false, waits: 0, told: new Set() };
  for (const event of events) readCodexEvent(reading, event, sessionId);
  return concludeCodex(reading, { sessionId, nowMs: NOW_MS }, { exitCode, words });
}

const FAILED = { type: "result", is_error: true, num_turns: 1, result: "It says so." };
const apiError = (error: string) => ({ type: "assistant", is_api_error_message: true, error });

describe("what Claude Code says", () => {
  test.each<[string, readonly JsonObject[], object]>([
    ["500", [{ ...FAILED, api_error_status: 500 }], { reason: "failed", isTransient: true }],
    ["400", [{ ...FAILED, api_error_status: 400 }], { reason: "refused", isTransient: false }],
    ["403", [{ ...FAILED, api_error_status: 403 }], { reason: "refused" }],
    ["503", [{ ...FAILED, api_error_status: 503 }], { reason: "overloaded" }],
    ["no status, but a word: rate", [apiError("rate_limit"), FAILED], { reason: "rate_limited" }],
    ["no status, but a word: login", [apiError("authentication_failed"), FAILED], { reason: "refused" }],
    ["a limit of the caller's own", [{ ...FAILED, subtype: "error_max_turns" }], { reason: "refused" }],
    ["nothing that is known", [FAILED], { reason: "failed", message: "engine 'claude' failed: It says so." }],
    ["only what kind of error it is", [{ type: "result", is_error: true, subtype: "odd" }], { reason: "failed" }],
  ])("%s", (_, events, wanted) => {
    expect(claude(events)).toMatchObject(wanted);
  });

  test("when a limit of the user's plan ends", () => {
    const limit = { status: "rejected", resetsAt: NOW_MS / 1000 + 90, rateLimitType: "five_hour" };
    const event = { type: "rate_limit_event", rate_limit_info: limit };
    const failed = { ...FAILED, api_error_status: 429 };
    expect(claude([event, failed])).toMatchObject({ reason: "rate_limited", retryAfterMs: 90_000 });
    const allowed = { ...event, rate_limit_info: { ...limit, status: "allowed_warning" } };
    expect(claude([allowed, failed])).toMatchObject({ reason: "rate_limited", retryAfterMs: undefined });
  });

  test("of a lost session only where one was asked for", () => {
    const errors = ["No conversation found with session ID: x"];
    const lost = { type: "result", subtype: "error_during_execution", is_error: true, num_turns: 0, errors };
    expect(claude([lost], "", "x")).toBeInstanceOf(SessionExpired);
    expect(claude([lost])).toMatchObject({ reason: "failed" });
    // A model that talks about it has lost nothing.
    expect(claude([{ ...FAILED, result: errors[0] }], "", "x")).toMatchObject({ reason: "failed" });
  });

  test("sums the costs of several results in one call, each alone", () => {
    const result = (cost: number) => ({
      type: "result",
      result: "Hi.",
      total_cost_usd: 9,
      model_usage_since_last_result: { a: { costUSD: cost }, b: { costUSD: cost }, c: {} },
    });
    expect(claude([result(1), result(2)])).toEqual({ text: "Hi.", costUsd: 6 });
  });

  test("nothing of what a sub-agent says", () => {
    const content = [{ type: "text", text: "Mine." }];
    const reading: ClaudeReading = { costUsd: 0 };
    const message = { type: "assistant", message: { content } };
    expect(readClaudeEvent(reading, { ...message, parent_tool_use_id: "t" })).toEqual([]);
    expect(readClaudeEvent(reading, message)).toEqual([{ kind: "text", text: "Mine." }]);
  });
});

describe("what Codex says", () => {
  const failed = (message: string) => [{ type: "turn.failed", error: { message } }];

  test.each<[string, object]>([
    ["exceeded retry limit, last status: 429 Too Many Requests", { reason: "rate_limited", retryAfterMs: undefined }],
    ["Rate limit reached for x. Please try again in 1.5s.", { reason: "rate_limited", retryAfterMs: 1500 }],
    ["You’ve hit your usage limit. Try again later.", { reason: "rate_limited", retryAfterMs: undefined }],
    ["unexpected status 401 Unauthorized: Wrong key., url: x", { reason: "refused", isTransient: false }],
    ["unexpected status 503 Service Unavailable: x", { reason: "overloaded" }],
    ["unexpected status 502 Bad Gateway: x", { reason: "failed", isTransient: true }],
    [
      '{"error":{"type":"invalid_request_error","message":"Bad."}}',
      { reason: "refused", message: "engine 'codex' refused: Bad." },
    ],
    ["Quota exceeded. Check your plan and billing details.", { reason: "refused" }],
    ["Selected model is at capacity. Please try a different model.", { reason: "overloaded" }],
    ["We’re currently experiencing high demand, which may cause temporary errors.", { reason: "overloaded" }],
    ["stream disconnected before completion: x", { reason: "unreachable" }],
    ["something else", { reason: "failed", isTransient: true }],
  ])("%s", (message, wanted) => {
    expect(codex(failed(message))).toMatchObject(wanted);
  });

  test("on standard error: a session that is lost, words that are wrong, and the rest", () => {
    const lost = "Error: thread/resume: thread/resume failed: no rollout found for thread id x (code -32600)";
    expect(codex([], lost, 1, "x")).toBeInstanceOf(SessionExpired);
    expect(codex([], lost, 1)).toMatchObject({ reason: "failed" });
    expect(codex([], "For more information, try '--help'.", 2)).toMatchObject({ reason: "refused" });
    expect(codex([], "gone", 1)).toMatchObject({
      message: "engine 'codex' ended with exit code 1 in the middle of its turn: gone",
    });
  });

  test("once of a tool that is begun, changed and completed, and nothing of what is no tool", () => {
    const reading: CodexReading = { isCompleted: false, waits: 0, told: new Set() };
    const told = (type: string, id: string, kind: string) =>
      readCodexEvent(reading, { type, item: { id, type: kind } }, undefined);
    expect(told("item.started", "1", "command_execution")).toEqual([{ kind: "tool", name: "command_execution" }]);
    expect(told("item.completed", "1", "command_execution")).toEqual([]);
    expect(told("item.completed", "2", "file_change")).toEqual([{ kind: "tool", name: "file_change" }]);
    for (const kind of ["reasoning", "todo_list", "error"]) expect(told("item.completed", kind, kind)).toEqual([]);
  });

  test("that it waits: told once or twice, with a network between, and given up where there is none", () => {
    const reading: CodexReading = { isCompleted: false, waits: 0, told: new Set() };
    const read = (event: JsonObject) => readCodexEvent(reading, event, undefined);
    const message = "Reconnecting... waiting for network (Connection failed: error sending request)";
    const waits = { type: "error", message };
    expect(read(waits)).toEqual([{ kind: "waiting", reason: message }]);
    read({ type: "item.completed", item: { type: "agent_message", text: "Here again." } });
    expect(read(waits)).toEqual([{ kind: "waiting", reason: message }]);
    expect(read({ type: "error", message: "Reconnecting... 1/5" })).toMatchObject([{ kind: "waiting" }]);
    expect(read(waits)).toEqual([{ kind: "waiting", reason: message }]);
    expect(read(waits)).toMatchObject({ reason: "unreachable", isTransient: true });
  });
});

test("readings take anything for an event, and throw nothing", () => {
  const word = fc.constantFrom(
    ..."type subtype message content error item id text result is_error errors thread.started item.completed".split(
      " ",
    ),
    ..."result assistant system init api_retry rate_limit_event rate_limit_info turn.failed agent_message".split(" "),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(word, fc.integer(), fc.constant(null), fc.boolean(), tie("list"), tie("object")),
    list: fc.array(tie("any"), { maxLength: 3 }),
    object: fc.dictionary(word, tie("any"), { maxKeys: 5 }),
  })).object;
  fc.assert(
    fc.property(fc.array(value as fc.Arbitrary<JsonObject>, { maxLength: 5 }), (events) => {
      const [one, other] = [claude(events, "x", "y"), codex(events, "x", 1, "y")];
      expect(one instanceof ConnectionError || typeof one.text === "string").toBe(true);
      expect(other instanceof ConnectionError || typeof other === "string").toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe("readLines()", () => {
  test("gives the same lines however they come", () => {
    const lines = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }).map((line) => line.replaceAll("\n", " ")));
    fc.assert(
      fc.property(lines, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (given, sizes) => {
        const heard: string[] = [];
        const reader = readLines("x", (line) => void heard.push(line));
        const bytes = new TextEncoder().encode(given.join("\n"));
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          // A buffer that its owner uses again must not matter.
          const piece = bytes.slice(at, at + size);
          reader.take(piece);
          piece.fill(0);
          at += size;
        }
        reader.end();
        expect(heard).toEqual(given.filter((line) => line.trim() !== ""));
      }),
    );
  });
});

describe("statedDelay()", () => {
  test.each([
    ["Please try again in 7s.", 7000],
    ["try again in 250ms", 250],
    ["Try again in 1.5 seconds", 1500],
    ["try again in 2 minutes.", 120_000],
    ["try again in 1 hour", 3_600_000],
    ["or try again at 5:12 PM.", 13 * 60_000],
    ["or try again at 4:59 PM.", 0],
    ["or try again at 4:30 PM.", (24 * 60 - 29) * 60_000],
    ["try again at 12:05 AM.", (7 * 60 + 6) * 60_000],
    ["try again at Nov 20th, 2026 5:12 PM.", (48 * 60 + 13) * 60_000],
    ["try again at Nov 1st, 2026 5:12 PM.", 0],
    ["try again later.", undefined],
    ["try again in a while", undefined],
  ])("%s", (sentence, delayMs) => {
    expect(statedDelay(sentence, NOW_MS)).toBe(delayMs!);
  });
});

describe("strictSchema()", () => {
  const number = { type: "number" };
  test.each<[string, JsonObject, JsonObject | undefined]>([
    [
      "closes each object",
      {
        type: "object",
        properties: { a: { type: "object", properties: { b: number }, required: ["b"] } },
        required: ["a"],
      },
      {
        type: "object",
        properties: {
          a: { type: "object", properties: { b: number }, required: ["b"], additionalProperties: false },
        },
        required: ["a"],
        additionalProperties: false,
      },
    ],
    ["keeps what a list holds", { type: "array", items: number }, { type: "array", items: number }],
    ["can't say what may be missing", { type: "object", properties: { a: number } }, undefined],
    ["can't say an open object", { type: "object" }, undefined],
    ["can't say a list of anything", { type: "array" }, undefined],
    ["can't say what it does not know", { anyOf: [number] }, undefined],
  ])("%s", (_, schema, strict) => {
    expect(strictSchema(schema)).toEqual(strict!);
  });
});

test("parseObject() knows an object from everything else", () => {
  expect(["{}", "[]", "null", "1", "", "{", '"a"'].map(parseObject)).toEqual([
    {},
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});
