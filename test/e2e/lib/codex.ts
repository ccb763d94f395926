import { existsSync } from "node:fs";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import { CODEX } from "./clients.ts";
import { NO_SERVER, runClient, type ProcessResult } from "./client-process.ts";
import { seenInItem, startFakeResponses } from "./fake-responses.ts";
import type { Json } from "./model-server.ts";
import { runWithModel, type ClientRun, type RunOptions } from "./run-with-model.ts";
import type { Script, Seen } from "./script.ts";

/** The first is given its tools directly, the second a JavaScript to call them from. */
export const CODEX_MODELS = ["gpt-5.5", "gpt-6.1-sol"] as const;

export interface CodexOptions extends RunOptions {
  readonly prompt: string;
  readonly script?: Script;
  /** Settings beside those of config.toml that every run has, by their dotted names. */
  readonly config?: CodexConfig;
  readonly env?: Readonly<Record<string, string>>;
  /** What the user has said about the project. */
  readonly trust?: Trust;
  /** False: only hooks run that the user has approved, as without a harness. */
  readonly trustHooks?: boolean;
}

type CodexConfig = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Runs the real Codex on a tree, with a scripted model, hooks taken as trusted and no question about permissions. */
export function runCodex(options: CodexOptions): Promise<ClientRun> {
  const { tree, cwd = tree.root, hooks, timeoutMs } = options;
  return runWithModel(
    () => startFakeResponses(options.script ?? {}),
    options.home,
    (url, home) => {
      configure(home, { trust: options.trust ?? "trusted", paths: [tree.root, cwd] });
      if (hooks !== undefined) home.write(".codex/hooks.json", JSON.stringify({ hooks }));
      const env = { ...codexEnvironment(home), ...options.env };
      return runClient({ program: CODEX.program, args: codexArguments(options, url), cwd, home, env, timeoutMs });
    },
  );
}

/** One of its commands that ask no model: `plugin add`, `mcp list`. */
export function runCodexCommand(args: readonly string[], home: TempTree, cwd: string): Promise<ProcessResult> {
  configure(home, undefined);
  return runClient({ program: CODEX.program, args, cwd, home, env: codexEnvironment(home) });
}

export function codexArguments(options: CodexOptions, url: string): string[] {
  const { tree, cwd = tree.root, prompt, model = CODEX_MODELS[0], resume, args = [], trustHooks = true } = options;
  const unasked = [
    "--dangerously-bypass-approvals-and-sandbox",
    ...(trustHooks ? ["--dangerously-bypass-hook-trust"] : []),
  ];
  const common = ["exec", "--json", "--skip-git-repo-check", ...unasked, "--model", model, "--cd", cwd];
  const session = resume === undefined ? [] : ["resume", resume === true ? "--last" : resume];
  const config = configArguments({ "model_providers.fake.base_url": `${url}/v1`, ...options.config });
  return [...common, ...config, ...args, ...session, prompt];
}

export interface PromptInput {
  /** The message that carries the instruction files; undefined where there is none. */
  readonly agentsMd: string | undefined;
  readonly seen: readonly Seen[];
}

export interface PromptInputOptions {
  readonly tree: TempTree;
  readonly cwd?: string;
  readonly home?: TempTree;
  readonly config?: CodexConfig;
  /** What the user has said about the project; undefined: nothing. */
  readonly trust?: Trust | undefined;
}

/** What Codex would send for a prompt, asked of itself: no server, no session. */
export async function codexPromptInput(options: PromptInputOptions, prompt: string): Promise<PromptInput> {
  const { tree, cwd = tree.root } = options;
  const trust = "trust" in options ? options.trust : "trusted";
  using ownHome = options.home === undefined ? tempTree() : undefined;
  const home = options.home ?? ownHome!;
  configure(home, trust && { trust, paths: [tree.root, cwd] });
  const args = ["debug", "prompt-input", ...configArguments(options.config), prompt];
  const result = await runClient({ program: CODEX.program, args, cwd, home, env: codexEnvironment(home) });
  if (result.exitCode !== 0) throw new Error(`'codex debug prompt-input' failed: ${result.stderr}`);
  const seen = (JSON.parse(result.stdout) as readonly Json[]).flatMap(seenInItem);
  return { agentsMd: seen.find(({ text }) => text.startsWith("# AGENTS.md instructions"))?.text, seen };
}

function configArguments(config: CodexConfig = {}): string[] {
  return Object.entries(config).flatMap(([name, value]) => ["--config", `${name}=${JSON.stringify(value)}`]);
}

function codexEnvironment(home: TempTree): Record<string, string> {
  return { CODEX_HOME: home.path(".codex"), FAKE_KEY: "dummy" };
}

/** A home in which the client asks nothing, and its environment: for those who start it themselves. */
export function prepareCodex(home: TempTree, paths: readonly string[], url: string): Record<string, string> {
  configure(home, { trust: "trusted", paths });
  const config = home.read(".codex/config.toml").replace(/^base_url = .*$/m, `base_url = "${url}/v1"`);
  home.write(".codex/config.toml", config);
  return codexEnvironment(home);
}

type Trust = "trusted" | "untrusted";

/** What every run has in its config.toml: names first, then tables. */
export const CODEX_CONFIG = `model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "fake"
base_url = "${NO_SERVER}"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
`;

/** Beside what the client itself has written there in an earlier run. The server's address is an argument of each run. */
function configure(home: TempTree, projects: { trust: Trust; paths: readonly string[] } | undefined): void {
  let config = existsSync(home.path(".codex/config.toml")) ? home.read(".codex/config.toml") : CODEX_CONFIG;
  for (const path of projects?.paths ?? []) {
    const table = `[projects.${JSON.stringify(path)}]\n`;
    if (!config.includes(table)) config += `\n${table}trust_level = "${projects?.trust}"\n`;
  }
  home.write(".codex/config.toml", config);
}
