import type { Engine, QueryOptions, QueryResult } from "../../../src/agent/engines/engine.ts";
import { promptKey } from "../../../src/agent/definition/prompts.ts";
import { validate, type ValidatedDefinition } from "../../../src/agent/definition/validate.ts";
import type { Dependencies } from "../../../src/agent/run/execution.ts";
import type { RunEvent } from "../../../src/agent/run/execution.ts";
import type { AgentRun } from "../../../src/agent/run-schema.ts";
import type { Definition } from "../definitions.ts";

export type Reply =
  | string
  | Partial<QueryResult>
  | Error
  | ((prompt: string, options: QueryOptions) => Promise<QueryResult>);

interface Asked {
  readonly engine: string;
  readonly prompt: string;
  readonly options: QueryOptions;
}

export interface Scene {
  readonly validated: ValidatedDefinition;
  readonly dependencies: Dependencies;
  readonly asked: Asked[];
  readonly events: RunEvent[];
  readonly waits: number[];
  readonly saved: AgentRun[];
  ended: boolean;
}

/** Engines that give the next of their replies, on a definition whose prompts are their own names: no disk, no time. */
export function executionScene(
  definition: Definition,
  replies: Readonly<Record<string, readonly Reply[]>>,
  others: Partial<Dependencies> = {},
): Scene {
  const asked: Asked[] = [];
  const events: RunEvent[] = [];
  const waits: number[] = [];
  const saved: AgentRun[] = [];
  const scene: Scene = {
    validated: validated(definition),
    asked,
    events,
    waits,
    saved,
    ended: false,
    dependencies: {
      members: Object.entries(replies).map(([name, given], index) => ({
        engine: engineOf(name, [...given], asked),
        args: index === 0 ? ["--first"] : [],
      })),
      prompts: { resolve: async ({ path = "" }, variables) => `${path} ${JSON.stringify(variables)}` },
      checkByCommand: async () => ({ pass: true, reason: "the command succeeded" }),
      keeper: {
        begin: ({ cwd, variables }) => begun(definition, cwd, variables),
        save: (run) => {
          saved.push(structuredClone(run));
          return { ...run, n: run.n + 1 };
        },
        conclude: (run) => void saved.push(structuredClone(run)),
        end: () => void (scene.ended = true),
      },
      listen: (event) => void events.push(event),
      wait: async (milliseconds) => void waits.push(milliseconds),
      chance: () => 0,
      ticks: () => 0,
      ...others,
    },
  };
  return scene;
}

export function stepOf(name: string, more: object = {}) {
  return { prompt: { path: `${name}.md` }, check: { type: "output", onPass: "complete" }, ...more };
}

function validated(definition: Definition): ValidatedDefinition {
  const prompts = new Map<string, { kind: "text"; text: string }>();
  for (const { prompt, check } of Object.values(definition.steps) as Definition[]) {
    for (const reference of [prompt, check?.prompt]) {
      if (reference !== undefined) prompts.set(promptKey(reference), { kind: "text", text: "text" });
    }
  }
  const result = validate({ directory: "/definition", file: "/definition/agent.json", data: definition, prompts });
  if (!result.valid) throw new Error(JSON.stringify(result.errors));
  return result.validated;
}

function engineOf(name: string, replies: Reply[], asked: Asked[]): Engine {
  return {
    name,
    async query(prompt, options) {
      asked.push({ engine: name, prompt, options });
      const reply = replies.shift();
      if (reply === undefined) throw new Error(`engine '${name}' has nothing more to say`);
      if (reply instanceof Error) throw reply;
      if (typeof reply === "function") return reply(prompt, options);
      const result = typeof reply === "string" ? { text: reply } : reply;
      return { text: "", durationMs: 1, ...result };
    },
  };
}

function begun(definition: Definition, cwd: string, variables: Readonly<Record<string, string>>): AgentRun {
  return {
    version: 1,
    tree: "",
    n: 0,
    instance: "agent-test-1",
    name: "test",
    definition: "/definition",
    cwd,
    mode: "driven",
    status: "started",
    startedAt: 0,
    updatedAt: 0,
    variables: { ...variables },
    step: definition.entryStep,
    failures: 0,
    awaiting: "answer",
    continuations: 0,
    isUntold: false,
    outputs: {},
    summaries: [],
  };
}
