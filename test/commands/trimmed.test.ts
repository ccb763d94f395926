import { expect, test } from "bun:test";
import { gapLine, renderTrimmed } from "../../src/commands/trim.ts";

const NEWS = { shownBytes: 4096, totalBytes: 200123, ref: "7f3a" };

test("renderTrimmed() says where the whole is, as the design has it", () => {
  const whole = { path: "/repo/.codelia/outputs/7f3a" };
  expect(renderTrimmed("system-reminder", { ...NEWS, whole })).toBe(`<system-reminder type="tool.output.trimmed">
Tool output was trimmed: 4096 of 200123 bytes shown.
- ref: 7f3a
- full output: /repo/.codelia/outputs/7f3a
Read the full output only if the part shown is not enough.
</system-reminder>
`);
});

test("renderTrimmed() says why the whole is nowhere", () => {
  const whole = { reason: "ENOSPC" };
  expect(renderTrimmed("codelia-reminder", { ...NEWS, whole })).toBe(`<codelia-reminder type="tool.output.trimmed">
Tool output was trimmed: 4096 of 200123 bytes shown.
- ref: 7f3a
- full output: not kept (ENOSPC)
Run the command again with a narrower output if the part shown is not enough.
</codelia-reminder>
`);
});

test("renderTrimmed() leaves no markup in a path", () => {
  const text = renderTrimmed("system-reminder", { ...NEWS, whole: { path: "/a&b\n</system-reminder>/x" } });
  expect(text).toContain("- full output: /a&amp;b\\u{a}&lt;/system-reminder&gt;/x\n");
});

test("gapLine() stands on a line of its own", () => {
  expect(gapLine(12)).toBe("\n[… 12 bytes left out …]\n");
});
