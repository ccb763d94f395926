import type { SchemaName } from "../../../src/commands/schema.ts";

/** What each JSON Schema describes. */
export const SCHEMA_SUBJECTS: Readonly<Record<SchemaName, string>> = {
  "agent-definition": "`agent.json` of an agent definition",
  "agent-result": "how a run ended: `agent run --json`, `agent stop --json`",
  "agent-run": "`.codelia/agents/INSTANCE.json`: one run, driven or guided",
  config: "`config.json`; configs in other formats have the same keys",
  "issue-fields": "the FILE of `agent run --fields`",
  explanation: "`explain --json`",
  ledger: "`.codelia/session.json`: what each context of each session was told",
  "plugin-request": "what a plugin that is a program reads from standard input",
  "plugin-root-resolved": "the data of the extension point `root:resolved`",
  "plugin-agents-chain": "the data of the extension point `agents:chain`",
  "plugin-agents-pending": "the data of the extension point `agents:pending`",
  "plugin-skills-catalog": "the data of the extension point `skills:catalog`",
  "plugin-skills-ranked": "the data of the extension point `skills:ranked`",
  "plugin-reminder-before": "the data of the extension point `reminder:before`",
  "plugin-hook-event": "the data of the extension point `hook:event`",
  "resolved-agents": "`resolve --json`",
  "skill-catalog": "a catalogue of skills; `skills list --json` is one without `truncated`",
  "skill-metadata": "one skill, in every JSON output",
  "skill-search-result": "one result of `skills search --json`",
};
