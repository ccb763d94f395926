import { withTemporaryFile } from "../../lib/temporary-file.ts";
import type { World } from "../../world.ts";
import { AgentError, ConnectionError, SessionExpired } from "../errors.ts";
import { concludeCodex, readCodexEvent, type CodexReading } from "./codex-answer.ts";
import type { Engine, QueryOptions, QueryResult } from "./engine.ts";
import { parseEvent } from "./json-event.ts";
import { checkLength, readLines, type OutputReader } from "./output-reader.ts";
import { findEngine, lastWords, runEngine } from "./run-engine.ts";
import { isSessionId } from "./session-id.ts";
import { strictSchema } from "./strict-schema.ts";

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
