import schema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import Ajv from "ajv";
import draft04 from "ajv/lib/refs/json-schema-draft-04.json" with { type: "json" };

const ajv = new Ajv({ schemaId: "auto", allErrors: true });
ajv.addMetaSchema(draft04);
const validate = ajv.compile(schema);

/** The errors of a log by the published schema of SARIF 2.1.0. */
export function sarifErrors(log: unknown): string[] {
  if (validate(log) === true) return [];
  return (validate.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
}
