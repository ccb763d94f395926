import { hangingLines, type Display } from "../cli/display.ts";

const MARKS: readonly (readonly [line: RegExp, mark: "bold" | "dim" | "good" | "bad"])[] = [
  [/^\S.*/, "bold"],
  [/^ +(?:\S+ +)?loaded /, "good"],
  [/^ +(?:\S+ +)?(?:cut|left out|shadowed|skipped)(?: |:)/, "bad"],
  [/^ +\S+ +-$|^\(-: /, "dim"],
];

/** What people see of `explain`: its lines, wrapped, and in colour what each client reads and what it doesn't. */
export function explanationDisplay(display: Display, explanation: string): string {
  return hangingLines(display, explanation, (line) => {
    const name = MARKS.find(([pattern]) => pattern.test(line))?.[1];
    return name === undefined ? line : display[name](line);
  });
}
