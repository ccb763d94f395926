import { spawn } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import type { AgentResult } from "../../src/agent/run-schema.ts";
import { CODELIA } from "../support/run-codelia.ts";
import type { AgentScene } from "./agent-scene.ts";
import type { Definition } from "./definitions.ts";

export const PROMPTS = { "prompts/one.md": "Do one.\n", "prompts/two.md": "Do two with {uv-one_size}.\n" };

export function twoSteps(): Definition {
  return {
    name: "two",
    entryStep: "one",
    limits: { maxRetries: 0, timeoutMs: 20_000 },
    steps: {
      one: {
        prompt: { path: "prompts/one.md" },
        output: { size: { type: "number" } },
        check: { type: "output", onPass: "two" },
      },
      two: {
        prompt: { path: "prompts/two.md" },
        inputs: { variables: { "one.size": true } },
        check: { type: "output", onPass: "complete" },
      },
    },
  };
}

export const SCRIPT = [
  ["Do one", '{"size": 7}'],
  ["Do two with 7", "done"],
] as const;

/** Starts a run, and answers when its model has been asked. */
export async function startRun(scene: AgentScene, args: readonly string[] = []) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: scene.home.root, ...scene.env };
  const child = spawn(CODELIA, ["agent", "run", "agent", "--json", ...args], { cwd: scene.tree.root, env });
  let stdout = "";
  child.stdout.on("data", (bytes: Uint8Array) => (stdout += new TextDecoder().decode(bytes)));
  const ended = new Promise<number | null>((resolve) => void child.on("close", resolve));
  while (scene.prompts().length === 0 && child.exitCode === null) await after(5);
  const end = async () => ({ exitCode: await ended, result: JSON.parse(stdout) as AgentResult });
  return { child, end };
}
