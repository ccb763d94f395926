import type { Command, Problem } from "../command.ts";
import { flagNames } from "./flags.ts";
import type { ParsedFlags } from "./flags.ts";
import { didYouMean } from "../lib/nearest.ts";

/** What is wrong with a command line, and what was probably meant. */
export function flagProblem(parsed: Exclude<ParsedFlags, { kind: "ok" }>, command: Command): Problem {
  const see = "; see its --help";
  switch (parsed.kind) {
    case "unknown_flag": {
      const hint = didYouMean(parsed.flag, flagNames(command.args)) || see;
      return { code: "unknown_flag", message: `unknown flag '${parsed.flag}'${hint}` };
    }
    case "missing_value":
      return usage(`'${parsed.flag}' needs a value${see}`);
    case "unexpected_value":
      return usage(`'${parsed.flag}' takes no value${see}`);
    case "bad_choice":
      return usage(`'${parsed.flag}' can't be '${parsed.value}'; one of ${parsed.choices.join(", ")}`);
  }
}

function usage(message: string): Problem {
  return { code: "usage", message };
}
