import type { Problem } from "../../command.ts";
import { visible } from "../../lib/escape.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { limitParsing } from "../../lib/parse-limit.ts";
import { commandsIn, type AgentCommand } from "../../trust/agent-commands.ts";
import { trustOf } from "../../trust/records.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { givenVariableName } from "../judge/step.ts";
import { commandWords } from "./build.ts";
import { load } from "./load.ts";
import { whyNamesNotTrusted, type TrustedNames } from "./named-files.ts";
import { validate, type ValidatedDefinition } from "./validate.ts";

/** A definition that may be run. */
export interface OpenDefinition {
  /** As it was named: what is run may be a copy that the user has trusted. */
  readonly directory: string;
  readonly validated: ValidatedDefinition;
  /** What it runs, in words that name its own files in that copy. */
  readonly commands: readonly AgentCommand[];
  readonly trusted: TrustedNames;
}

/**
 * @input  directory: of the definition; cwd: where its commands will be run; undefined where that is not known yet
 * @output what may be run of it, or why nothing may: it is not valid, or names commands and isn't trusted
 * @effect reads; its warnings
 * @error  ConfigurationError where it can't be read
 */
export async function openDefinition(
  world: World,
  { places }: Pick<Workspace, "places">,
  directory: string,
  cwd: string | undefined,
): Promise<OpenDefinition | Problem> {
  const loaded = await load(limitParsing(world), directory);
  const found = validate(loaded);
  for (const { message, pointer } of found.warnings) world.warn(`'${loaded.file}' ${pointer}: ${message}`);
  if (!found.valid) return invalid(loaded.file, found.errors);
  const named = commandsIn(found.validated.definition);
  const opened = { directory: loaded.directory, trusted: { definition: loaded.directory, named: [] } };
  if (named.length === 0) return { ...opened, validated: found.validated, commands: [] };
  const denied = (reason: string): Problem => {
    const keys = named.map(({ key }) => key);
    const message = `'${visible(loaded.directory)}' is not run: it names commands (${keys.join(", ")}), and ${reason}; run 'codelia trust ${visible(directory)}' to review it`;
    return { code: "denied", message, details: { commands: keys } };
  };
  const trust = trustOf(places, loaded.directory);
  if (trust.kind === "untrusted") return denied(trust.reason);
  const copy = await load(limitParsing(world), trust.directory);
  const again = validate(copy);
  if (!again.valid) return invalid(copy.file, again.errors);
  const inCopy = (words: readonly string[]) => commandWords(copy.directory, words);
  const commands = commandsIn(again.validated.definition).map(({ key, words, behind, kind }): AgentCommand => ({
    key,
    words: inCopy(words),
    behind: inCopy(behind),
    kind,
  }));
  const trusted = { definition: loaded.directory, named: trust.named };
  const changed = cwd === undefined ? undefined : whyNamesNotTrusted(world, places, trusted, commands, cwd);
  return changed === undefined ? { ...opened, validated: again.validated, commands, trusted } : denied(changed);
}

function invalid(file: string, errors: readonly { readonly pointer: string; readonly message: string }[]): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
  const message = `'${visible(file)}' is not valid: ${first?.pointer || "/"}: ${visible(first?.message ?? "")}${more}; 'codelia agent validate' shows all`;
  return { code: "agent_unusable", message, details: { errors } };
}

export type GivenVariables = { readonly variables: Readonly<Record<string, string>> } | Problem;

/** What `--var name=value` gives, if it is what the prompts name: no more, no less. */
export function readGivenVariables(words: readonly string[], named: readonly string[]): GivenVariables {
  const variables: Record<string, string> = {};
  for (const word of words) {
    const equals = word.indexOf("=");
    const name = word.slice(0, equals);
    if (equals < 1) return usage(`'--var ${word}' is not like name=value`);
    if (!named.includes(name)) {
      return usage(`no prompt names '{${givenVariableName(name)}}'${didYouMean(name, named) || "; leave '--var' out"}`);
    }
    variables[givenVariableName(name)] = word.slice(equals + 1);
  }
  const missing = named.filter((name) => !Object.hasOwn(variables, givenVariableName(name)));
  if (missing.length === 0) return { variables };
  return usage(
    `the prompts name ${missing.map((name) => `'{${givenVariableName(name)}}'`).join(", ")}; give it with '--var ${missing[0]}=…'`,
  );
}

function usage(message: string): Problem {
  return { code: "usage", message };
}
