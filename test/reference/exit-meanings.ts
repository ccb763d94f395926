import type { ExitName } from "../../src/errors.ts";

export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  ok: "success; with nothing to say, standard output is empty",
  findings: "problems were found, or something was not found, ambiguous or denied",
  unusable: "the data that the command works on can't be used",
  usage: "the command line is wrong",
  internal: "internal error, please report it",
  interrupted: "the user ended it with Ctrl-C",
};
