export type ValidatedHeader =
  | { readonly kind: "valid"; readonly name: string; readonly description: string }
  | { readonly kind: "invalid"; readonly message: string };

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;
const OPTIONAL_TEXTS = ["version", "license", "compatibility", "allowed-tools"];

/**
 * SkillFrontmatterSchema as plain checks, with messages that say how to repair the file: importing zod would cost
 * `init-context` a quarter of its time. A property test holds the two equal.
 *
 * @param directoryNames what the skill's directory is called: its own name, and those of links that lead to it
 */
export function validateHeader(data: unknown, directoryNames: Iterable<string>): ValidatedHeader {
  if (!isTable(data)) return invalid("its header holds no 'key: value' lines; it needs a name and a description");
  const checked = checkHeader(data);
  if (checked.kind === "invalid") return checked;
  const directories = [...directoryNames];
  if (directories.includes(checked.name)) return checked;
  return invalid(`'name' is '${checked.name}', but its directory is called '${directories[0]}'; rename one of the two`);
}

function checkHeader(data: Readonly<Record<string, unknown>>): ValidatedHeader {
  const { name, description } = data;
  if (name === undefined) return invalid("'name' is missing; add a line 'name: ' with the name of its directory");
  if (typeof name !== "string") return invalid("'name' must be text; put it in quotes");
  if (name.length > MAX_NAME)
    return invalid(`'name' is ${name.length} characters long; at most ${MAX_NAME} are allowed`);
  if (!NAME.test(name)) {
    return invalid(`'name' can't be '${name}'; use lower-case letters and digits, with single hyphens between them`);
  }
  if (description === undefined) {
    return invalid("'description' is missing; add a line 'description: ' that says what the skill does and when");
  }
  if (typeof description !== "string") return invalid("'description' must be text; put it in quotes");
  const said = description.trim();
  if (said === "") return invalid("'description' is empty; say what the skill does and when to use it");
  if (said.length > MAX_DESCRIPTION) {
    return invalid(`'description' is ${said.length} characters long; at most ${MAX_DESCRIPTION} are allowed`);
  }
  const problem = checkOptional(data);
  return problem === undefined ? { kind: "valid", name, description: said } : invalid(problem);
}

function checkOptional(data: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of OPTIONAL_TEXTS) {
    const value = data[key];
    if (value !== undefined && typeof value !== "string") return `'${key}' must be text; put it in quotes`;
  }
  const { compatibility, metadata } = data;
  if (typeof compatibility === "string" && (compatibility === "" || compatibility.length > MAX_COMPATIBILITY)) {
    return `'compatibility' is ${compatibility.length} characters long; 1 to ${MAX_COMPATIBILITY} are allowed`;
  }
  if (metadata === undefined) return undefined;
  if (!isTable(metadata)) return "'metadata' must be a table of 'key: text' lines";
  const key = Object.keys(metadata).find((candidate) => typeof metadata[candidate] !== "string");
  return key === undefined ? undefined : `'metadata.${key}' must be text; put it in quotes`;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(message: string): ValidatedHeader {
  return { kind: "invalid", message };
}
