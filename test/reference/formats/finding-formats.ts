import { FINDINGS_ARGS, type Format } from "../../../src/check/flags.ts";

const MEANINGS: Readonly<Record<Format, string>> = {
  text: "people, terminals and editors: `path:line:column severity rule message`",
  json: "programs; `--json` is the same",
  github: "GitHub annotations, as workflow commands; the default under `GITHUB_ACTIONS=true`",
  sarif: "code scanning: SARIF 2.1.0, with every rule that was checked",
};

/** Every `--format` of findings. */
export const FINDING_FORMATS = FINDINGS_ARGS.format.options.map((name) => ({ name, means: MEANINGS[name] }));
