import type { Command, Problem } from "../command.ts";
import { didYouMean } from "../lib/words.ts";
import { COMMON_ARGS, flagNames, usage, type ParsedFlags } from "./args.ts";

const SEE_HELP = "; see its --help";

/** Says what is wrong with a command line, and what was probably meant. */
export function flagProblem(parsed: Exclude<ParsedFlags, { kind: "ok" }>, command: Command): Problem {
  const { flag } = parsed;
  switch (parsed.kind) {
    case "unknown_flag": {
      // A flag of other commands is not a typo.
      const isCommon = Object.hasOwn(COMMON_ARGS, flag.slice(2));
      const hint = isCommon ? "" : didYouMean(flag, flagNames(command.args));
      return { code: "unknown_flag", message: `unknown flag '${flag}'${hint || SEE_HELP}` };
    }
    case "missing_value":
      return usage(`'${flag}' needs a value${SEE_HELP}`);
    case "unexpected_value":
      return usage(`'${flag}' takes no value${SEE_HELP}`);
    case "bad_choice":
      return usage(`'${flag}' can't be '${parsed.value}'; one of ${parsed.choices.join(", ")}`);
  }
}
