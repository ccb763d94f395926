import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentResult } from "../../../src/agent/run-schema.ts";
import { CODELIA, REPOSITORY, runCodelia } from "../../support/run-codelia.ts";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import { agentRunScene, connectionTo, resultOf } from "./agent-run-scene.ts";
import { bash } from "./claude-tools.ts";
import { runClaude } from "./claude.ts";
import { installHooks } from "./codelia-scene.ts";
import { DIRECT_TOOLS } from "./codex-tools.ts";
import { CODEX_CONFIG, runCodex } from "./codex.ts";
import { ENGINES } from "./engine-scene.ts";
import type { Answer, ModelRequest } from "./script.ts";

// An example of docs/ with a real client, driven by `agent run` or guided by the Stop hook.

export type ClientName = "claude" | "codex";

export const MODES = ["driven", "guided"] as const;
export type Mode = (typeof MODES)[number];

/** What the model does in one turn. */
export type Move =
  | { readonly data: object }
  | { readonly text: string }
  /** `compacts`: the client then finds its conversation too long. */
  | { readonly runs: string; readonly compacts?: true };

export interface ExamplePlay {
  readonly client: ClientName;
  readonly mode: Mode;
  /** Of docs/; `new` is what `agent new` writes. */
  readonly example: string;
  /** Of the project, beside the definition. */
  readonly files: Readonly<Record<string, string>>;
  readonly variables?: readonly string[];
  readonly moves: readonly Move[];
}

export interface Played {
  readonly result: AgentResult;
  /** Of `codelia agent run`; undefined for a guided run. */
  readonly exitCode: number | undefined;
  readonly seen: { readonly seenByModel: readonly ModelRequest[] };
  readonly tree: TempTree;
}

/** Far more than the clients are told to take. */
const TOO_MANY_TOKENS = 900_000;
const WINDOW = 100_000;

export async function playExample(play: ExamplePlay, judge: (played: Played) => void): Promise<void> {
  await (play.mode === "driven" ? drive(play, judge) : guide(play, judge));
}

async function drive(play: ExamplePlay, judge: (played: Played) => void): Promise<void> {
  const { client, example, files, variables = [], moves } = play;
  const { definition, others } = readExample(example);
  const args = [...ENGINES[client].args, ...(client === "codex" ? ["--config", CODEX_LIMIT] : [])];
  const connection = connectionTo(client, { args });
  const turns = moves.map((move) => turnOf(move, play));
  await using scene = await agentRunScene({ ...definition, connection }, others, { [client]: turns });
  for (const [path, text] of Object.entries(files)) scene.tree.write(path, text);
  if (client === "claude") scene.home.write(".claude/settings.json", JSON.stringify({ env: CLAUDE_LIMIT }));
  const run = await scene.codelia(["agent", "run", "agent", "--json", ...variables]);
  expect(run.stderr).toBe("");
  judge({ result: resultOf(run), exitCode: run.exitCode, seen: scene.servers[client]!, tree: scene.tree });
  expect(scene.left()).toEqual([]);
}

async function guide(play: ExamplePlay, judge: (played: Played) => void): Promise<void> {
  const { client, example, files, variables = [], moves } = play;
  const { definition, others } = readExample(example);
  const entries = Object.entries(others).map(([path, text]) => [`agent/${path}`, text]);
  using tree = tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "agent/agent.json": JSON.stringify(definition),
    ...Object.fromEntries(entries),
    ...files,
  });
  using home = tempTree();
  if (client === "codex") home.write(".codex/config.toml", CODEX_CONFIG);
  // As it is installed where nothing else is said.
  installHooks(client, tree, home, client === "codex" ? "mcp" : "mod");
  const codelia = (args: readonly string[]) => runCodelia(args, { cwd: tree.root, home: home.root });
  expect(codelia(["trust", "agent", "--yes", "--quiet"]).exitCode).toBe(0);
  const start = [`'${CODELIA}' agent start agent`, ...variables].join(" ");
  const script = { main: [{ runs: start }, ...moves].map((move) => turnOf(move, play)) };
  const run =
    client === "claude"
      ? await runClaude({ tree, home, prompt: "Go.", script, env: CLAUDE_LIMIT })
      : await runCodex({ tree, home, prompt: "Go.", script, args: ["--config", CODEX_LIMIT] });
  expect([run.exitCode, run.leftBehind]).toEqual([0, []]);
  const { runs } = JSON.parse(codelia(["agent", "status", "--json"]).stdout);
  expect(runs).toHaveLength(1);
  const [{ result, outputs }] = runs;
  judge({ result: { ...result, outputs }, exitCode: undefined, seen: run, tree });
}

const CLAUDE_LIMIT = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(WINDOW) };
const CODEX_LIMIT = `model_auto_compact_token_limit=${WINDOW}`;

function turnOf(move: Move, { client, mode }: ExamplePlay): Answer {
  if ("text" in move) return { text: move.text };
  if ("runs" in move) {
    const tool = client === "claude" ? bash(move.runs) : DIRECT_TOOLS.run(move.runs);
    return { toolUses: [tool], ...(move.compacts && { inputTokens: TOO_MANY_TOKENS }) };
  }
  if (mode === "driven" && client === "claude") {
    return { toolUses: [{ name: "StructuredOutput", input: { ...move.data } }] };
  }
  return { text: `\`\`\`json\n${JSON.stringify(move.data)}\n\`\`\`` };
}

/** The definition and its other files, as docs/ has them. */
function readExample(name: string): { definition: object; others: Record<string, string> } {
  using made = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
  if (name === "new") runCodelia(["agent", "new", "tidy"], { cwd: made.root, home: made.path("home") });
  const directory = name === "new" ? made.path(".agents/agents/tidy") : join(REPOSITORY, "docs", "examples", name);
  const textOf = (path: string) => readFileSync(join(directory, path), "utf8");
  const paths = [...new Bun.Glob("**/*").scanSync(directory)].filter((path) => path !== "agent.json");
  return {
    definition: JSON.parse(textOf("agent.json")),
    others: Object.fromEntries(paths.map((path) => [path, textOf(path)])),
  };
}
