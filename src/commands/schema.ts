import { toJSONSchema } from "zod";
import { AgentResultSchema, AgentRunSchema, IssueFieldsSchema } from "../agent/run-schema.ts";
import { AgentDefinitionSchema } from "../agent/schema.ts";
import { HELP_ARGS, OUTPUT_ARGS } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { AgentsConfigSchema, ConfigSchema, SkillScopeSchema } from "../config/schema.ts";
import { ResolvedAgentsSchema, SystemReminderTypeSchema } from "../instructions/schema.ts";
import { EvidenceSchema, LedgerSchema } from "../ledger/schema.ts";
import { jsonLine } from "../lib/escape.ts";
import { didYouMean } from "../lib/words.ts";
import { POINT_DATA, PluginRequestSchema } from "../plugins/schema.ts";
import { ReportSchema, AuditSchema, ExplanationSchema } from "../report/schema.ts";
import {
  SkillCatalogSchema,
  SkillLoadErrorSchema,
  SkillMetadataSchema,
  SkillSearchResultSchema,
} from "../skills/schema.ts";

/** @error not_found for an unknown name */
export const command: Command = {
  meta: {
    name: "schema",
    description: "Print the JSON Schema of a file or of a command's output; without SCHEMA, list the names.",
  },
  args: {
    schema: { type: "positional", required: false, description: "the schema to print" },
    json: OUTPUT_ARGS.json,
    ...HELP_ARGS,
  },
  maxOperands: 1,
  run(world, { operands, flags }) {
    const [name] = operands;
    if (name === undefined) {
      world.write(flags["json"] === true ? jsonLine({ schemas: SCHEMA_NAMES }) : `${SCHEMA_NAMES.join("\n")}\n`);
      return "ok";
    }
    const text = schemaText(name);
    if (text === undefined) {
      const hint = didYouMean(name, SCHEMA_NAMES) || `; one of ${SCHEMA_NAMES.join(", ")}`;
      return { code: "not_found", message: `no schema '${name}'${hint}` };
    }
    world.write(text);
    return "ok";
  },
};

/** Schemas of what a user writes or a script reads, by name. */
const SCHEMAS = {
  "agent-definition": AgentDefinitionSchema,
  "agent-result": AgentResultSchema,
  "agent-run": AgentRunSchema,
  "agents-config": AgentsConfigSchema,
  config: ConfigSchema,
  "issue-fields": IssueFieldsSchema,
  audit: AuditSchema,
  explanation: ExplanationSchema,
  evidence: EvidenceSchema,
  ledger: LedgerSchema,
  "plugin-request": PluginRequestSchema,
  "plugin-root-resolved": POINT_DATA["root:resolved"],
  "plugin-agents-chain": POINT_DATA["agents:chain"],
  "plugin-agents-pending": POINT_DATA["agents:pending"],
  "plugin-skills-catalog": POINT_DATA["skills:catalog"],
  "plugin-skills-ranked": POINT_DATA["skills:ranked"],
  "plugin-reminder-before": POINT_DATA["reminder:before"],
  "plugin-hook-event": POINT_DATA["hook:event"],
  report: ReportSchema,
  "resolved-agents": ResolvedAgentsSchema,
  "skill-catalog": SkillCatalogSchema,
  "skill-load-error": SkillLoadErrorSchema,
  "skill-metadata": SkillMetadataSchema,
  "skill-scope": SkillScopeSchema,
  "skill-search-result": SkillSearchResultSchema,
  "system-reminder-type": SystemReminderTypeSchema,
};

export type SchemaName = keyof typeof SCHEMAS;

export const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

/** For input: values with a default may be absent. Undefined for an unknown name. */
export function schemaText(given: string): string | undefined {
  const name = Object.hasOwn(SCHEMAS, given) ? given : nameOfExport(given);
  if (!Object.hasOwn(SCHEMAS, name)) return undefined;
  return `${JSON.stringify(toJSONSchema(SCHEMAS[name as SchemaName], { io: "input" }), undefined, 2)}\n`;
}

/** `skill-metadata` for `SkillMetadata` and `SkillMetadataSchema`, as the package exports them. */
function nameOfExport(exported: string): string {
  const type = exported.endsWith("Schema") ? exported.slice(0, -"Schema".length) : exported;
  return type.replaceAll(/[A-Z]/g, (letter, at) => (at === 0 ? "" : "-") + letter.toLowerCase());
}
