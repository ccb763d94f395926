import { withTemporaryFile } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import { AgentError, ConnectionError, SessionExpired } from "../errors.ts";
import {
  parseEvent,
  isSessionId,
  strictSchema,
  asObject,
  asString,
  rateLimit,
  refused,
  serviceError,
  unreachable,
  statedDelay,
  type JsonEvent,
} from "./answers.ts";
import type { Engine, QueryOptions, QueryResult, EngineEvent } from "./engine.ts";
import { checkLength, readLines, findEngine, lastWords, runEngine, type OutputReader } from "./run.ts";

const NAME = "codex";

/**
 * Codex, one call of `codex exec` per query. It tells neither cost nor turns, and has no list of allowed tools: what it
 * may do is its sandbox's affair.
 *
 * @input  tree: what the run is about; no program of its own is taken for the engine
 */
export function codexEngine(world: World, tree: string): Engine {
  return {
    name: NAME,
    async query(prompt, options) {
      const { sessionId, schema } = options;
      if (sessionId !== undefined && !isSessionId(sessionId)) {
        throw new SessionExpired(`'${sessionId}' is no session of engine '${NAME}'`, { sessionId });
      }
      const strict = schema && strictSchema(schema);
      if (strict === undefined) return ask(world, tree, prompt, options, undefined);
      const asked = await withTemporaryFile("schema.json", JSON.stringify(strict), (path) =>
        ask(world, tree, prompt, options, path),
      );
      if (asked.kind === "done") return withStructure(asked.value);
      throw new ConnectionError("failed", `engine '${NAME}' can't be asked: no temporary file (${asked.errno})`);
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
  const startedAt = world.ticks();
  const { sessionId } = options;
  const program = findEngine(world, NAME, tree);
  const reading: CodexReading = { isCompleted: false, waits: 0, told: new Set() };
  const reader = readEvents(reading, options);
  const args = codexWords(options, schemaPath);
  const { exitCode, stderr } = await runEngine(world, prompt, options, { engine: NAME, program, args, reader });
  const asked = { sessionId, nowMs: world.now() };
  const text = concludeCodex(reading, asked, { exitCode, words: lastWords(stderr) });
  if (text instanceof AgentError) throw text;
  const tooLong = checkLength(NAME, text);
  if (tooLong !== undefined) throw tooLong;
  const session = reading.sessionId === undefined ? {} : { sessionId: reading.sessionId };
  return { text, ...session, durationMs: Math.round(world.ticks() - startedAt) };
}

function readEvents(reading: CodexReading, { sessionId, onProgress }: QueryOptions): OutputReader {
  return readLines(NAME, (line) => {
    const event = parseEvent(line);
    const told = event === undefined ? [] : readCodexEvent(reading, event, sessionId);
    if (told instanceof ConnectionError) return told;
    for (const part of told) onProgress?.(part);
    return undefined;
  });
}

/** The definition's words belong to `exec`; those of `resume` and the prompt's `-` come last. */
function codexWords({ args, sessionId }: QueryOptions, schemaPath: string | undefined): readonly string[] {
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

/** The model's text is what was asked for, or it isn't: then whoever reads the text says what is wrong with it. */
function withStructure(result: QueryResult): QueryResult {
  try {
    return { ...result, structured: JSON.parse(result.text) };
  } catch {
    return result;
  }
}

const ENGINE = "codex";

/** What is kept of `codex exec --json`. */
export interface CodexReading {
  sessionId?: string;
  /** The model's last message. */
  text?: string;
  isCompleted: boolean;
  /** Why the turn has failed. */
  failure?: string;
  /** How often in a row it has said that it waits for the network. */
  waits: number;
  /** The tools' entries that were told of: an entry may be begun, changed and completed. */
  readonly told: Set<string>;
}

/**
 * Codex waits for a network for ever, with a word after 0, 5, 15, 35 … seconds: at the second one the network is gone,
 * and whether to wait is the run's own question.
 */
const WAITS_WITHOUT_NETWORK = 2;

/** Entries that no tool has made. */
const NO_TOOLS: ReadonlySet<string> = new Set(["agent_message", "reasoning", "todo_list", "error"]);

/** Takes one event in; the answer is what of it is worth telling meanwhile, or why to wait no longer. */
export function readCodexEvent(
  reading: CodexReading,
  event: JsonEvent,
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
      reading.failure = asString(asObject(event["error"])?.["message"]) ?? "it did not say why";
      return [];
    default:
      return type.startsWith("item.") ? readItem(reading, type, asObject(event["item"]) ?? {}) : [];
  }
}

/** Asked for a session by another word than an id, Codex begins a new one without a word. */
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

function readItem(reading: CodexReading, type: string, item: JsonEvent): readonly EngineEvent[] {
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

/** What the whole of it comes to, when the client has ended. */
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
  // How it says that its words are wrong.
  if (exitCode === 2 && !hasBegun) return refused(ENGINE, words, { exitCode });
  const message = `engine '${ENGINE}' ended with exit code ${exitCode} in the middle of its turn: ${words}`;
  return new ConnectionError("failed", message, { exitCode });
}

function lostSession(sessionId: string, why: string): SessionExpired {
  return new SessionExpired(`engine '${ENGINE}' has no session '${sessionId}' any more${why}`, { sessionId });
}

/** A failed turn has a sentence and nothing else: a status in it, the service's own JSON, or words for people. */
function failureOf(sentence: string, nowMs: number): ConnectionError {
  const delayMs = statedDelay(sentence, nowMs);
  const status = /(?:last|unexpected) status:? (\d{3})/.exec(sentence)?.[1];
  if (status !== undefined) return serviceError(ENGINE, Number(status), sentence, delayMs);
  const passedOn = asObject(parseEvent(sentence)?.["error"]);
  if (passedOn !== undefined) return refused(ENGINE, asString(passedOn["message"]) ?? sentence);
  if (/usage limit|rate limit/i.test(sentence)) return rateLimit(ENGINE, sentence, delayMs);
  if (/quota exceeded/i.test(sentence)) return refused(ENGINE, sentence);
  if (/at capacity|high demand|overloaded/i.test(sentence)) {
    return new ConnectionError("overloaded", `the service of engine '${ENGINE}' is overloaded: ${sentence}`);
  }
  if (/connection failed|error sending request|stream disconnected/i.test(sentence)) {
    return unreachable(ENGINE, sentence);
  }
  return new ConnectionError("failed", `engine '${ENGINE}' has failed: ${sentence}`);
}
