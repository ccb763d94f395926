import { createConsola } from "consola/core";

const YELLOW = "\u001B[33m";
const PLAIN = "\u001B[39m";

/** Prints warnings at a terminal in colour; equal ones once, with a count. */
export function reportOnTerminal(warnings: readonly string[], print: (line: string) => void): void {
  const reporter = createConsola({
    throttle: 0,
    reporters: [{ log: ({ args }) => print(`${YELLOW}codelia: warning:${PLAIN} ${args.join(" ")}\n`) }],
  });
  for (const warning of warnings) reporter.warn(warning);
}
