import { expect } from "bun:test";
import { array, constantFrom, nat, oneof, property, string, uint8Array, type Arbitrary } from "fast-check";
import { findReminders, planTrim } from "../../src/commands/trim.ts";
import { testProperty } from "./fuzz.ts";

const PIECES = [
  "<system-reminder>r</system-reminder>",
  '<codelia-reminder type="x">日\n</codelia-reminder>',
  "<system-reminder>",
  "<codelia-reminder>",
  "</codelia-reminder>",
  "</system-reminder>",
  "日本語",
  "\u{1F600}\u{1F600}",
  "plain\n",
];

function anyText(): Arbitrary<string> {
  return array(oneof(constantFrom(...PIECES), string({ unit: "grapheme" })), { maxLength: 12 }).map((parts) =>
    parts.join(""),
  );
}

const anyBytes = () =>
  oneof(
    anyText().map((text) => new TextEncoder().encode(text)),
    uint8Array({ maxLength: 80 }),
  );

testProperty(
  "planTrim() divides the text: every byte is shown or left out, once, in order",
  property(anyBytes(), nat(200), (bytes, maxBytes) => {
    const plan = planTrim(bytes, findReminders(bytes), maxBytes);
    let offset = 0;
    for (const { start, end } of plan) {
      expect(start).toBe(offset);
      expect(end).toBeGreaterThanOrEqual(start);
      offset = end;
    }
    expect(offset).toBe(bytes.length);
  }),
);

testProperty(
  "planTrim() keeps to the limit, unless the reminders alone exceed it",
  property(anyBytes(), nat(200), (bytes, maxBytes) => {
    const reminders = findReminders(bytes);
    const reserved = reminders.reduce((sum, { start, end }) => sum + end - start, 0);
    const shown = planTrim(bytes, reminders, maxBytes).filter(({ isShown }) => isShown);
    const shownBytes = shown.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(shownBytes).toBeLessThanOrEqual(Math.max(maxBytes, reserved));
    if (bytes.length <= maxBytes) expect(shownBytes).toBe(bytes.length);
  }),
);

testProperty(
  "planTrim() shows every reminder whole",
  property(anyBytes(), nat(200), (bytes, maxBytes) => {
    const plan = planTrim(bytes, findReminders(bytes), maxBytes);
    const isShown = Array.from(bytes, () => false);
    for (const stretch of plan) isShown.fill(stretch.isShown, stretch.start, stretch.end);
    for (const { start, end } of findReminders(bytes)) expect(isShown.slice(start, end)).not.toContain(false);
  }),
);

testProperty(
  "planTrim() cuts no character of valid UTF-8",
  property(anyText(), nat(200), (text, maxBytes) => {
    const bytes = new TextEncoder().encode(text);
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const parts = planTrim(bytes, findReminders(bytes), maxBytes).map(({ start, end }) =>
      decoder.decode(bytes.subarray(start, end)),
    );
    expect(parts.join("")).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  }),
);

testProperty(
  "findReminders() finds what a reader of the text finds",
  property(anyText(), (text) => {
    const bytes = new TextEncoder().encode(text);
    const decoded = new TextDecoder("utf-8", { ignoreBOM: true });
    const found = findReminders(bytes).map(({ start, end }) => decoded.decode(bytes.subarray(start, end)));
    const expected = new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(bytes)
      .matchAll(/<(system-reminder|codelia-reminder)(?=[\s>])(?:(?!<\1[\s>])[^])*?<\/\1>/g);
    expect(found).toEqual(Array.from(expected, ([match]) => match));
  }),
);
