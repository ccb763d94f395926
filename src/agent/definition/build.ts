import { ConfigurationError } from "../errors.ts";
import type { EngineName } from "../schema.ts";
import { createPromptResolver, readPrompt, type PromptResolver } from "./prompts.ts";
import type { ValidatedDefinition } from "./validate.ts";
import { promptReferences, viewSteps } from "./view.ts";

/**
 * What a run of a valid definition depends on.
 *
 * @input  engines: in place of the definition's own; makeMember: throws where an engine can't be made
 * @error  ConfigurationError `DependencyError` where an engine is missing, or a prompt has gone since
 */
export function build<Member>(
  { definition, directory }: ValidatedDefinition,
  engines: readonly EngineName[] | undefined,
  makeMember: (name: EngineName) => Member,
): { readonly members: readonly Member[]; readonly prompts: PromptResolver } {
  const { connection, name } = definition;
  const missing = (why: string) =>
    new ConfigurationError(`'${name}' can't be run: ${why}`, { kind: "DependencyError" });
  const named = engines ?? (connection && [connection.engine, ...(connection.fallback ?? [])]) ?? [];
  if (named.length === 0) throw missing("it names no engine; add 'connection', or use '--engine'");
  for (const { reference } of promptReferences(viewSteps(definition))) {
    const read = readPrompt(directory, reference);
    if (read.kind === "not-found") throw missing(read.reason);
  }
  const members = named.map((engine) => {
    try {
      return makeMember(engine);
    } catch (error) {
      throw missing(error instanceof Error ? error.message : String(error));
    }
  });
  return { members, prompts: createPromptResolver(directory) };
}
