import type { World } from "../../world.ts";
import { AgentError, SessionExpired, ConnectionError } from "../errors.ts";
import {
  parseEvent,
  isSessionId,
  asArray,
  asNumber,
  asObject,
  asString,
  refused,
  rateLimit,
  serviceError,
  unreachable,
  type JsonEvent,
} from "./answers.ts";
import type { Engine, QueryOptions, EngineEvent } from "./engine.ts";
import { checkLength, readLines, findEngine, lastWords, runEngine } from "./run.ts";

const NAME = "claude";

/** The client asks a service that fails again by itself, ten times if it isn't told: here the run has its own rules. */
const RETRIES = { name: "CLAUDE_CODE_MAX_RETRIES", value: "2" };

/**
 * Claude Code, one call of `claude -p` per query.
 *
 * @input  tree: what the run is about; no program of its own is taken for the engine
 */
export function claudeEngine(world: World, tree: string): Engine {
  return {
    name: NAME,
    async query(prompt, options) {
      const startedAt = world.ticks();
      const { sessionId, onProgress } = options;
      if (sessionId !== undefined && !isSessionId(sessionId)) {
        throw new SessionExpired(`'${sessionId}' is no session of engine '${NAME}'`, { sessionId });
      }
      const program = findEngine(world, NAME, tree);
      const reading: ClaudeReading = { costUsd: 0 };
      const reader = readLines(NAME, (line) => {
        const event = parseEvent(line);
        if (event !== undefined) for (const told of readClaudeEvent(reading, event)) onProgress?.(told);
        return undefined;
      });
      const env: Record<string, string> = world.env[RETRIES.name] ? {} : { [RETRIES.name]: RETRIES.value };
      const ended = await runEngine(world, prompt, options, {
        engine: NAME,
        program,
        args: claudeWords(options),
        env,
        reader,
      });
      const asked = { sessionId, nowMs: world.now() };
      const words = { exitCode: ended.exitCode, words: lastWords(ended.stderr) };
      const answer = concludeClaude(reading, asked, words);
      if (answer instanceof AgentError) throw answer;
      const tooLong = checkLength(NAME, answer.text);
      if (tooLong !== undefined) throw tooLong;
      const session = reading.sessionId === undefined ? {} : { sessionId: reading.sessionId };
      return { ...answer, ...session, durationMs: Math.round(world.ticks() - startedAt) };
    },
  };
}

/** The definition's words first: where they contradict what is needed to read the answer, the last one counts. */
function claudeWords({ args, sessionId, schema, allowedTools = [] }: QueryOptions): readonly string[] {
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

const ENGINE = "claude";

/** What is kept of `claude --output-format stream-json`. */
export interface ClaudeReading {
  sessionId?: string;
  /** The last event of type `result`. */
  result?: JsonEvent;
  /** Of this call alone: `total_cost_usd` counts a resumed session from its beginning. */
  costUsd: number;
  /** The client's word for what the last message that is none of the model's is about: `rate_limit`, … */
  apiError?: string;
  /** How long the client itself has waited for a rate limit the last time, as it was told to. */
  waitedMs?: number;
  /** When a limit of the user's plan ends. */
  resetsAtMs?: number;
}

export interface ClaudeAnswer {
  readonly text: string;
  readonly structured?: unknown;
  readonly costUsd: number;
  readonly turns?: number;
}

/** Takes one event in; the answer is what of it is worth telling meanwhile. */
export function readClaudeEvent(reading: ClaudeReading, event: JsonEvent): readonly EngineEvent[] {
  const sessionId = asString(event["session_id"]);
  switch (`${asString(event["type"])} ${asString(event["subtype"]) ?? ""}`.trimEnd()) {
    case "system init":
      if (sessionId === undefined) return [];
      reading.sessionId = sessionId;
      return [{ kind: "session", sessionId }];
    case "system api_retry":
      return [readWaiting(reading, event)];
    case "rate_limit_event": {
      const limit = asObject(event["rate_limit_info"]);
      const resetsAt = asNumber(limit?.["resetsAt"]);
      if (limit?.["status"] === "rejected" && resetsAt !== undefined) reading.resetsAtMs = resetsAt * 1000;
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

function readWaiting(reading: ClaudeReading, event: JsonEvent): EngineEvent {
  const delayMs = asNumber(event["retry_delay_ms"]);
  const reason = asString(event["error"]) ?? "unknown";
  if (event["error_status"] === 429 && delayMs !== undefined) reading.waitedMs = delayMs;
  return { kind: "waiting", reason, ...(delayMs !== undefined && { delayMs }) };
}

/** Those of a sub-agent are its own affair. */
function readMessage(reading: ClaudeReading, event: JsonEvent): readonly EngineEvent[] {
  if (event["is_api_error_message"] === true) {
    const error = asString(event["error"]);
    if (error !== undefined) reading.apiError = error;
    return [];
  }
  if (asString(event["parent_tool_use_id"]) !== undefined) return [];
  return asArray(asObject(event["message"])?.["content"]).flatMap((value): EngineEvent[] => {
    const block = asObject(value);
    const text = asString(block?.["text"]);
    const name = asString(block?.["name"]);
    if (block?.["type"] === "text" && text !== undefined) return [{ kind: "text", text }];
    return block?.["type"] === "tool_use" && name !== undefined ? [{ kind: "tool", name }] : [];
  });
}

function costOf(result: JsonEvent): number {
  const usage = asObject(result["model_usage_since_last_result"]);
  if (usage === undefined) return asNumber(result["total_cost_usd"]) ?? 0;
  return Object.values(usage).reduce<number>((sum, model) => sum + (asNumber(asObject(model)?.["costUSD"]) ?? 0), 0);
}

/** What the whole of it comes to, when the client has ended. */
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
    return new ConnectionError("answer_unreadable", `engine '${ENGINE}' ended well, but its result holds no text`);
  }
  const turns = asNumber(result["num_turns"]);
  const structured = result["structured_output"];
  return { text, costUsd, ...(turns !== undefined && { turns }), ...(structured !== undefined && { structured }) };
}

function withoutResult({ exitCode, words }: { exitCode: number; words: string }): ConnectionError {
  if (isAboutArguments(words.toLowerCase())) return refused(ENGINE, words);
  const message = `engine '${ENGINE}' ended with exit code ${exitCode} and without a result: ${words}`;
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
  result: JsonEvent,
  { sessionId, nowMs }: { readonly sessionId: string | undefined; readonly nowMs: number },
): ConnectionError {
  const errors = asArray(result["errors"]).flatMap((error) => asString(error) ?? []);
  const said = asString(result["result"]) ?? errors[0] ?? String(result["subtype"]);
  const status = asNumber(result["api_error_status"]);
  const isLost = /no conversation found|requires a valid session/i.test(errors.join("\n"));
  if (sessionId !== undefined && result["num_turns"] === 0 && isLost) {
    return new SessionExpired(`engine '${ENGINE}' has no session '${sessionId}' any more: ${said}`, { sessionId });
  }
  const delayMs = resetsAtMs === undefined ? waitedMs : Math.max(0, resetsAtMs - nowMs);
  if (status !== undefined) return serviceError(ENGINE, status, said, delayMs);
  if (result["api_error"] === "connection_failed") return unreachable(ENGINE, said);
  switch (apiError) {
    case "rate_limit":
      return rateLimit(ENGINE, said, delayMs);
    case "authentication_failed":
    case "billing_error":
    case "invalid_request":
      return refused(ENGINE, said);
    default:
  }
  // A limit that the caller's own words have set, of turns or of money, is reached again.
  if (String(result["subtype"]).startsWith("error_max_")) return refused(ENGINE, said);
  return new ConnectionError("failed", `engine '${ENGINE}' has failed: ${said}`);
}
