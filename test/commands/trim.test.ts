import { expect, test } from "bun:test";
import { findReminders, gapLine, planTrim, renderTrimmed } from "../../src/commands/trim.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** What is shown, with `…` for each gap. */
function trimmed(text: string, maxBytes: number): string {
  const bytes = encode(text);
  const parts = planTrim(bytes, findReminders(bytes), maxBytes).map(({ start, end, isShown }) =>
    isShown ? new TextDecoder().decode(bytes.subarray(start, end)) : "…",
  );
  return parts.join("");
}

const REMINDER = "<system-reminder>r</system-reminder>";
const CASES: [does: string, text: string, maxBytes: number, expected: string][] = [
  ["shows all when all fits", "0123456789", 10, "0123456789"],
  ["shows nothing when there is nothing", "", 4, ""],
  ["shows the head and the tail", "0123456789", 4, "01…89"],
  ["gives the head the odd byte", "0123456789", 5, "012…89"],
  ["shows one byte when there is room for one", "0123456789", 1, "0…"],
  ["cuts no character at the head", "aあbcdefgh", 6, "a…fgh"],
  ["cuts no character at the tail", "abcdefghあb", 6, "abc…b"],
  ["cuts no wide character", "\u{1F600}\u{1F600}\u{1F600}", 8, "\u{1F600}…\u{1F600}"],
  ["keeps a reminder in the middle", `0123456789${REMINDER}0123456789`, 40, `01…${REMINDER}…89`],
  ["keeps a reminder at the beginning", `${REMINDER}0123456789`, 40, `${REMINDER}01…89`],
  ["keeps a reminder at the end", `0123456789${REMINDER}`, 40, `01…89${REMINDER}`],
  ["keeps several", `0123456789${REMINDER}x${REMINDER}0123456789`, 76, `01…${REMINDER}…${REMINDER}…89`],
  ["takes a reminder near the head into the head", `0${REMINDER}123456789`, 40, `0${REMINDER}1…89`],
  ["keeps reminders that are over the limit alone", `0123456789${REMINDER}0123456789`, 4, `…${REMINDER}…`],
  ["keeps nothing but the reminder when it fills the limit", `abc${REMINDER}`, 36, `…${REMINDER}`],
];
for (const [does, text, maxBytes, expected] of CASES) {
  test(`planTrim() ${does}`, () => {
    expect(trimmed(text, maxBytes)).toBe(expected);
  });
}

const FOUND: [does: string, text: string, expected: string[]][] = [
  ["finds none", "text", []],
  [
    "finds one with a type",
    '<system-reminder type="x">r</system-reminder>',
    ['<system-reminder type="x">r</system-reminder>'],
  ],
  ["finds our own", "a<codelia-reminder\n>b</codelia-reminder>c", ["<codelia-reminder\n>b</codelia-reminder>"]],
  ["finds two", `${REMINDER}x${REMINDER}`, [REMINDER, REMINDER]],
  ["finds one after wide characters", `日本語\u{1F600}${REMINDER}日`, [REMINDER]],
  ["passes over one that is not closed", "<system-reminder>r", []],
  ["passes over one that another closes", "<system-reminder>r</codelia-reminder>", []],
  ["passes over a longer name", "<system-reminders>r</system-reminders>", []],
  ["passes over a longer name that a shorter one closes", "<system-reminders>r</system-reminder>", []],
  ["passes over a closing tag alone", "r</system-reminder>", []],
  ["finds one behind a mention of its tag", `docs say <system-reminder> ${REMINDER}`, [REMINDER]],
  [
    "finds one around another of ours",
    `<codelia-reminder>${REMINDER}</codelia-reminder>`,
    [`<codelia-reminder>${REMINDER}</codelia-reminder>`],
  ],
  [
    "finds the first of two that cross",
    "<system-reminder><codelia-reminder></system-reminder></codelia-reminder>",
    ["<system-reminder><codelia-reminder></system-reminder>"],
  ],
  ["finds one behind another that is not closed", `<codelia-reminder>${REMINDER}`, [REMINDER]],
];
for (const [does, text, expected] of FOUND) {
  test(`findReminders() ${does}`, () => {
    const bytes = encode(text);
    const found = findReminders(bytes).map(({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end)));
    expect(found).toEqual(expected);
  });
}

// Tool output is anybody's text, and up to 512 MiB of it: what is looked through again for each tag takes hours.
test("findReminders() takes time in proportion to the text when no reminder is closed", () => {
  const bytes = encode("<system-reminder>".repeat(30_000));
  const startedAt = performance.now();
  expect(findReminders(bytes)).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(100);
});

const NEWS = { shownBytes: 4096, totalBytes: 200123, ref: "7f3a" };

test("renderTrimmed() says where the whole is", () => {
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
