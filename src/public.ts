/*
 * What the npm package exports to TypeScript programs: the schemas of what a user writes and of what `--json` prints,
 * with their types.
 */
export { AgentDefinitionSchema, type AgentDefinition } from "./agent/schema.ts";
export { AgentResultSchema, type AgentResult } from "./agent/run-schema.ts";
export {
  AgentsConfigSchema,
  ConfigSchema,
  SkillScopeSchema,
  type AgentsConfig,
  type Config,
  type SkillScope,
} from "./config/schema.ts";
export {
  ResolvedAgentsSchema,
  SystemReminderTypeSchema,
  type ResolvedAgents,
  type SystemReminderType,
} from "./instructions/schema.ts";
export {
  SkillCatalogSchema,
  SkillLoadErrorSchema,
  SkillMetadataSchema,
  SkillSearchReasonSchema,
  SkillSearchResultSchema,
  type SkillCatalog,
  type SkillLoadError,
  type SkillMetadata,
  type SkillSearchReason,
  type SkillSearchResult,
} from "./skills/schema.ts";
