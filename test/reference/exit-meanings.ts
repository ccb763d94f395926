import type { ExitName } from "../../src/errors.ts";

export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  ok: "success; with nothing to say, standard output is empty",
  findings:
    "problems were found; or what you named (a client, skill, rule, session, file, …) does not exist, is ambiguous or denied",
  unusable: "the data that the command works on can't be used",
  usage: "the command line is wrong: an unknown command or flag, a missing or impossible value",
  internal: "internal error, please report it",
  interrupted: "the user ended it with Ctrl-C",
};
