import { ConfigurationError } from "../errors.ts";
import type { EngineName } from "../schema.ts";
import { createPromptResolver, readPrompt, type PromptResolver } from "./prompts.ts";
import type { ValidatedDefinition } from "./validate.ts";
import { promptReferences, viewSteps } from "./view.ts";

/**
 * What a run of a valid definition depends on.
 *
 * @input  engines: replaces the definition's own; makeMember: throws if an engine can't be created; whyMissing: why an
 *          engine can't be used here
 * @error  ConfigurationError `DependencyError` if no engine can be used, or a prompt has been removed since
 */
export function build<Member>(
  { definition, directory }: ValidatedDefinition,
  engines: readonly EngineName[] | undefined,
  makeMember: (name: EngineName) => Member,
  whyMissing: (name: EngineName) => string | undefined,
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
  const reasons = named.flatMap((engine) => whyMissing(engine) ?? []);
  if (reasons.length === named.length) throw missing(reasons.join("; "));
  return { members, prompts: createPromptResolver(directory) };
}
