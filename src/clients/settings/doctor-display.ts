import { wrap } from "../../lib/text-width.ts";
import type { Display } from "../../cli/display.ts";

/** What people see of `doctor`: its lines, wrapped, and in colour what works and what needs attention. */
export function doctorDisplay(display: Display, report: string): string {
  return report
    .trimEnd()
    .split("\n")
    .map((line) => {
      const indent = /^[ !] {0,5}/.exec(line)?.[0] ?? "";
      const lines = wrap(line.slice(indent.length), display.columns - indent.length, Number.POSITIVE_INFINITY);
      const whole = lines.map((part, at) => (at === 0 ? indent : " ".repeat(indent.length)) + part).join("\n");
      if (indent.startsWith("!")) return `${display.bad(whole)}\n`;
      const isGood = /^ {2}\w+ +current /.test(line);
      return `${isGood ? display.good(whole) : indent === "" ? display.bold(whole) : whole}\n`;
    })
    .join("");
}
