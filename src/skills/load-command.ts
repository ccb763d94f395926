import { quoteForShell } from "../lib/shell-quote.ts";

/** The command line that loads a skill, with the flags it needs to be found again. */
export function renderLoadCommand(path: string, flags: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteForShell(value)}`],
  );
  return ["codelia skills load", quoteForShell(path), ...given].join(" ");
}
