import { existsSync } from "node:fs";
import type { TempTree } from "../../support/temp-tree.ts";
import { CLAUDE } from "./clients.ts";
import { NO_SERVER, runClient, type ProcessResult } from "./client-process.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { runWithModel, type ClientRun, type RunOptions } from "./run-with-model.ts";
import type { Script } from "./script.ts";

/** One of each form in which hook context comes to a model. */
export const CLAUDE_MODELS = ["claude-opus-5-5", "claude-sonnet-5", "claude-sonnet-4-5"] as const;

export interface ClaudeOptions extends RunOptions {
  /** Several are said one after the other in one session; `/compact` is one. */
  readonly prompt: string | readonly string[];
  readonly script?: Script;
  /** Beside the hooks, what the user's settings.json gets. */
  readonly settings?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the real Claude Code on a tree, with a scripted model and no question about permissions. */
export function runClaude(options: ClaudeOptions): Promise<ClientRun> {
  const { tree, cwd = tree.root, hooks, settings, timeoutMs } = options;
  return runWithModel(
    () => startFakeAnthropic(options.script ?? {}),
    options.home,
    (url, home) => {
      trust(home, [tree.root, cwd]);
      if (hooks || settings)
        home.write(".claude/settings.json", JSON.stringify({ ...settings, ...(hooks && { hooks }) }));
      return runClient({
        program: CLAUDE.program,
        args: claudeArguments(options),
        cwd,
        home,
        env: { ...claudeEnvironment(url, home.path("tmp")), ...options.env },
        timeoutMs,
        inputs: typeof options.prompt === "string" ? [] : options.prompt.map(toInput),
        endsTurn: (line) => line.includes('"type":"result"'),
      });
    },
  );
}

/** One of its commands that ask no model: `plugin validate`, `mcp list`. */
export function runClaudeCommand(args: readonly string[], home: TempTree, cwd: string): Promise<ProcessResult> {
  const env = claudeEnvironment(NO_SERVER, home.path("tmp"));
  return runClient({ program: CLAUDE.program, args, cwd, home, env });
}

/** A home in which the client asks nothing, and its environment: for those who start it themselves. */
export function prepareClaude(home: TempTree, paths: readonly string[], url: string): Record<string, string> {
  trust(home, paths);
  return claudeEnvironment(url, home.path("tmp"));
}

/** Beside what the client itself has written there in an earlier run. */
function trust(home: TempTree, paths: readonly string[]): void {
  const state = existsSync(home.path(".claude.json")) ? JSON.parse(home.read(".claude.json")) : {};
  const projects = { ...state.projects };
  for (const path of paths) projects[path] = { ...projects[path], hasTrustDialogAccepted: true };
  home.write(".claude.json", JSON.stringify({ ...state, hasCompletedOnboarding: true, projects }));
}

type Asked = Pick<ClaudeOptions, "prompt" | "model" | "resume" | "args">;

export function claudeArguments({ prompt, model = CLAUDE_MODELS[0], resume, args = [] }: Asked): string[] {
  const format =
    typeof prompt === "string"
      ? [prompt, "--output-format", "json"]
      : ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const session = resume === undefined ? [] : resume === true ? ["--continue"] : ["--resume", resume];
  return ["-p", ...format, "--model", model, "--dangerously-skip-permissions", ...session, ...args];
}

function toInput(prompt: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`;
}

function claudeEnvironment(url: string, temporary: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_TMPDIR: temporary,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    // Else it refuses to skip the questions where the tests run as root, as in a container.
    IS_SANDBOX: "1",
  };
}
