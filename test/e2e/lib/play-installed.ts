import { expect } from "bun:test";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import { installHooks, RULED_FILES } from "./codelia-scene.ts";
import type { HarnessClient } from "./harness-client.ts";
import { harnessClient, runHarness } from "./harness.ts";
import type { ClientRun } from "./run-with-model.ts";
import type { Answer, Script, ToolUse } from "./script.ts";

// A session of a real client with what `codelia install` registers.

export const FILES = {
  ...RULED_FILES,
  ".agents/skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Draft notes\n---\nText.\n",
};
export const RULES = "the user overrides all.";

interface Scene {
  readonly files?: Readonly<Record<string, string>>;
  readonly agents?: NonNullable<Script["agents"]>;
}

export async function play(
  host: string,
  uses: (tools: HarnessClient["tools"], tree: TempTree) => readonly Use[],
  check: (run: ClientRun, tree: TempTree) => void,
  { files = {}, agents = {} }: Scene = {},
): Promise<void> {
  using tree = tempTree({ ...FILES, ...files });
  using home = tempTree();
  installHooks(host, tree, home);
  const script = { main: uses(harnessClient(host).tools, tree).map(toTurn), agents };
  const played = await runHarness(host, { tree, home, script });
  // Cline leaves a server of its own, for its next start.
  const leftBehind = played.leftBehind.filter((line) => !line.includes("--cline-hub-daemon"));
  expect({ exitCode: played.exitCode, leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
  check(played, tree);
}

type Use = ToolUse & Pick<Answer, "inputTokens" | "text">;

export function toTurn({ inputTokens, text, ...use }: Use): Answer {
  return { toolUses: [use], ...(inputTokens !== undefined && { inputTokens }), ...(text !== undefined && { text }) };
}

export const isMissing = (host: string) => harnessClient(host).client.missing !== undefined;
