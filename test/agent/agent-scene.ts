import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "bun:test";
import type { AgentResult } from "../../src/schema/agent-run.ts";
import { REPOSITORY, runCodelia, type RunResult } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import type { Definition } from "./definitions.ts";

/** What a prompt must hold, and the answer: each is given once, in this order. */
export type ModelScript = readonly (readonly [holds: string, answer: string | number])[];

interface RunScene {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
}

export interface AgentScene {
  readonly tree: TempTree;
  readonly home: TempTree;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: RunScene): RunResult;
  /** What the model was asked, in that order. */
  prompts(): readonly string[];
  [Symbol.dispose](): void;
}

const MODEL = join(import.meta.dirname, "model.mjs");

/** A project with a definition in `agent/`, whose engine is a real program that says what the script says; it is trusted. */
export function agentScene(
  definition: Definition,
  prompts: Readonly<Record<string, Entry>>,
  script: ModelScript,
  files: Readonly<Record<string, Entry>> = {},
): AgentScene {
  const entries = Object.entries(prompts).map(([path, entry]): [string, Entry] => [`agent/${path}`, entry]);
  const tree = tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "agent/agent.json": JSON.stringify(withModel(definition)),
    "agent/model.mjs": readFileSync(MODEL, "utf8"),
    ...Object.fromEntries(entries),
    ...files,
  });
  const home = tempTree({ "script.json": JSON.stringify(script) });
  const env = { MODEL_SCRIPT: home.path("script.json"), MODEL_LOG: home.path("prompts.jsonl") };
  const scene: AgentScene = {
    tree,
    home,
    env,
    run: (args, options = {}) =>
      runCodelia(args, {
        cwd: tree.path(options.cwd ?? "."),
        home: home.root,
        env: { ...env, ...options.env },
        stdin: options.stdin ?? "",
      }),
    prompts: () => promptsIn(env.MODEL_LOG),
    [Symbol.dispose]: () => {
      tree[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
  expect(scene.run(["trust", "agent", "--yes", "--quiet"])).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  return scene;
}

/** One of the examples in docs/, with the program for an engine. */
export function exampleScene(
  name: string,
  script: ModelScript,
  files: Readonly<Record<string, Entry>> = {},
): AgentScene {
  const directory = join(REPOSITORY, "docs", "examples", name);
  const definition = JSON.parse(readFileSync(join(directory, "agent.json"), "utf8"));
  const prompts: Record<string, Entry> = {};
  for (const path of new Bun.Glob("prompts/**/*.md").scanSync(directory)) {
    prompts[path] = readFileSync(join(directory, path), "utf8");
  }
  return agentScene(definition, prompts, script, files);
}

export function resultOf({ stdout }: RunResult): AgentResult {
  return JSON.parse(stdout) as AgentResult;
}

function withModel(definition: Definition): Definition {
  return { ...definition, connection: { engine: "command", command: [process.execPath, "model.mjs"] } };
}

function promptsIn(log: string): string[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as string);
}
