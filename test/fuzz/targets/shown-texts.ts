import { equal, ok } from "node:assert/strict";
import { findReminders, planTrim } from "../../../src/commands/trim.ts";
import { escapeAttribute, escapeText, visible } from "../../../src/lib/escape.ts";
import { fit, fitEnd, widthOf, wrap } from "../../../src/lib/text-width.ts";
import type { FuzzTarget } from "../lib/target.ts";

const COLUMNS = 40;
const LINES = 3;

function trimmed(input: string) {
  const bytes = new TextEncoder().encode(input);
  const reminders = findReminders(bytes);
  return { bytes, plan: planTrim(bytes, reminders, Math.floor(bytes.length / 2)) };
}

/** A text on its way to a terminal, into an attribute, or through `trim`. */
export const target: FuzzTarget = {
  read: (input) => [visible(input), escapeAttribute(input), fit(input, COLUMNS), fitEnd(input, COLUMNS), wrap(input, COLUMNS, LINES), trimmed(input)],
  check(input) {
    const text = visible(input);
    equal(visible(text), text, "shown twice it is another");
    equal(/[<>]/.test(escapeText(input)), false, "markup");
    for (const shown of [fit(text, COLUMNS), fitEnd(text, COLUMNS), ...wrap(text, COLUMNS, LINES)]) {
      ok(widthOf(shown) <= COLUMNS, `${widthOf(shown)} columns`);
    }
    ok(wrap(text, COLUMNS, LINES).length <= LINES, "too many lines");
    const { bytes, plan } = trimmed(input);
    let at = 0;
    for (const { start, end } of plan) {
      ok(start === at && end >= start, "a stretch that begins elsewhere than the one before ends");
      at = end;
    }
    equal(at, bytes.length, "not all of the text");
  },
  words: ["<system-reminder>", "</system-reminder>", "<codelia-reminder type='x'>", "</codelia-reminder >", "日本", "\u{1F600}", "e\u0301", "\u{1F1E9}\u{1F1EA}", "\u200D"],
  parts: ["a", " ", "\n", "<system-reminder>", "</system-reminder>", "</codelia-reminder>", "<", "日", "\u0301", "\u{1F600}", "\u0000"],
  growth: [16_384, 65_536],
}; // prettier-ignore
