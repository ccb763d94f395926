import type { Command } from "../command.ts";
import { didYouMean } from "../lib/nearest.ts";
import { printJsonSchema, schemaNames } from "./schema-json-schema.ts";
import { COMMON_ARGS } from "../cli/args.ts";
import { jsonLine } from "../lib/escape.ts";

/**
 * @output a JSON Schema by name, or the names
 * @error  not_found for an unknown name
 */
export const command: Command = {
  meta: {
    name: "schema",
    description: "Print the JSON Schema of a file or of a command's output; without SCHEMA, the names.",
  },
  args: {
    schema: { type: "positional", required: false, description: "the schema to print" },
    ...COMMON_ARGS,
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
