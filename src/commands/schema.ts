import { toJSONSchema } from "zod";
import { AgentResultSchema, AgentRunSchema, IssueFieldsSchema } from "../agent/run-schema.ts";
import { AgentDefinitionSchema } from "../agent/schema.ts";
import { HELP_ARGS, OUTPUT_ARGS } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { ConfigSchema } from "../config/schema.ts";
import { ResolvedAgentsSchema } from "../instructions/schema.ts";
import { LedgerSchema } from "../ledger/schema.ts";
import { jsonLine } from "../lib/escape.ts";
import { didYouMean } from "../lib/nearest.ts";
import { POINT_DATA, PluginRequestSchema } from "../plugins/schema.ts";
import { ExplanationSchema } from "../report/schema.ts";
import { SkillCatalogSchema, SkillMetadataSchema, SkillSearchResultSchema } from "../skills/schema.ts";

/**
 * @output a JSON Schema by name, or the names
 * @error  not_found for an unknown name
 */
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
    const names = schemaNames();
    if (name === undefined) {
      const isJson = flags["json"] === true;
      world.write(isJson ? jsonLine({ schemas: names }) : `${names.join("\n")}\n`);
      return "ok";
    }
    const schema = printJsonSchema(name);
    if (schema === undefined) {
      const hint = didYouMean(name, names) || `; one of ${names.join(", ")}`;
      return { code: "not_found", message: `no schema '${name}'${hint}` };
    }
    world.write(schema);
    return "ok";
  },
};

const SCHEMAS = {
  "agent-definition": AgentDefinitionSchema,
  "agent-result": AgentResultSchema,
  "agent-run": AgentRunSchema,
  config: ConfigSchema,
  "issue-fields": IssueFieldsSchema,
  explanation: ExplanationSchema,
  ledger: LedgerSchema,
  "plugin-request": PluginRequestSchema,
  "plugin-root-resolved": POINT_DATA["root:resolved"],
  "plugin-agents-chain": POINT_DATA["agents:chain"],
  "plugin-agents-pending": POINT_DATA["agents:pending"],
  "plugin-skills-catalog": POINT_DATA["skills:catalog"],
  "plugin-skills-ranked": POINT_DATA["skills:ranked"],
  "plugin-reminder-before": POINT_DATA["reminder:before"],
  "plugin-hook-event": POINT_DATA["hook:event"],
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

/** The names of the JSON Schemas that the program can print. */
export function schemaNames(): readonly string[] {
  return SCHEMA_NAMES;
}

/**
 * @output the JSON Schema as text, undefined for an unknown name
 * @effect none
 * @error  none
 */
export function printJsonSchema(name: string): string | undefined {
  return isSchemaName(name) ? `${JSON.stringify(jsonSchema(name), undefined, 2)}\n` : undefined;
}
