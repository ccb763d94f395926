import { dirname } from "node:path";
import { claudeEngine } from "../../../src/agent/engines/claude.ts";
import { codexEngine } from "../../../src/agent/engines/codex.ts";
import type { Engine, EngineEvent, QueryOptions, QueryResult } from "../../../src/agent/engines/engine.ts";
import type { AgentError } from "../../../src/agent/errors.ts";
import { findMarked } from "../../../src/lib/process.ts";
import { realWorld } from "../../support/fake-world.ts";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import { prepareClaude } from "./claude.ts";
import { CLAUDE, CODEX } from "./clients.ts";
import { cleanEnvironment, NO_SERVER } from "./client-process.ts";
import { prepareCodex } from "./codex.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { startFakeResponses } from "./fake-responses.ts";
import type { ModelServer } from "./model-server.ts";
import type { Turn } from "./script.ts";
import { MARKER } from "./stragglers.ts";

export const ENGINES = {
  claude: {
    client: CLAUDE,
    start: startFakeAnthropic,
    prepare: prepareClaude,
    make: claudeEngine,
    args: ["--dangerously-skip-permissions", "--model", "claude-opus-5-5"],
  },
  codex: {
    client: CODEX,
    start: startFakeResponses,
    prepare: prepareCodex,
    make: codexEngine,
    args: ["--dangerously-bypass-approvals-and-sandbox", "--model", "gpt-5.5"],
  },
} as const;

export interface EngineScene {
  readonly engine: Engine;
  readonly tree: TempTree;
  readonly server: ModelServer;
  readonly events: readonly EngineEvent[];
  ask(prompt: string, options?: Partial<QueryOptions>): Promise<QueryResult>;
  /** The error of a query that must fail. */
  fail(prompt: string, options?: Partial<QueryOptions>): Promise<AgentError>;
  /** What is there of all that the scene has started. */
  left(): readonly number[];
  [Symbol.asyncDispose](): Promise<void>;
}

let scenes = 0;

/** The real client behind its engine, with a model that says these turns, one after the other over all queries. */
export async function engineScene(
  name: keyof typeof ENGINES,
  turns: readonly Turn[],
  options: { readonly isDown?: true; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<EngineScene> {
  const { client, start, prepare, make, args } = ENGINES[name];
  const server = await start({ main: turns });
  const home = tempTree({ "tmp/.keep": "" });
  const tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", "a.txt": "text of a\n" });
  const marker = `engine-scene-${process.pid}-${++scenes}`;
  const prepared = prepare(home, [tree.root], options.isDown ? NO_SERVER : server.url);
  const clean = cleanEnvironment({ home, env: { ...prepared, ...options.env, [MARKER]: marker } });
  const env = { ...clean, PATH: `${dirname(client.program)}:${clean["PATH"]}` };
  const engine = make(realWorld(env), tree.root);
  const events: EngineEvent[] = [];
  const ask = (prompt: string, given: Partial<QueryOptions> = {}) =>
    engine.query(prompt, {
      cwd: tree.root,
      args,
      timeoutMs: 40_000,
      signal: new AbortController().signal,
      onProgress: (event) => void events.push(event),
      ...given,
    });
  return {
    engine,
    tree,
    server,
    events,
    ask,
    fail: async (prompt, given) => {
      const answer = await ask(prompt, given).catch((error: AgentError) => error);
      if (!(answer instanceof Error)) throw new Error(`it has answered: ${JSON.stringify(answer)}`);
      return answer;
    },
    left: () => findMarked(MARKER, marker),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      home[Symbol.dispose]();
      tree[Symbol.dispose]();
      if (server.failures.length > 0) throw new AggregateError(server.failures, String(server.failures[0]));
    },
  };
}
