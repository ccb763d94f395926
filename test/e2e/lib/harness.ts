import { existsSync } from "node:fs";
import type { TempTree } from "../../support/temp-tree.ts";
import { claudeArguments, prepareClaude } from "./claude.ts";
import * as claudeTools from "./claude-tools.ts";
import { runClient } from "./client-process.ts";
import {
  CLAUDE,
  CLINE,
  CODEX,
  CONTINUE,
  COPILOT,
  COPILOT_CACHE,
  GEMINI,
  KILO,
  KIMI,
  NODE,
  OPENCODE,
  PI,
  QWEN,
} from "./clients.ts";
import { codexArguments, prepareCodex } from "./codex.ts";
import { DIRECT_TOOLS } from "./codex-tools.ts";
import { WIRES, type HarnessClient } from "./harness-client.ts";
import { runWithModel, type ClientRun } from "./run-with-model.ts";
import type { Script, ToolUse } from "./script.ts";

export interface HarnessRun {
  readonly tree: TempTree;
  /** Its own if none is given. */
  readonly home?: TempTree;
  /** The tree's root if it is not given. */
  readonly cwd?: string;
  readonly script: Script;
  readonly resume?: boolean;
}

const PROMPT = "Go.";
/** More than a client that counts by itself leaves in its context. */
const MUCH = "All is well. ".repeat(80_000);
/** On a quiet machine a run takes seconds; where two cores are shared by many it takes more than a minute. */
const TIMEOUT_MS = 240_000;

/** For a test that runs one client once. */
export const HARNESS_TEST_MS = TIMEOUT_MS + 10_000;

/** Runs a client on a tree, with a scripted model and no question about permissions. */
export function runHarness(
  name: string,
  { tree, home, cwd = tree.root, script, resume = false }: HarnessRun,
): Promise<ClientRun> {
  const client = harnessClient(name);
  return runWithModel(
    () => WIRES[client.wire](script),
    home,
    (url, ownHome) => {
      const { env, ...start } = client.start({ tree, home: ownHome, cwd, url, resume });
      // Some send what is on loopback through their proxy, too: it is the server, which leads to itself only.
      const proxied = { HTTP_PROXY: url, HTTPS_PROXY: url, ...env };
      return runClient({ ...start, env: proxied, cwd, home: ownHome, timeoutMs: TIMEOUT_MS });
    },
  );
}

export function harnessClient(name: string): HarnessClient {
  const found = HARNESS.find((client) => client.name === name);
  if (found === undefined) throw new Error(`'${name}' is not in the harness`);
  return found;
}

/** What Gemini CLI and its descendant are told not to send or fetch. */
const QUIET = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
};

/** Of opencode and its descendant. */
const OPENCODE_TOOLS: HarnessClient["tools"] = {
  read: (path) => ({ name: "read", input: { filePath: path } }),
  replace: (path, from, to) => ({ name: "edit", input: { filePath: path, oldString: from, newString: to } }),
  shell: (command) => ({ name: "bash", input: { command, description: "Looks" } }),
  spawn: (prompt) => ({ name: "task", input: { description: "Helps", prompt, subagent_type: "general" } }),
};

function opencodeSettings(url: string): object {
  const models = { fake: { name: "fake", limit: { context: 100_000, output: 4000 } } };
  const options = { baseURL: `${url}/v1`, apiKey: "dummy" };
  return {
    autoupdate: false,
    share: "disabled",
    model: "fake/fake",
    small_model: "fake/fake",
    provider: { fake: { npm: "@ai-sdk/openai-compatible", name: "fake", options, models } },
  };
}

/** Every client that is run here: a line in `clients.ts` finds its program, an entry here says the rest. */
export const HARNESS: readonly HarnessClient[] = [
  {
    name: "claude",
    title: "Claude Code",
    client: CLAUDE,
    wire: "anthropic",
    tools: { read: claudeTools.read, replace: claudeTools.edit, shell: claudeTools.bash, spawn: claudeTools.spawn },
    start: ({ tree, home, cwd, url, resume }) => ({
      program: CLAUDE.program,
      args: claudeArguments({ prompt: PROMPT, ...(resume && { resume }) }),
      env: prepareClaude(home, [tree.root, cwd], url),
    }),
  },
  {
    name: "codex",
    title: "Codex",
    client: CODEX,
    wire: "responses",
    tools: {
      read: (path) => DIRECT_TOOLS.run(`cat '${path}'`),
      replace: patch,
      shell: (line) => DIRECT_TOOLS.run(line),
      spawn: DIRECT_TOOLS.spawn,
      wait: DIRECT_TOOLS.wait,
    },
    start: ({ tree, home, cwd, url, resume }) => ({
      program: CODEX.program,
      args: codexArguments({ tree, cwd, prompt: PROMPT, ...(resume && { resume }) }, url),
      env: prepareCodex(home, [tree.root, cwd], url),
    }),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    client: GEMINI,
    wire: "gemini",
    // It compacts only what was before the last prompt, and a session that goes on counts its tokens itself: here 200
    // of its model's window are many.
    compacts: {
      atPrompt: true,
      prepare: (home) => addSettings(home, ".gemini/settings.json", { model: { compressionThreshold: 0.0002 } }),
    },
    tools: {
      read: (path) => ({ name: "read_file", input: { file_path: path } }),
      replace: (path, from, to) => ({
        name: "replace",
        input: { file_path: path, instruction: "Change it.", old_string: from, new_string: to },
      }),
      shell: (command) => ({ name: "run_shell_command", input: { command, description: "Looks" } }),
      spawn: (prompt) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt } }),
    },
    start({ home, url, resume }) {
      addSettings(home, ".gemini/settings.json", {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        ...QUIET,
      });
      return {
        program: NODE ?? "",
        args: [
          GEMINI.program,
          "-p",
          PROMPT,
          "--yolo",
          "-m",
          "gemini-2.5-pro",
          ...(resume ? ["--resume", "latest"] : []),
        ],
        env: { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url },
      };
    },
  },
  {
    name: "qwen",
    title: "Qwen Code",
    client: QWEN,
    wire: "chat",
    // With more than 177,000 it finds the context too large even to compact.
    compacts: { tokens: 170_000 },
    tools: {
      read: (path) => ({ name: "read_file", input: { file_path: path } }),
      replace: (path, from, to) => ({ name: "edit", input: { file_path: path, old_string: from, new_string: to } }),
      shell: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
      spawn: (prompt) => ({
        name: "agent",
        input: { description: "Helps", prompt, subagent_type: "general-purpose", run_in_background: false },
      }),
    },
    start({ home, url, resume }) {
      addSettings(home, ".qwen/settings.json", QUIET);
      return {
        program: NODE ?? "",
        args: [QWEN.program, "-p", PROMPT, "--yolo", "--auth-type", "openai", ...(resume ? ["--continue"] : [])],
        env: { OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "fake" },
      };
    },
  },
  {
    name: "opencode",
    title: "opencode",
    client: OPENCODE,
    wire: "chat",
    tools: OPENCODE_TOOLS,
    start({ home, url, resume }) {
      addSettings(home, ".config/opencode/opencode.json", opencodeSettings(url));
      return {
        program: OPENCODE.program,
        args: ["run", ...(resume ? ["--continue"] : []), PROMPT],
        env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" },
      };
    },
  },
  {
    name: "kilo",
    title: "Kilo Code",
    client: KILO,
    wire: "chat",
    tools: OPENCODE_TOOLS,
    start({ home, url, resume }) {
      addSettings(home, ".config/kilo/kilo.json", opencodeSettings(url));
      return {
        program: KILO.program,
        args: ["run", "--auto", ...(resume ? ["--continue"] : []), PROMPT],
        env: { KILO_DISABLE_MODELS_FETCH: "1", KILO_DISABLE_AUTOUPDATE: "1", KILO_TELEMETRY_LEVEL: "off" },
      };
    },
  },
  {
    name: "copilot",
    title: "Copilot CLI",
    client: COPILOT,
    wire: "chat",
    tools: {
      read: (path) => ({ name: "view", input: { path } }),
      replace: (path, from, to) => ({ name: "edit", input: { path, old_str: from, new_str: to } }),
      shell: (command) => ({ name: "bash", input: { command, description: "Looks", mode: "sync" } }),
      spawn: (prompt) => ({
        name: "task",
        input: { description: "Helps", prompt, agent_type: "general-purpose", name: "helper" },
      }),
    },
    start: ({ url, resume }) => ({
      program: COPILOT.program,
      args: ["-p", PROMPT, "--allow-all", ...(resume ? ["--continue"] : [])],
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_AUTO_UPDATE: "false",
        COPILOT_PKG_CACHE_HOME: COPILOT_CACHE,
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_TYPE: "openai",
        COPILOT_PROVIDER_API_KEY: "dummy",
        COPILOT_MODEL: "fake",
      },
    }),
  },
  {
    name: "cline",
    title: "Cline",
    client: CLINE,
    wire: "chat",
    cannotResume: "resumes only at a terminal",
    // It counts by itself, and believes a model that counts more only up to a point.
    compacts: { says: MUCH },
    tools: {
      read: (path) => ({ name: "read_files", input: { files: [{ path }] } }),
      replace: (path, from, to) => ({ name: "editor", input: { path, old_text: from, new_text: to } }),
      shell: (command) => ({ name: "run_commands", input: { commands: [command] } }),
      spawn: (task) => ({ name: "spawn_agent", input: { systemPrompt: "Help.", task } }),
    },
    start({ home, url }) {
      const settings = { provider: "openai-compatible", apiKey: "dummy", model: "fake", baseUrl: `${url}/v1` };
      addSettings(home, ".cline/data/settings/providers.json", {
        version: 1,
        lastUsedProvider: settings.provider,
        modes: {},
        providers: {
          [settings.provider]: { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
        },
      });
      // It takes a single word for a command.
      const args = ["-P", settings.provider, "-m", "fake", `${PROMPT} Now.`];
      return { program: CLINE.program, args };
    },
  },
  {
    name: "kimi",
    title: "Kimi Code",
    client: KIMI,
    wire: "chat",
    tools: {
      read: (path) => ({ name: "Read", input: { path } }),
      replace: (path, from, to) => ({ name: "Edit", input: { path, old_string: from, new_string: to } }),
      shell: (command) => ({ name: "Bash", input: { command } }),
      spawn: (prompt) => ({ name: "Agent", input: { description: "Helps", prompt } }),
    },
    start: ({ url, resume }) => ({
      program: NODE ?? "",
      args: [KIMI.program, ...(resume ? ["-c"] : []), "-p", PROMPT],
      env: {
        KIMI_MODEL_NAME: "fake",
        KIMI_MODEL_API_KEY: "dummy",
        KIMI_MODEL_PROVIDER_TYPE: "openai",
        KIMI_MODEL_BASE_URL: `${url}/v1`,
        KIMI_CODE_NO_AUTO_UPDATE: "1",
      },
    }),
  },
  {
    name: "pi",
    title: "pi",
    client: PI,
    wire: "chat",
    compacts: { atPrompt: true },
    tools: {
      read: (path) => ({ name: "read", input: { path } }),
      replace: (path, from, to) => ({ name: "edit", input: { path, edits: [{ oldText: from, newText: to }] } }),
      shell: (command) => ({ name: "bash", input: { command } }),
    },
    start({ home, url, resume }) {
      const provider = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "dummy", models: [{ id: "fake" }] };
      addSettings(home, ".pi/agent/models.json", { providers: { fake: provider } });
      // By default it keeps all of a session as short as these.
      addSettings(home, ".pi/agent/settings.json", { compaction: { keepRecentTokens: 10 } });
      return {
        program: NODE ?? "",
        args: [
          PI.program,
          "--provider",
          "fake",
          "--model",
          "fake",
          "--approve",
          ...(resume ? ["-c"] : []),
          "-p",
          PROMPT,
        ],
        env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
      };
    },
  },
  {
    name: "continue",
    title: "Continue CLI",
    client: CONTINUE,
    wire: "chat",
    compacts: { says: MUCH },
    tools: {
      read: (path) => ({ name: "Read", input: { filepath: path } }),
      replace: (path, from, to) => ({ name: "Edit", input: { file_path: path, old_string: from, new_string: to } }),
      shell: (command) => ({ name: "Bash", input: { command } }),
    },
    start({ home, url, resume }) {
      const model = { name: "fake", provider: "openai", model: "fake", apiBase: `${url}/v1`, apiKey: "dummy" };
      // JSON is YAML.
      home.write(
        ".continue/config.yaml",
        JSON.stringify({ name: "fake", version: "0.0.1", schema: "v1", models: [model] }),
      );
      return {
        program: NODE ?? "",
        args: [
          CONTINUE.program,
          "-p",
          PROMPT,
          "--auto",
          "--config",
          home.path(".continue/config.yaml"),
          ...(resume ? ["--resume"] : []),
        ],
        env: { CONTINUE_TELEMETRY_ENABLED: "0" },
      };
    },
  },
];

function patch(path: string, from: string, to: string): ToolUse {
  return DIRECT_TOOLS.patch(`*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch\n`);
}

function addSettings(home: TempTree, path: string, settings: object): void {
  const present = existsSync(home.path(path)) ? JSON.parse(home.read(path)) : {};
  home.write(path, JSON.stringify({ ...present, ...settings }));
}
