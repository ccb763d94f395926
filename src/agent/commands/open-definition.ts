import type { Problem } from "../../command.ts";
import { limitParsing } from "../../io/parse-limit.ts";
import { trustOf } from "../../io/trust/trust-of.ts";
import type { Workspace } from "../../io/workspace.ts";
import { visible } from "../../render/escape.ts";
import type { World } from "../../world.ts";
import { load } from "../configuration/load.ts";
import { namedCommands } from "../configuration/names-commands.ts";
import { validate, type ValidatedDefinition } from "../configuration/validate.ts";

/** A definition that may be run. */
export interface OpenDefinition {
  /** As it was named: what is run may be a copy that the user has trusted. */
  readonly directory: string;
  readonly validated: ValidatedDefinition;
}

/**
 * @input  directory: of the definition
 * @output what may be run of it, or why nothing may: it is not valid, or names commands and isn't trusted
 * @effect reads; its warnings
 * @error  ConfigurationError where it can't be read
 */
export async function openDefinition(
  world: World,
  { places }: Pick<Workspace, "places">,
  directory: string,
): Promise<OpenDefinition | Problem> {
  const loaded = await load(limitParsing(world), directory);
  const found = validate(loaded);
  for (const { message, pointer } of found.warnings) world.warn(`'${loaded.file}' ${pointer}: ${message}`);
  if (!found.valid) return invalid(loaded.file, found.errors);
  const commands = namedCommands(found.validated.definition);
  if (commands.length === 0) return { directory: loaded.directory, validated: found.validated };
  const trust = trustOf(places, loaded.directory);
  if (trust.kind === "untrusted") {
    const message = `'${visible(loaded.directory)}' is not run: it names commands (${commands.join(", ")}), and ${trust.reason}; 'codelia trust ${visible(directory)}' shows it, and asks you`;
    return { code: "denied", message, details: { commands } };
  }
  const copy = await load(limitParsing(world), trust.directory);
  const again = validate(copy);
  return again.valid ? { directory: loaded.directory, validated: again.validated } : invalid(copy.file, again.errors);
}

function invalid(file: string, errors: readonly { readonly pointer: string; readonly message: string }[]): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
  const message = `'${visible(file)}' is not valid: ${first?.pointer || "/"}: ${visible(first?.message ?? "")}${more}; 'codelia agent validate' shows all`;
  return { code: "agent_unusable", message, details: { errors } };
}
