import { existsSync } from "node:fs";
import type { TempTree } from "../../support/temp-tree.ts";
import { GEMINI, OPENCODE, QWEN } from "./clients.ts";
import { runClient, type ClientProcess } from "./client-process.ts";
import { startFakeChat } from "./fake-chat.ts";
import { startFakeGemini } from "./fake-gemini.ts";
import { runWithModel, type ClientRun } from "./run-with-model.ts";
import type { Script } from "./script.ts";

export interface OtherRun {
  readonly tree: TempTree;
  readonly home: TempTree;
  readonly script: Script;
}

const TIMEOUT_MS = 60_000;

/** Gemini CLI on a tree, without a question about permissions. */
export function runGemini({ tree, home, script }: OtherRun): Promise<ClientRun> {
  return runWithModel(
    () => startFakeGemini(script),
    home,
    (url) => {
      addSettings(home, ".gemini/settings.json", {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      });
      return start(home, tree, url, {
        program: "node",
        args: [GEMINI.program, "-p", "Go.", "--yolo", "-m", "gemini-2.5-pro"],
        env: { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url },
      });
    },
  );
}

/** Qwen Code, likewise. */
export function runQwen({ tree, home, script }: OtherRun): Promise<ClientRun> {
  return runWithModel(
    () => startFakeChat(script),
    home,
    (url) => {
      addSettings(home, ".qwen/settings.json", {
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      });
      return start(home, tree, url, {
        program: "node",
        args: [QWEN.program, "-p", "Go.", "--yolo", "--auth-type", "openai"],
        env: { OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "fake" },
      });
    },
  );
}

/** opencode, likewise. */
export function runOpencode({ tree, home, script }: OtherRun): Promise<ClientRun> {
  return runWithModel(
    () => startFakeChat(script),
    home,
    (url) => {
      const models = { fake: { name: "fake", limit: { context: 100_000, output: 4000 } } };
      const options = { baseURL: `${url}/v1`, apiKey: "dummy" };
      addSettings(home, ".config/opencode/opencode.json", {
        autoupdate: false,
        share: "disabled",
        model: "fake/fake",
        small_model: "fake/fake",
        provider: { fake: { npm: "@ai-sdk/openai-compatible", name: "fake", options, models } },
      });
      const env = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
      return start(home, tree, url, { program: OPENCODE.program, args: ["run", "Go."], env });
    },
  );
}

/** They send what is on loopback through their proxy, too: it is the server, which leads to itself only. */
function start(home: TempTree, tree: TempTree, url: string, client: Pick<ClientProcess, "program" | "args" | "env">) {
  const env = { HTTP_PROXY: url, HTTPS_PROXY: url, ...client.env };
  return runClient({ ...client, env, cwd: tree.root, home, timeoutMs: TIMEOUT_MS });
}

/** Beside the hooks that `codelia install` has written there. */
function addSettings(home: TempTree, path: string, settings: object): void {
  const present = existsSync(home.path(path)) ? JSON.parse(home.read(path)) : {};
  home.write(path, JSON.stringify({ ...settings, ...present }));
}
