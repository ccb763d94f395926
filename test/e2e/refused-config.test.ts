import { describe, expect, test } from "bun:test";
import { KINDS, mistakesIn, VALUES, type Kind } from "../../src/clients/codex/config-refusals.ts";
import { parseToml } from "../../src/lib/toml.ts";
import { tempTree } from "../support/temp-tree.ts";
import { CODEX } from "./lib/clients.ts";
import { runCodex } from "./lib/codex.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";

// What we say of a project's config with which Codex does not start, each line against the client.

/** Every key with a value of its kind. */
const RIGHT = `
model = "x"
model_reasoning_effort = "low"
model_reasoning_summary = "auto"
model_verbosity = "low"
plan_mode_reasoning_effort = "low"
review_model = "x"
personality = "none"
service_tier = "fast"
developer_instructions = "x"
compact_prompt = "x"
web_search = "disabled"
hide_agent_reasoning = true
show_raw_agent_reasoning = true
check_for_update_on_startup = false
allow_login_shell = true
project_doc_max_bytes = 5
tool_output_token_limit = 5000
project_doc_fallback_filenames = ["x.md"]
project_root_markers = [".git"]
plugins = {}
apps = {}
hooks = {}

[features]
x = true

[mcp_servers.one]
command = "true"
args = []
cwd = "/"
enabled = false
required = false
env_vars = []
enabled_tools = []
disabled_tools = []
startup_timeout_sec = 1.5
tool_timeout_sec = 1

[mcp_servers.one.env]
X = "x"

[mcp_servers.two]
url = "http://127.0.0.1:1/"
enabled = false
bearer_token_env_var = "X"

[mcp_servers.two.http_headers]
X = "x"

[sandbox_workspace_write]
network_access = true
exclude_tmpdir_env_var = true
exclude_slash_tmp = true
writable_roots = []

[agents]
max_threads = 5

[agents.one]
description = "x"
config_file = "one.toml"
nickname_candidates = ["x"]

[shell_environment_policy]
inherit = "all"
ignore_default_excludes = true
exclude = []
include_only = []

[shell_environment_policy.set]
X = "x"

[history]
persistence = "none"

[tools]

[tui]
animations = true
`;

const WRONG: Readonly<Record<Kind, string>> = {
  text: "5",
  boolean: '"true"',
  switch: '"true"',
  list: '"x"',
  table: "5",
  number: '"5"',
  size: '"5"',
};

/** What a server needs besides, to be one. */
const ADDRESS = 'url = "http://127.0.0.1:1/"\n';
const BESIDE: Readonly<Record<string, string>> = { url: "", bearer_token_env_var: ADDRESS, http_headers: ADDRESS };

function configWith(path: string, value: string): string {
  const keys = path.split(".").map((key) => (key === "*" ? "one" : key));
  const name = keys.at(-1) ?? "";
  const isOfServer = path.startsWith("mcp_servers.*.");
  const beside = isOfServer ? (BESIDE[keys[2] ?? ""] ?? (name === "command" ? "" : 'command = "true"\n')) : "";
  const header = (upTo: number) => `[${keys.slice(0, upTo).join(".")}]\n`;
  if (keys.length === 1) return `${name} = ${value}\n`;
  const nested = isOfServer && keys.length > 3 ? header(2) + beside : "";
  return `${nested}${header(-1)}${nested === "" ? beside : ""}${name} = ${value}\n`;
}

async function starts(text: string): Promise<boolean> {
  using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", ".codex/config.toml": text });
  const { exitCode, stderr, seenByModel } = await runCodex({ tree, prompt: "Go." });
  const isRefused = exitCode === 1 && seenByModel.length === 0 && stderr.startsWith("Error loading config.toml");
  if (!isRefused) expect(stderr).not.toContain("Error loading");
  return !isRefused;
}

function isAccepted(text: string): boolean {
  const parsed = parseToml(text);
  return parsed.kind !== "error" && mistakesIn(parsed.data).length === 0;
}

const KEYS = Object.entries(KINDS);
const VALUED = Object.entries(VALUES);
const CASES: [text: string, isFine: boolean][] = [
  ...KEYS.map(([path, kind]): [string, boolean] => [configWith(path, WRONG[kind]), false]),
  [RIGHT, true],
  ["project_doc_max_bytes = -1\n", false],
  ...VALUED.flatMap(([path, values]) =>
    values.map((value): [string, boolean] => [configWith(path, `"${value}"`), true]),
  ),
  ...VALUED.flatMap(([path]) => ['"full"', "5"].map((value): [string, boolean] => [configWith(path, value), false])),
  ["", true],
  ["unknown = 5\n[unknown_table]\nx = 1\n", true],
  ["model =\n", false],
  ['{ "model": "x" }\n', false],
  ["approval_policy = never\n", false],
  ["[features]\na = true\n[features]\nb = true\n", false],
  ["<<<<<<< HEAD\nx = 1\n", false],
];

describe.skipIf(CODEX.missing !== undefined)("Codex with", () => {
  test.each(CASES)(
    "%j",
    async (text, isFine) => {
      expect([await starts(text), isAccepted(text)]).toEqual([isFine, isFine]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "a config of a project that it does not trust",
    async () => {
      using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", ".codex/config.toml": "model =\n" });
      expect((await runCodex({ tree, prompt: "Go.", trust: "untrusted" })).exitCode).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );
});
