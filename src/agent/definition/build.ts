import { isAbsolute, join } from "node:path";
import { disk } from "../../lib/fs.ts";
import { isInside } from "../../lib/paths.ts";
import { ConfigurationError } from "../errors.ts";
import type { EngineName } from "../schema.ts";
import { createPromptResolver, readPrompt, type PromptResolver } from "./prompts.ts";
import type { ValidatedDefinition } from "./validate.ts";
import { promptReferences, viewSteps } from "./view.ts";

/** What makes the parts that are not the configuration's, and puts them together. */
export interface Builders<Member, Built> {
  /** Other than the definition's own. */
  readonly engines: readonly EngineName[] | undefined;
  /** @error ConfigurationError where it can't be made */
  readonly makeMember: (name: EngineName) => Member;
  readonly assemble: (parts: { readonly members: readonly Member[]; readonly prompts: PromptResolver }) => Built;
}

/**
 * @input  validated: by `validate`, and by nothing else
 * @output what can be run
 * @effect makes what it depends on
 * @error  ConfigurationError `DependencyError` where an engine is not there, or a prompt is not there any more
 */
export function build<Member, Built>(validated: ValidatedDefinition, builders: Builders<Member, Built>): Built {
  const { definition, directory } = validated;
  const { connection, name } = definition;
  const engines = builders.engines ?? (connection && [connection.engine, ...(connection.fallback ?? [])]) ?? [];
  if (engines.length === 0) throw missing(name, "it names no engine; add 'connection', or use '--engine'");
  for (const { reference } of promptReferences(viewSteps(definition))) {
    const read = readPrompt(directory, reference);
    if (read.kind === "not-found") throw missing(name, read.reason);
  }
  const members = engines.map((engine) => {
    try {
      return builders.makeMember(engine);
    } catch (error) {
      throw missing(name, error instanceof Error ? error.message : String(error));
    }
  });
  return builders.assemble({ members, prompts: createPromptResolver(directory) });
}

function missing(name: string, why: string): ConfigurationError {
  return new ConfigurationError(`'${name}' can't be run: ${why}`, { kind: "DependencyError" });
}

/**
 * The words of a command as they are run: one that names a file of the definition is that file, wherever the run works.
 *
 * @input  directory: the definition's, or of its trusted copy, links resolved
 * @effect none: looks
 * @error  none
 */
export function commandWords(directory: string, words: readonly string[]): string[] {
  return words.map((word) => (isFileIn(directory, word) ? join(directory, word) : word));
}

function isFileIn(directory: string, word: string): boolean {
  if (word === "" || isAbsolute(word) || word.includes("\0")) return false;
  const path = join(directory, word);
  try {
    return isInside(directory, path) && disk.look(path)?.isFile() === true;
  } catch {
    return false;
  }
}
