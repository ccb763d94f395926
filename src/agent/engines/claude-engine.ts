import type { World } from "../../world.ts";
import { AgentError, SessionExpired } from "../errors.ts";
import { concludeClaude, readClaudeEvent, type ClaudeReading } from "./claude-answer.ts";
import type { Engine, QueryOptions } from "./engine.ts";
import { parseEvent } from "./json-event.ts";
import { checkLength, readLines } from "./output-reader.ts";
import { findEngine, lastWords, runEngine } from "./run-engine.ts";
import { isSessionId } from "./session-id.ts";

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
