import { dirname } from "node:path";
import type { AgentResult } from "../../../src/agent/run-schema.ts";
import { findMarked } from "../../../src/lib/process.ts";
import { startProgram, CODELIA, type RunResult } from "../../support/run-codelia.ts";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import { cleanEnvironment, NO_SERVER } from "./client-process.ts";
import { ENGINES } from "./engine-scene.ts";
import type { ModelServer } from "./model-server.ts";
import type { Turn } from "./script.ts";
import { MARKER } from "./stragglers.ts";

type EngineName = keyof typeof ENGINES;

export interface AgentRunScene {
  readonly tree: TempTree;
  readonly home: TempTree;
  readonly env: Readonly<Record<string, string>>;
  readonly servers: { readonly [name in EngineName]?: ModelServer };
  codelia(args: readonly string[]): Promise<RunResult>;
  /** What is there of all that the scene has started. */
  left(): readonly number[];
  [Symbol.asyncDispose](): Promise<void>;
}

let scenes = 0;

/**
 * A project with a definition in `agent/`, the real clients on PATH, each with a model that says its turns; one without
 * turns has a service that can't be reached. The definition is trusted.
 */
export async function agentRunScene(
  definition: object,
  prompts: Readonly<Record<string, string>>,
  models: { readonly [name in EngineName]?: readonly Turn[] | "down" },
): Promise<AgentRunScene> {
  const names = Object.keys(models) as EngineName[];
  const tree = tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "agent/agent.json": JSON.stringify(definition),
    ...Object.fromEntries(Object.entries(prompts).map(([path, text]) => [`agent/${path}`, text])),
  });
  const home = tempTree({ "tmp/.keep": "" });
  const servers: { [name in EngineName]?: ModelServer } = {};
  const marker = `agent-run-scene-${process.pid}-${++scenes}`;
  const env: Record<string, string> = { [MARKER]: marker };
  for (const name of names) {
    const turns = models[name];
    const server = turns === "down" ? undefined : await ENGINES[name].start({ main: turns ?? [] });
    if (server !== undefined) servers[name] = server;
    Object.assign(env, ENGINES[name].prepare(home, [tree.root], server?.url ?? NO_SERVER));
  }
  const clean = cleanEnvironment({ home, env });
  const programs = names.map((name) => dirname(ENGINES[name].client.program));
  const whole = { ...clean, PATH: [...programs, clean["PATH"]].join(":") };
  const codelia = (args: readonly string[]) =>
    startProgram(CODELIA, args, { cwd: tree.root, env: whole, timeoutMs: 50_000 });
  const trusted = await codelia(["trust", "agent", "--yes", "--quiet"]);
  if (trusted.exitCode !== 0) throw new Error(trusted.stderr);
  return {
    tree,
    home,
    env: whole,
    servers,
    codelia,
    left: () => findMarked(MARKER, marker),
    [Symbol.asyncDispose]: async () => {
      const all = Object.values(servers);
      for (const server of all) await server[Symbol.asyncDispose]();
      home[Symbol.dispose]();
      tree[Symbol.dispose]();
      const failures = all.flatMap((server) => server.failures);
      if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
    },
  };
}

/** The `connection` of a definition that asks a real client. */
export function connectionTo(name: EngineName, more: object = {}): object {
  return { engine: name, args: ENGINES[name].args, ...more };
}

export function resultOf({ stdout }: RunResult): AgentResult {
  return JSON.parse(stdout) as AgentResult;
}
