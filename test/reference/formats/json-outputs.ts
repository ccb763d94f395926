import type { SchemaName } from "../../../src/commands/schema.ts";

export interface JsonOutput {
  /** The schema of the whole object. */
  readonly schema?: SchemaName;
  /** The names of its fields, where there is no schema; with a `?` those that only some calls have. */
  readonly fields?: readonly string[];
  /** Of a field that is a list, the schema of each of its items. */
  readonly items?: Readonly<Record<string, SchemaName>>;
}

const FINDINGS: JsonOutput = { fields: ["findings", "counts", "checked"] };
const SETTINGS: JsonOutput = { fields: ["client", "host", "scope", "path", "action", "diff", "notes"] };

/** What each command that has `--json` prints with it, as formats.test.ts has it from the program. */
export const JSON_OUTPUTS: Readonly<Record<string, JsonOutput>> = {
  "init-context": {
    fields: ["cwd", "root", "files", "leftOut", "skills", "skillsTruncated", "context"],
    items: { skills: "skill-metadata" },
  },
  resolve: { schema: "resolved-agents" },
  "resume-diff": { fields: ["before", "after", "files", "gone", "skills"] },
  "session list": { fields: ["sessions"] },
  "session reset": { fields: ["session", "wasKnown"] },
  check: { fields: [...(FINDINGS.fields ?? []), "fixed?", "known?"] },
  rule: { fields: ["rules?", "rule?", "severity?", "summary?", "page?"] },
  preview: { fields: ["client", "cwd", "native", "withEdit", "namedWithEdit", "texts", "skills?", "later"] },
  report: { schema: "report" },
  audit: { schema: "audit" },
  explain: { schema: "explanation" },
  inspect: { fields: ["cwd", "root", "config", "instructions", "ledger", "skills?"] },
  install: SETTINGS,
  uninstall: SETTINGS,
  doctor: { fields: ["clients", "hosts", "told", "ok"] },
  config: { fields: ["values"] },
  trim: { fields: ["trimmed", "output", "reminder"] },
  plugins: { fields: ["plugins"] },
  trust: { fields: ["subjects?", "revoked?"] },
  schema: { fields: ["schemas"] },
  "agent new": { fields: ["directory", "files"] },
  "agent validate": { fields: ["valid", "errors", "warnings", "notes"] },
  "agent run": { schema: "agent-result" },
  "agent start": { fields: ["instance", "step", "prompt"] },
  "agent status": { fields: ["runs"] },
  "agent stop": { schema: "agent-result" },
  "skills list": { fields: ["skills", "errors"], items: { skills: "skill-metadata" } },
  "skills search": { fields: ["results", "count", "truncated"], items: { results: "skill-search-result" } },
  "skills load": { fields: ["skill_id", "name", "path", "dir", "mtime_ms", "context"] },
  "skills check": FINDINGS,
};

/** What the commands print that have no `--json`. */
export const OTHER_FORMS: Readonly<Record<string, string>> = {
  init: "prints lines for people",
  hook: "answers [in the form of its client](#answers-of-hooks)",
  mcp: "speaks [JSON-RPC](mcp.md#the-protocol)",
  completions: "prints a script for a shell",
};
