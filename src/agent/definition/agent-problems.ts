import { visible } from "../../lib/escape.ts";

interface Shown {
  readonly pointer: string;
  readonly message: string;
}

/** What is wrong with a definition, for a person: one line each, errors first. */
export function renderAgentProblems(file: string, errors: readonly Shown[], warnings: readonly Shown[]): string {
  const line = (kind: string) => (problem: Shown) =>
    `${kind} ${visible(problem.pointer || "/")}: ${visible(problem.message)}\n`;
  const count = (many: number, word: string) => `${many} ${word}${many === 1 ? "" : "s"}`;
  const verdict = `${visible(file)}: ${count(errors.length, "error")}, ${count(warnings.length, "warning")}\n`;
  return [...errors.map(line("error")), ...warnings.map(line("warning")), verdict].join("");
}
