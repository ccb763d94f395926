import type { ExitName } from "../../src/errors.ts";

export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  ok: "it went well; nothing to say is nothing on standard output",
  findings: "something was found, was not found, was ambiguous or denied",
  unusable: "the data that the command is about can't be used",
  usage: "the command line is not one",
  internal: "an error of codelia's own, please report it",
};
