import { valueAt } from "../../lib/table.ts";
import type { World } from "../../world.ts";
import { AgentError, ConnectionError, SessionExpired } from "../errors.ts";
import {
  asArray,
  asNumber,
  asObject,
  assertSessionId,
  asString,
  parseObject,
  rateLimit,
  refused,
  serviceError,
  unreachable,
  type JsonObject,
} from "./answers.ts";
import type { Engine, EngineEvent, QueryOptions } from "./engine.ts";
import { assertLength, findEngine, readLines, runEngine } from "./run.ts";

const ENGINE = "claude";

/** By default the client retries a failing service ten times; a run has rules of its own. */
const RETRIES = { name: "CLAUDE_CODE_MAX_RETRIES", value: "2" };

/**
 * Claude Code, one call of `claude -p` per query.
 *
 * @input tree: the directory of the run; a program inside it is never used as the engine
 */
export function claudeEngine(world: World, tree: string): Engine {
  return {
    name: ENGINE,
    async query(prompt, options) {
      const { sessionId, onProgress } = options;
      assertSessionId(ENGINE, sessionId);
      const reading: ClaudeReading = { costUsd: 0 };
      const reader = readLines(ENGINE, (line) => {
        const event = parseObject(line);
        if (event !== undefined) for (const progress of readClaudeEvent(reading, event)) onProgress?.(progress);
        return undefined;
      });
      const ended = await runEngine(world, prompt, options, {
        engine: ENGINE,
        program: findEngine(world, ENGINE, tree),
        args: argumentsFor(options),
        env: world.env[RETRIES.name] ? {} : { [RETRIES.name]: RETRIES.value },
        reader,
      });
      const answer = concludeClaude(reading, { sessionId, nowMs: world.now() }, ended);
      if (answer instanceof AgentError) throw answer;
      assertLength(ENGINE, answer.text);
      const session = reading.sessionId === undefined ? {} : { sessionId: reading.sessionId };
      return { ...answer, ...session, durationMs: ended.durationMs };
    },
  };
}

/** The definition's arguments come first: the last of conflicting flags wins, and ours make the answer readable. */
function argumentsFor({ args, sessionId, schema, allowedTools = [] }: QueryOptions): readonly string[] {
  return [
    "-p",
    ...args,
    "--output-format",
    "stream-json",
    "--verbose",
    ...(sessionId === undefined ? [] : ["--resume", sessionId]),
    ...(schema === undefined ? [] : ["--json-schema", JSON.stringify(schema)]),
    ...allowedTools.map((tool) => `--allowedTools=${tool}`),
  ];
}

/** What is kept of `claude --output-format stream-json`. */
export interface ClaudeReading {
  sessionId?: string;
  /** The last event of type `result`. */
  result?: JsonObject;
  /** For this call alone: `total_cost_usd` counts a resumed session from its start. */
  costUsd: number;
  /** The kind of the last API error that the client reported instead of a message: `rate_limit`, … */
  apiError?: string;
  /** How long the service last told the client to wait for a rate limit. */
  waitedMs?: number;
  /** When a limit of the user's plan ends. */
  resetsAtMs?: number;
}

interface ClaudeAnswer {
  readonly text: string;
  readonly structured?: unknown;
  readonly costUsd: number;
  readonly turns?: number;
}

/** Processes one event, and returns what to show as progress. */
export function readClaudeEvent(reading: ClaudeReading, event: JsonObject): readonly EngineEvent[] {
  const sessionId = asString(event["session_id"]);
  switch (`${asString(event["type"])} ${asString(event["subtype"]) ?? ""}`.trimEnd()) {
    case "system init":
      if (sessionId === undefined) return [];
      reading.sessionId = sessionId;
      return [{ kind: "session", sessionId }];
    case "system api_retry":
      return [readWaiting(reading, event)];
    case "rate_limit_event": {
      const resetsAt = asNumber(valueAt(event, "rate_limit_info", "resetsAt"));
      if (valueAt(event, "rate_limit_info", "status") === "rejected" && resetsAt !== undefined)
        reading.resetsAtMs = resetsAt * 1000;
      return [];
    }
    case "assistant":
      return readMessage(reading, event);
    default:
      if (event["type"] !== "result") return [];
      reading.result = event;
      reading.costUsd += costOf(event);
      if (sessionId !== undefined) reading.sessionId = sessionId;
      return [];
  }
}

function readWaiting(reading: ClaudeReading, event: JsonObject): EngineEvent {
  const delayMs = asNumber(event["retry_delay_ms"]);
  const reason = asString(event["error"]) ?? "unknown";
  if (event["error_status"] === 429 && delayMs !== undefined) reading.waitedMs = delayMs;
  return { kind: "waiting", reason, ...(delayMs !== undefined && { delayMs }) };
}

/** Messages of sub-agents are left out. */
function readMessage(reading: ClaudeReading, event: JsonObject): readonly EngineEvent[] {
  if (event["is_api_error_message"] === true) {
    const error = asString(event["error"]);
    if (error !== undefined) reading.apiError = error;
    return [];
  }
  if (asString(event["parent_tool_use_id"]) !== undefined) return [];
  return asArray(valueAt(event, "message", "content")).flatMap((value): EngineEvent[] => {
    const block = asObject(value);
    const text = asString(block?.["text"]);
    const name = asString(block?.["name"]);
    if (block?.["type"] === "text" && text !== undefined) return [{ kind: "text", text }];
    return block?.["type"] === "tool_use" && name !== undefined ? [{ kind: "tool", name }] : [];
  });
}

function costOf(result: JsonObject): number {
  const usage = asObject(result["model_usage_since_last_result"]);
  if (usage === undefined) return asNumber(result["total_cost_usd"]) ?? 0;
  return Object.values(usage).reduce<number>((sum, model) => sum + (asNumber(asObject(model)?.["costUSD"]) ?? 0), 0);
}

/** The answer, or the error, once the client has ended. */
export function concludeClaude(
  reading: ClaudeReading,
  asked: { readonly sessionId: string | undefined; readonly nowMs: number },
  ended: { readonly exitCode: number; readonly words: string },
): ClaudeAnswer | ConnectionError {
  const { result, costUsd } = reading;
  if (result === undefined) return withoutResult(ended);
  const text = asString(result["result"]);
  if (result["is_error"] === true) return failureOf(reading, result, asked);
  if (text === undefined) {
    return new ConnectionError("answer_unreadable", `engine '${ENGINE}' succeeded, but its result has no text`);
  }
  const turns = asNumber(result["num_turns"]);
  const structured = result["structured_output"];
  return { text, costUsd, ...(turns !== undefined && { turns }), ...(structured !== undefined && { structured }) };
}

function withoutResult({ exitCode, words }: { exitCode: number; words: string }): ConnectionError {
  if (isAboutArguments(words.toLowerCase())) return refused(ENGINE, words);
  const message = `engine '${ENGINE}' ended with exit code ${exitCode} without a result: ${words}`;
  return new ConnectionError("failed", message, { exitCode });
}

function isAboutArguments(words: string): boolean {
  return words.split("\n").some((line) => {
    const isUnknown = line.includes("unknown option") || line.includes("unknown command");
    return isUnknown || (line.includes("invalid") && line.includes("argument"));
  });
}

function failureOf(
  { apiError, waitedMs, resetsAtMs }: ClaudeReading,
  result: JsonObject,
  { sessionId, nowMs }: { readonly sessionId: string | undefined; readonly nowMs: number },
): ConnectionError {
  const errors = asArray(result["errors"]).flatMap((error) => asString(error) ?? []);
  const reason = asString(result["result"]) ?? errors[0] ?? String(result["subtype"]);
  const status = asNumber(result["api_error_status"]);
  const isLost = /no conversation found|requires a valid session/i.test(errors.join("\n"));
  if (sessionId !== undefined && result["num_turns"] === 0 && isLost) {
    return new SessionExpired(`engine '${ENGINE}' no longer has session '${sessionId}': ${reason}`, { sessionId });
  }
  const delayMs = resetsAtMs === undefined ? waitedMs : Math.max(0, resetsAtMs - nowMs);
  if (status !== undefined) return serviceError(ENGINE, status, reason, delayMs);
  if (result["api_error"] === "connection_failed") return unreachable(ENGINE, reason);
  switch (apiError) {
    case "rate_limit":
      return rateLimit(ENGINE, reason, delayMs);
    case "authentication_failed":
    case "billing_error":
    case "invalid_request":
      return refused(ENGINE, reason);
    default:
  }
  // If the definition's own arguments set a limit of turns or cost, it would be reached again.
  if (String(result["subtype"]).startsWith("error_max_")) return refused(ENGINE, reason);
  return new ConnectionError("failed", `engine '${ENGINE}' failed: ${reason}`);
}
