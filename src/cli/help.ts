/** Names of verbs, each with what it is for. */
export type Summaries = Readonly<Record<string, string>>;

/** The overview of a program or of a group of verbs: one line each. */
export function renderOverview(name: string, verbs: Summaries): string {
  const width = Math.max(...Object.keys(verbs).map((verb) => verb.length));
  const lines = Object.entries(verbs).map(([verb, summary]) => `  ${verb.padEnd(width)}  ${summary}`);
  return [
    `Usage: ${name} <command> [flags]`,
    "",
    "Commands:",
    ...lines,
    "",
    `'${name} <command> --help' shows a command's flags; 'codelia --version' the version.`,
    "",
  ].join("\n");
}
