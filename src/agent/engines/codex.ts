import { valueAt } from "../../lib/table.ts";
import { withTemporaryFile } from "../../lib/temporary.ts";
import type { World } from "../../world.ts";
import { AgentError, ConnectionError, SessionExpired } from "../errors.ts";
import {
  asArray,
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
import type { Engine, EngineEvent, QueryOptions, QueryResult } from "./engine.ts";
import { assertLength, findEngine, readLines, runEngine } from "./run.ts";

const ENGINE = "codex";

/**
 * Codex, one call of `codex exec` per query. It reports neither cost nor turns, and has no list of allowed tools: its
 * sandbox decides what it may do.
 *
 * @input tree: the directory of the run; a program inside it is never used as the engine
 */
export function codexEngine(world: World, tree: string): Engine {
  return {
    name: ENGINE,
    async query(prompt, options) {
      assertSessionId(ENGINE, options.sessionId);
      const strict = options.schema && strictSchema(options.schema);
      if (strict === undefined) return ask(world, tree, prompt, options, undefined);
      const asked = await withTemporaryFile("schema.json", JSON.stringify(strict), (path) =>
        ask(world, tree, prompt, options, path),
      );
      if (asked.kind === "done") return withStructure(asked.value);
      throw new ConnectionError("failed", `engine '${ENGINE}' can't be asked: no temporary file (${asked.errno})`);
    },
  };
}

async function ask(
  world: World,
  tree: string,
  prompt: string,
  options: QueryOptions,
  schemaPath: string | undefined,
): Promise<QueryResult> {
  const { sessionId, onProgress } = options;
  const reading: CodexReading = { isCompleted: false, waits: 0, told: new Set() };
  const reader = readLines(ENGINE, (line) => {
    const event = parseObject(line);
    const read = event === undefined ? [] : readCodexEvent(reading, event, sessionId);
    if (read instanceof ConnectionError) return read;
    for (const progress of read) onProgress?.(progress);
    return undefined;
  });
  const ended = await runEngine(world, prompt, options, {
    engine: ENGINE,
    program: findEngine(world, ENGINE, tree),
    args: argumentsFor(options, schemaPath),
    reader,
  });
  const text = concludeCodex(reading, { sessionId, nowMs: world.now() }, ended);
  if (text instanceof AgentError) throw text;
  assertLength(ENGINE, text);
  const session = reading.sessionId === undefined ? {} : { sessionId: reading.sessionId };
  return { text, ...session, durationMs: ended.durationMs };
}

/** The definition's arguments are for `exec`; `resume` and the prompt's `-` come last. */
function argumentsFor({ args, sessionId }: QueryOptions, schemaPath: string | undefined): readonly string[] {
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    ...args,
    ...(schemaPath === undefined ? [] : ["--output-schema", schemaPath]),
    ...(sessionId === undefined ? [] : ["resume", sessionId]),
    "-",
  ];
}

/** Whether the text matches is checked where the output is extracted from it. */
function withStructure(result: QueryResult): QueryResult {
  try {
    return { ...result, structured: JSON.parse(result.text) };
  } catch {
    return result;
  }
}

/** What is kept of `codex exec --json`. */
export interface CodexReading {
  sessionId?: string;
  /** The model's last message. */
  text?: string;
  isCompleted: boolean;
  /** Why the turn failed. */
  failure?: string;
  /** How many times in a row it has reported waiting for the network. */
  waits: number;
  /** The ids of tool entries already shown: an entry is started, updated and completed. */
  readonly told: Set<string>;
}

/**
 * Codex waits for the network for ever, and reports it after 0, 5, 15, 35 … seconds. At the second report the network
 * counts as gone, and the run decides whether to wait.
 */
const WAITS_WITHOUT_NETWORK = 2;

/** Entries that are not tool calls. */
const NO_TOOLS: ReadonlySet<string> = new Set(["agent_message", "reasoning", "todo_list", "error"]);

/** Processes one event, and returns what to show as progress, or an error that ends the query. */
export function readCodexEvent(
  reading: CodexReading,
  event: JsonObject,
  askedFor: string | undefined,
): readonly EngineEvent[] | ConnectionError {
  const type = asString(event["type"]) ?? "";
  if (type === "error") return readWaiting(reading, asString(event["message"]) ?? "");
  if (type.startsWith("item.") || type === "turn.completed") reading.waits = 0;
  switch (type) {
    case "thread.started":
      return readSession(reading, asString(event["thread_id"]), askedFor);
    case "turn.completed":
      reading.isCompleted = true;
      return [];
    case "turn.failed":
      reading.failure = asString(valueAt(event, "error", "message")) ?? "it did not say why";
      return [];
    default:
      return type.startsWith("item.") ? readItem(reading, type, asObject(event["item"]) ?? {}) : [];
  }
}

/** If Codex does not find the requested session, it silently begins a new one. */
function readSession(reading: CodexReading, sessionId: string | undefined, askedFor: string | undefined) {
  if (sessionId === undefined) return [];
  if (askedFor !== undefined && sessionId.toLowerCase() !== askedFor.toLowerCase()) return lostSession(askedFor, "");
  reading.sessionId = sessionId;
  return [{ kind: "session", sessionId } as const];
}

function readWaiting(reading: CodexReading, reason: string): readonly EngineEvent[] | ConnectionError {
  const isWithoutNetwork = reason.includes("waiting for network");
  reading.waits = isWithoutNetwork ? reading.waits + 1 : 0;
  if (reading.waits >= WAITS_WITHOUT_NETWORK) return unreachable(ENGINE, reason);
  return reason.startsWith("Reconnecting") ? [{ kind: "waiting", reason }] : [];
}

function readItem(reading: CodexReading, type: string, item: JsonObject): readonly EngineEvent[] {
  const kind = asString(item["type"]) ?? "";
  const text = asString(item["text"]);
  if (kind === "agent_message") {
    if (type !== "item.completed" || text === undefined) return [];
    reading.text = text;
    return [{ kind: "text", text }];
  }
  const id = asString(item["id"]) ?? "";
  if (kind === "" || NO_TOOLS.has(kind) || reading.told.has(id)) return [];
  reading.told.add(id);
  return [{ kind: "tool", name: kind }];
}

/** The answer, or the error, once the client has ended. */
export function concludeCodex(
  reading: CodexReading,
  asked: { readonly sessionId: string | undefined; readonly nowMs: number },
  ended: { readonly exitCode: number; readonly words: string },
): string | ConnectionError {
  const { failure, isCompleted, text } = reading;
  if (failure !== undefined) return failureOf(failure, asked.nowMs);
  if (isCompleted) return text ?? "";
  const { exitCode, words } = ended;
  const hasBegun = reading.sessionId !== undefined;
  if (asked.sessionId !== undefined && !hasBegun && /no rollout found|thread not found/i.test(words)) {
    return lostSession(asked.sessionId, `: ${words}`);
  }
  // The exit code of Codex for invalid arguments.
  if (exitCode === 2 && !hasBegun) return refused(ENGINE, words, { exitCode });
  const message = `engine '${ENGINE}' ended with exit code ${exitCode} in the middle of its turn: ${words}`;
  return new ConnectionError("failed", message, { exitCode });
}

function lostSession(sessionId: string, why: string): SessionExpired {
  return new SessionExpired(`engine '${ENGINE}' no longer has session '${sessionId}'${why}`, { sessionId });
}

/** A failed turn has only a sentence: with a status in it, the service's own JSON, or plain words. */
function failureOf(sentence: string, nowMs: number): ConnectionError {
  const delayMs = statedDelay(sentence, nowMs);
  const status = /(?:last|unexpected) status:? (\d{3})/.exec(sentence)?.[1];
  if (status !== undefined) return serviceError(ENGINE, Number(status), sentence, delayMs);
  const passedOn = asObject(parseObject(sentence)?.["error"]);
  if (passedOn !== undefined) return refused(ENGINE, asString(passedOn["message"]) ?? sentence);
  if (/usage limit|rate limit/i.test(sentence)) return rateLimit(ENGINE, sentence, delayMs);
  if (/quota exceeded/i.test(sentence)) return refused(ENGINE, sentence);
  if (/at capacity|high demand|overloaded/i.test(sentence)) {
    return new ConnectionError("overloaded", `the service of engine '${ENGINE}' is overloaded: ${sentence}`);
  }
  if (/connection failed|error sending request|stream disconnected/i.test(sentence)) {
    return unreachable(ENGINE, sentence);
  }
  return new ConnectionError("failed", `engine '${ENGINE}' failed: ${sentence}`);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
};

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/**
 * How long a service's sentence says to wait: "try again in 7s", "try again at 5:12 PM" (local time, today or
 * tomorrow), "try again at Nov 20th, 2026 5:12 PM". Waits until the end of a named minute.
 */
export function statedDelay(sentence: string, nowMs: number): number | undefined {
  const [, amount, unit = ""] = /try again in (\d+(?:\.\d+)?) ?([a-z]+)/i.exec(sentence) ?? [];
  const unitMs = Object.hasOwn(UNIT_MS, unit.toLowerCase()) ? UNIT_MS[unit.toLowerCase()] : undefined;
  if (unitMs !== undefined) return Math.ceil(Number(amount) * unitMs);
  const pattern = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M/;
  const moment = pattern.exec(sentence);
  if (moment === null) return undefined;
  const [, month, day, year, hour, minute, half] = moment;
  const then = new Date(nowMs);
  if (month !== undefined) then.setFullYear(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day));
  then.setHours((Number(hour) % 12) + (half === "P" ? 12 : 0), Number(minute) + 1, 0, 0);
  if (month === undefined && then.getTime() < nowMs) then.setDate(then.getDate() + 1);
  return Math.max(0, then.getTime() - nowMs);
}

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"]);

/**
 * A JSON Schema in the form that Codex's service calls strict: every object requires all its properties and allows no
 * others. Undefined if a schema has no such form; the answer is then read from the text alone.
 */
export function strictSchema(schema: JsonObject): JsonObject | undefined {
  const type = asString(schema["type"]) ?? "";
  if (SCALARS.has(type)) return schema;
  if (type === "array") {
    const items = strictSchema(asObject(schema["items"]) ?? {});
    return items && { ...schema, items };
  }
  const properties = asObject(schema["properties"]);
  if (type !== "object" || properties === undefined) return undefined;
  const required = asArray(schema["required"]);
  const strict: Record<string, JsonObject> = {};
  for (const [name, value] of Object.entries(properties)) {
    const property = strictSchema(asObject(value) ?? {});
    if (property === undefined || !required.includes(name)) return undefined;
    strict[name] = property;
  }
  return { ...schema, properties: strict, additionalProperties: false };
}
