import type { Problem } from "../../command.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { givenVariableName } from "../judge/variables.ts";

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
