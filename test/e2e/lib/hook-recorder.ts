import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TempTree } from "../../support/temp-tree.ts";
import type { HookConfig } from "./run-with-model.ts";

/** What a hook does: a text is its stdout. */
export type HookAnswer =
  | string
  | {
      readonly stdout?: string;
      readonly stderr?: string;
      readonly exitCode?: number;
      /** It waits until so many calls of its event have come; called alone it fails. */
      readonly together?: number;
    };

export interface HookRecorder {
  /** For the client's configuration. */
  readonly hooks: HookConfig;
  /** What the hooks were told since they were made, in the order in which they had read it. */
  calls(event?: string): readonly HookCall[];
}

export interface HookCall {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly [field: string]: unknown;
}

/** Hooks that record every call and answer as told; several answers to one event are as many hooks. */
export function recordHooks(
  home: TempTree,
  answers: Readonly<Record<string, HookAnswer | readonly HookAnswer[]>>,
): HookRecorder {
  const log = home.path("hook-calls.jsonl");
  const hooks = Object.entries(answers).map(([event, given]) => {
    const several: readonly HookAnswer[] = Array.isArray(given) ? given : [given as HookAnswer];
    return [event, [{ hooks: several.map((answer, index) => makeHandler(home, log, `${event}-${index}`, answer)) }]];
  });
  return {
    hooks: Object.fromEntries(hooks) as HookConfig,
    calls: (event) => readCalls(log).filter((call) => event === undefined || call.hook_event_name === event),
  };
}

/** The output by which a hook's text reaches the model. */
export function contextOutput(event: string, additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } });
}

function makeHandler(home: TempTree, log: string, name: string, answer: HookAnswer): object {
  const {
    stdout = "",
    stderr = "",
    exitCode = 0,
    together = 1,
  }: Exclude<HookAnswer, string> = typeof answer === "string" ? { stdout: answer } : answer;
  home.write(`hook-answers/${name}.json`, JSON.stringify({ stdout, stderr, exitCode, together }));
  const words = [
    process.execPath,
    join(import.meta.dirname, "record-hook.ts"),
    log,
    home.path("hook-answers", `${name}.json`),
  ];
  return { type: "command", command: words.map((word) => `'${word}'`).join(" "), timeout: 20 };
}

function readCalls(log: string): readonly HookCall[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as HookCall);
}
