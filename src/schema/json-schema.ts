import { toJSONSchema } from "zod";
import { AgentDefinitionSchema } from "./agent.ts";
import { AgentResultSchema, AgentRunSchema } from "./agent-run.ts";
import { ResolvedAgentsSchema } from "./agents.ts";
import { ConfigSchema } from "./config.ts";
import { IssueFieldsSchema } from "./issue-fields.ts";
import { LedgerSchema } from "./ledger.ts";
import { SkillCatalogSchema, SkillMetadataSchema, SkillSearchResultSchema } from "./skills.ts";

const SCHEMAS = {
  "agent-definition": AgentDefinitionSchema,
  "agent-result": AgentResultSchema,
  "agent-run": AgentRunSchema,
  config: ConfigSchema,
  "issue-fields": IssueFieldsSchema,
  ledger: LedgerSchema,
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
