import { loadVerb } from "../../src/cli.ts";
import { COMMON_ARGS } from "../../src/cli/args.ts";
import { EXAMPLES } from "../../src/cli/examples.ts";
import { VERBS } from "../../src/cli/guide.ts";
import type { Command } from "../../src/command.ts";

/** A verb as its definition has it, for the pages that are made from it. */
export interface DescribedCommand {
  readonly words: string;
  readonly description: string;
  readonly operands: readonly { readonly name: string; readonly summary: string; readonly isOptional: boolean }[];
  /** Beside the common ones. */
  readonly flags: readonly DescribedFlag[];
  /** Which of the common ones it has. */
  readonly common: readonly DescribedFlag[];
  readonly example: string;
}

export interface DescribedFlag {
  readonly name: string;
  /** One letter for it. */
  readonly short: string | undefined;
  readonly value: string | undefined;
  readonly summary: string;
}

type CommonName = keyof typeof COMMON_ARGS;

/** Every verb, in the order of the help. */
export async function describeCommands(): Promise<DescribedCommand[]> {
  const words = Object.entries(VERBS).flatMap(([name, entry]) =>
    typeof entry === "string" ? [name] : Object.keys(entry.verbs).map((verb) => `${name} ${verb}`),
  );
  return Promise.all(words.map(async (verb) => describe(verb, await load(verb))));
}

export const COMMON_FLAGS: readonly DescribedFlag[] = flagsOf(COMMON_ARGS);

async function load(words: string): Promise<Command> {
  const loaded = await loadVerb(words);
  if (loaded === undefined) throw new Error(`'${words}' is described and can't be called`);
  return loaded.command;
}

function describe(words: string, { meta, args }: Command): DescribedCommand {
  const own = Object.fromEntries(Object.entries(args).filter(([name, arg]) => COMMON_ARGS[name as CommonName] !== arg));
  const operands = Object.entries(args).flatMap(([name, { type, description = "", required }]) =>
    type === "positional" ? [{ name, summary: description, isOptional: required === false }] : [],
  );
  return {
    words,
    description: meta.description,
    example: EXAMPLES[words] ?? "",
    operands,
    flags: flagsOf(own),
    common: COMMON_FLAGS.filter((flag) => args[flag.name.slice(2)] === COMMON_ARGS[flag.name.slice(2) as CommonName]),
  };
}

function flagsOf(args: Command["args"]): DescribedFlag[] {
  return Object.entries(args).flatMap(([name, arg]) => {
    if (arg.type === "positional") return [];
    const options = "options" in arg ? arg.options?.join("|") : undefined;
    const hint = "valueHint" in arg ? arg.valueHint : undefined;
    const value = arg.type === "boolean" ? undefined : (options ?? hint ?? "VALUE");
    const short = "alias" in arg && typeof arg.alias === "string" ? `-${arg.alias}` : undefined;
    return [{ name: `--${name}`, short, value, summary: arg.description ?? "" }];
  });
}
