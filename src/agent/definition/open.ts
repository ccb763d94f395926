import { isAbsolute, join } from "node:path";
import { textFlags, usage } from "../../cli/args.ts";
import type { Invocation, Problem } from "../../command.ts";
import type { UserDirectories } from "../../config/user-directories.ts";
import { visible } from "../../lib/escape.ts";
import { didYouMean } from "../../lib/words.ts";
import { limitParsing } from "../../lib/parse-limit.ts";
import { isRegularFile } from "../../lib/path-facts.ts";
import { isInside } from "../../lib/paths.ts";
import { commandsIn, mapWords, type AgentCommand } from "../../trust/agent-commands.ts";
import { readNamedFiles } from "../../trust/named/files.ts";
import { storeOf } from "../../trust/records.ts";
import type { TrustedFile } from "../../trust/schema.ts";
import { trustOfDefinition, whyNamedNotTrusted } from "../../trust/verify.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { refuseInsideRun } from "../engines/engine.ts";
import { ExecutionError } from "../errors.ts";
import { givenVariableName } from "../judge/variables.ts";
import { definitionDirectory, load } from "./load.ts";
import { asValidationError, type Problem as DefinitionProblem } from "./problem.ts";
import { validate, type ValidatedDefinition } from "./validate.ts";

/** A definition that may be run. */
export interface OpenDefinition {
  /** The path that the user named, links resolved. What runs may be a trusted copy. */
  readonly directory: string;
  readonly validated: ValidatedDefinition;
  /** The commands it runs; words that name its own files name them in the copy. */
  readonly commands: readonly AgentCommand[];
  /** The files of the clone that were trusted with it. */
  readonly named: readonly TrustedFile[];
}

/**
 * @input  cwd: where its commands will run; undefined if not known yet
 * @output the definition, or why it may not be run: it is invalid, or it names commands and isn't trusted
 * @effect warnings
 * @error  ConfigurationError if it can't be read
 */
export async function openDefinition(
  world: World,
  { userDirectories }: Pick<Workspace, "userDirectories">,
  directory: string,
  cwd: string | undefined,
): Promise<OpenDefinition | Problem> {
  const loaded = await load(limitParsing(world), directory);
  const found = validate(loaded);
  for (const { message, pointer } of found.warnings) world.warn(`'${loaded.file}' ${pointer}: ${message}`);
  if (!found.valid) return invalid(loaded.file, found.errors);
  const named = commandsIn(found.validated.definition);
  const opened = { directory: loaded.directory, validated: found.validated, commands: [], named: [] };
  if (named.length === 0) return opened;
  const denied = (reason: string): Problem => {
    const keys = named.map(({ key }) => key);
    const message = `'${visible(loaded.directory)}' is not run: it names commands (${keys.join(", ")}), and ${reason}; run 'codelia trust ${visible(directory)}' to review it`;
    return { code: "denied", message, details: { commands: keys } };
  };
  const trust = trustOfDefinition(userDirectories, loaded.directory);
  if (trust.kind === "untrusted") return denied(trust.reason);
  const copy = await load(limitParsing(world), trust.directory);
  const checked = validate(copy);
  if (!checked.valid) return invalid(copy.file, checked.errors);
  const { validated } = checked;
  const commands = mapWords(commandsIn(validated.definition), (word) => ownWord(copy.directory, word));
  const trusted: OpenDefinition = { directory: loaded.directory, validated, commands, named: trust.named };
  const changed = cwd === undefined ? undefined : whyNotTrusted(world, userDirectories, trusted, commands, cwd);
  return changed === undefined ? trusted : denied(changed);
}

function invalid(file: string, errors: readonly DefinitionProblem[]): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
  const message = `'${visible(file)}' is not valid: ${first?.pointer || "/"}: ${visible(first?.message ?? "")}${more}; 'codelia agent validate' shows all`;
  return { code: "agent_unusable", message, details: { errors: errors.map(asValidationError) } };
}

/**
 * A word of a command as it is run. A word that names a file of the definition becomes that file's path, wherever the
 * run works.
 *
 * @param directory the definition's, or its trusted copy's, links resolved
 */
export function ownWord(directory: string, word: string): string {
  if (word === "" || isAbsolute(word) || word.includes("\0")) return word;
  const path = join(directory, word);
  return isInside(directory, path) && isRegularFile(path) ? path : word;
}

/**
 * Checks, right before commands run, that the files of the clone that they name are still the trusted ones: a model
 * working in the clone may have changed them.
 *
 * @error ExecutionError
 */
export function assertTrusted(
  world: World,
  userDirectories: UserDirectories,
  opened: OpenDefinition,
  commands: readonly AgentCommand[],
  cwd: string,
): void {
  const why = whyNotTrusted(world, userDirectories, opened, commands, cwd);
  if (why === undefined) return;
  const keys = commands.map(({ key }) => key).join(", ");
  const message = `${keys} is not run in '${cwd}': ${why}; run 'codelia trust ${opened.directory}' there to review it`;
  throw new ExecutionError(message);
}

function whyNotTrusted(
  world: World,
  userDirectories: UserDirectories,
  { directory, named }: OpenDefinition,
  commands: readonly AgentCommand[],
  cwd: string,
): string | undefined {
  const read = readNamedFiles(world, commands, { definition: directory, own: storeOf(userDirectories), cwds: [cwd] });
  return read.kind === "unusable" ? read.problem : whyNamedNotTrusted(named, read.files);
}

/**
 * The definition that the verbs `run` and `start` name, and the values for its prompts.
 *
 * @error as openDefinition; ExecutionError inside a run
 */
export async function openForRun(
  world: World,
  workspace: Workspace,
  invocation: Invocation,
  named: string,
): Promise<({ readonly opened: OpenDefinition } & Given) | Problem> {
  refuseInsideRun(world);
  // The worktree of an issue may not exist yet, so there each command's trust is checked when it is run.
  const cwd = invocation.flags["issue"] === undefined ? workspace.cwd : undefined;
  const opened = await openDefinition(world, workspace, definitionDirectory(workspace, named), cwd);
  if ("code" in opened) return opened;
  const given = readGivenVariables(textFlags(invocation, "var"), opened.validated.given);
  return "code" in given ? given : { opened, ...given };
}

interface Given {
  readonly variables: Readonly<Record<string, string>>;
}

/** The values of `--var name=value`: exactly the variables that the prompts name. */
function readGivenVariables(words: readonly string[], named: readonly string[]): Given | Problem {
  const variables: Record<string, string> = {};
  for (const word of words) {
    const equals = word.indexOf("=");
    const name = word.slice(0, equals);
    if (equals < 1) return usage(`'--var ${word}' must have the form name=value`);
    if (!named.includes(name)) {
      return usage(`no prompt names '{${givenVariableName(name)}}'${didYouMean(name, named) || "; leave '--var' out"}`);
    }
    variables[givenVariableName(name)] = word.slice(equals + 1);
  }
  const missing = named.filter((name) => !Object.hasOwn(variables, givenVariableName(name)));
  if (missing.length === 0) return { variables };
  const names = missing.map((name) => `'{${givenVariableName(name)}}'`).join(", ");
  return usage(`the prompts name ${names}; set it with '--var ${missing[0]}=…'`);
}
