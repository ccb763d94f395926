import { isTable } from "../../lib/table.ts";
import { anyOf } from "../../lib/words.ts";

/*
 * The mistakes in a project's config.toml with which Codex does not start, as of 0.169: only what was seen with the client
 * (`e2e/refused-config.test.ts` plays each line). Of keys that it does not know it only says so.
 */

export type Kind = "text" | "boolean" | "list" | "table" | "number" | "size" | "switch";

/** What the values of known keys must be. `*` is any name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ...ofKind("text", [
    "model",
    "model_reasoning_effort",
    "model_reasoning_summary",
    "model_verbosity",
    "plan_mode_reasoning_effort",
    "review_model",
    "personality",
    "service_tier",
    "developer_instructions",
    "model_instructions_file",
    "compact_prompt",
    "web_search",
    "mcp_servers.*.command",
    "mcp_servers.*.cwd",
    "mcp_servers.*.url",
    "mcp_servers.*.bearer_token_env_var",
    "mcp_servers.*.env.*",
    "mcp_servers.*.http_headers.*",
    "agents.*.description",
    "agents.*.config_file",
    "shell_environment_policy.inherit",
    "shell_environment_policy.set.*",
    "history.persistence",
  ]),
  ...ofKind("boolean", [
    "hide_agent_reasoning",
    "show_raw_agent_reasoning",
    "check_for_update_on_startup",
    "allow_login_shell",
    "mcp_servers.*.enabled",
    "mcp_servers.*.required",
    "sandbox_workspace_write.network_access",
    "sandbox_workspace_write.exclude_tmpdir_env_var",
    "sandbox_workspace_write.exclude_slash_tmp",
    "shell_environment_policy.ignore_default_excludes",
    "tui.animations",
  ]),
  ...ofKind("switch", ["features.*"]),
  ...ofKind("size", ["project_doc_max_bytes", "tool_output_token_limit", "agents.max_threads"]),
  ...ofKind("number", ["mcp_servers.*.startup_timeout_sec", "mcp_servers.*.tool_timeout_sec"]),
  ...ofKind("list", [
    "project_doc_fallback_filenames",
    "project_root_markers",
    "mcp_servers.*.args",
    "mcp_servers.*.env_vars",
    "mcp_servers.*.enabled_tools",
    "mcp_servers.*.disabled_tools",
    "sandbox_workspace_write.writable_roots",
    "agents.*.nickname_candidates",
    "shell_environment_policy.exclude",
    "shell_environment_policy.include_only",
  ]),
  ...ofKind("table", [
    "features",
    "mcp_servers",
    "mcp_servers.*",
    "mcp_servers.*.env",
    "mcp_servers.*.http_headers",
    "agents",
    "shell_environment_policy",
    "shell_environment_policy.set",
    "tools",
    "tui",
    "hooks",
    "plugins",
    "apps",
  ]),
};

/** The values of settings that decide what Codex may do. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  approval_policy: ["untrusted", "on-failure", "on-request", "never"],
  sandbox_mode: ["read-only", "workspace-write", "danger-full-access"],
};

export interface ConfigMistake {
  readonly keys: readonly string[];
  /** The rest of a sentence that begins with the key. */
  readonly why: string;
}

/** A file may have any number of keys. */
const MAX_MISTAKES = 100;

export function mistakesIn(data: unknown): ConfigMistake[] {
  const mistakes: ConfigMistake[] = [];

  function look(value: unknown, keys: readonly string[], pattern: readonly string[]): void {
    if (mistakes.length >= MAX_MISTAKES) return;
    const why = mistakeOf(value, pattern.join("."));
    if (why !== undefined) mistakes.push({ keys, why });
    else if (isTable(value)) {
      for (const [key, item] of Object.entries(value)) {
        const exact = [...pattern, key];
        const next = isKnown(exact) ? exact : [...pattern, "*"];
        if (isKnown(next)) look(item, [...keys, key], next);
      }
    }
  }

  look(data, [], []);
  return mistakes;
}

const PREFIXES: ReadonlySet<string> = new Set(
  [...Object.keys(KINDS), ...Object.keys(VALUES)].flatMap((path) =>
    path.split(".").map((_, at, all) => all.slice(0, at + 1).join(".")),
  ),
);

function isKnown(pattern: readonly string[]): boolean {
  return PREFIXES.has(pattern.join("."));
}

function mistakeOf(value: unknown, pattern: string): string | undefined {
  const values = Object.hasOwn(VALUES, pattern) ? VALUES[pattern] : undefined;
  if (values !== undefined) {
    // An approval policy may also be a table.
    const isRight = typeof value === "string" ? values.includes(value) : isTable(value);
    return isRight ? undefined : `is not ${anyOf(values.map((each) => `'${each}'`))}`;
  }
  const kind = Object.hasOwn(KINDS, pattern) ? KINDS[pattern] : undefined;
  return kind === undefined || IS_KIND[kind](value) ? undefined : `is not ${NAMES[kind]}`;
}

const NAMES: Readonly<Record<Kind, string>> = {
  text: "text",
  boolean: "true or false",
  switch: "true or false",
  list: "a list",
  table: "a table",
  number: "a number",
  size: "a whole number",
};

const IS_KIND: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  // Some features have settings of their own.
  switch: (value) => typeof value === "boolean" || isTable(value),
  list: Array.isArray,
  table: isTable,
  number: (value) => typeof value === "number",
  size: (value) => Number.isInteger(value) && Number(value) >= 0,
};

function ofKind(kind: Kind, paths: readonly string[]): Record<string, Kind> {
  return Object.fromEntries(paths.map((path) => [path, kind]));
}
