import { toJSONSchema } from "zod";
import { AgentDefinitionSchema } from "../agent/schema.ts";
import { AgentResultSchema, AgentRunSchema } from "../agent/agent-run.ts";
import { ResolvedAgentsSchema } from "../instructions/schema.ts";
import { ConfigSchema } from "../config/config.ts";
import { IssueFieldsSchema } from "../agent/issue-fields.ts";
import { ExplanationSchema } from "../report/explanation.ts";
import { LedgerSchema } from "../ledger/schema.ts";
import { HOOK_DATA, PluginRequestSchema } from "../plugins/schema.ts";
import { SkillCatalogSchema, SkillMetadataSchema, SkillSearchResultSchema } from "../skills/schema.ts";

const SCHEMAS = {
  "agent-definition": AgentDefinitionSchema,
  "agent-result": AgentResultSchema,
  "agent-run": AgentRunSchema,
  config: ConfigSchema,
  "issue-fields": IssueFieldsSchema,
  explanation: ExplanationSchema,
  ledger: LedgerSchema,
  "plugin-request": PluginRequestSchema,
  "plugin-root-resolved": HOOK_DATA["root:resolved"],
  "plugin-agents-chain": HOOK_DATA["agents:chain"],
  "plugin-agents-pending": HOOK_DATA["agents:pending"],
  "plugin-skills-catalog": HOOK_DATA["skills:catalog"],
  "plugin-skills-ranked": HOOK_DATA["skills:ranked"],
  "plugin-reminder-before": HOOK_DATA["reminder:before"],
  "plugin-hook-event": HOOK_DATA["hook:event"],
  "resolved-agents": ResolvedAgentsSchema,
  "skill-catalog": SkillCatalogSchema,
  "skill-metadata": SkillMetadataSchema,
  "skill-search-result": SkillSearchResultSchema,
};

/** What a user writes or a script reads, by name. */
export type SchemaName = keyof typeof SCHEMAS;

export const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

export function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(SCHEMAS, name);
}

/** As a writer of such a file sees it: values with a default may be absent. */
export function jsonSchema(name: SchemaName): object {
  return toJSONSchema(SCHEMAS[name], { io: "input" });
}
