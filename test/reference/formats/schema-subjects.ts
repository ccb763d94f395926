import type { SchemaName } from "../../../src/commands/schema.ts";

/** What each JSON Schema is the schema of. */
export const SCHEMA_SUBJECTS: Readonly<Record<SchemaName, string>> = {
  "agent-definition": "`agent.json` of an agent definition",
  "agent-result": "how a run ended: `agent run --json`, `agent stop --json`",
  "agent-run": "`.codelia/agents/INSTANCE.json`: one run, driven or guided",
  config: "`config.json`, and with the same keys the other notations of a config",
  "issue-fields": "the file that `agent run --fields` names",
  explanation: "`explain --json`",
  ledger: "`.codelia/session.json`: what each context of each session was told",
  "plugin-request": "what a plugin that is a program reads from its standard input",
  "plugin-root-resolved": "the data of the extension point `root:resolved`",
  "plugin-agents-chain": "the data of the extension point `agents:chain`",
  "plugin-agents-pending": "the data of the extension point `agents:pending`",
  "plugin-skills-catalog": "the data of the extension point `skills:catalog`",
  "plugin-skills-ranked": "the data of the extension point `skills:ranked`",
  "plugin-reminder-before": "the data of the extension point `reminder:before`",
  "plugin-hook-event": "the data of the extension point `hook:event`",
  "resolved-agents": "`resolve --json`",
  "skill-catalog": "a catalogue of skills; `skills list --json` is one without `truncated`",
  "skill-metadata": "one skill, wherever a program is given one",
  "skill-search-result": "one result of `skills search --json`",
};
