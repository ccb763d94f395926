import { expect } from "bun:test";
import { array, constantFrom, integer, oneof, property, record, string, tuple, type Arbitrary } from "fast-check";
import { key, typed, type Key, type KeyName } from "../../src/cli/keys.ts";
import { openPicker, setOff, setPageSize, step } from "../../src/skills/picker.ts";
import { createKeyDecoder } from "../../src/cli/keys.ts";
import { pageSizeOf, renderPicker } from "../../src/skills/picker-view.ts";
import { widthOf } from "../../src/lib/text-width.ts";
import type { Skill } from "../../src/skills/skill.ts";
import { testProperty } from "./fuzz.ts";

const NAMES = constantFrom("review", "release", "notes", "a", "日本語", "\u001B[31m", "👨‍👩‍👧x", "long-".repeat(20));
const KEYS: readonly KeyName[] = [
  ...(["enter", "escape", "backspace", "delete", "left", "right", "up", "down", "home", "end"] as const),
  ...([
    "page-up",
    "page-down",
    "ctrl-a",
    "ctrl-e",
    "ctrl-u",
    "ctrl-w",
    "ctrl-y",
    "ctrl-p",
    "ctrl-n",
    "ctrl-z",
  ] as const),
];

function anySkill(): Arbitrary<Skill> {
  const text = oneof(string({ unit: "binary" }), string({ unit: "grapheme" }), NAMES);
  return record({
    name: oneof(NAMES, text),
    description: text,
    path: text,
    dir: text,
    scope: constantFrom("repo", "user"),
    mtimeMs: constantFrom(0),
    distance: constantFrom(0),
  });
}

type Event = Key | { readonly rows: number; readonly columns: number } | { readonly toggled: "project" | "user" };

function anyEvent(): Arbitrary<Event> {
  return oneof(
    constantFrom(...KEYS).map(key),
    oneof(NAMES, string({ unit: "grapheme", maxLength: 3 }), string({ unit: "binary", maxLength: 3 })).map(typed),
    record({ rows: integer({ min: 0, max: 40 }), columns: integer({ min: 0, max: 120 }) }),
    record({ toggled: constantFrom("project", "user") }),
  );
}

testProperty(
  "whatever is pressed, something valid is selected and in sight, and the picture keeps to the screen",
  property(array(anySkill(), { maxLength: 12 }), array(anyEvent(), { maxLength: 30 }), (skills, events) => {
    let screen = { columns: 80, rows: 24, colour: false };
    let state = openPicker(skills, { project: new Set(), user: new Set() }, pageSizeOf(screen.rows), "");
    for (const event of events) {
      if ("rows" in event) {
        screen = { columns: event.columns, rows: event.rows, colour: false };
        state = setPageSize(state, pageSizeOf(screen.rows));
      } else if ("toggled" in event) {
        const name = state.matches[state.selected]?.name ?? "";
        state = setOff(state, event.toggled, name, !state.off[event.toggled].has(name));
      } else state = step(state, event).state;
      const { selected, top, pageSize, matches, query } = state;
      expect(selected).toBeGreaterThanOrEqual(0);
      expect(selected).toBeLessThan(Math.max(1, matches.length));
      expect(top).toBeLessThanOrEqual(selected);
      expect(selected).toBeLessThan(top + Math.max(1, pageSize));
      expect(query.cursor).toBeGreaterThanOrEqual(0);
      expect(query.cursor).toBeLessThanOrEqual(query.text.length);
      const { lines, cursor } = renderPicker(state, screen);
      expect(lines.length).toBeLessThanOrEqual(screen.rows);
      expect(cursor.column).toBeLessThan(Math.max(1, screen.columns));
      for (const line of lines) {
        expect(widthOf(line)).toBeLessThanOrEqual(screen.columns);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
    }
  }),
);

const PIECES = constantFrom("\u001B", "[", "A", "200~", "\u001B[200~", "\u001B[201~", "1;5", "O", "\r", "]", "\u0007");

testProperty(
  "keys are the same however their bytes are cut, and their texts hold no control characters",
  property(
    array(oneof(PIECES, string({ unit: "grapheme", maxLength: 3 }))),
    array(tuple(integer({ min: 1, max: 7 }))),
    (pieces, cuts) => {
      const bytes = new TextEncoder().encode(pieces.join(""));
      const whole = createKeyDecoder();
      const cut = createKeyDecoder();
      const keys: Key[] = [];
      let from = 0;
      for (const [length] of cuts) keys.push(...cut.decode(bytes.subarray(from, (from += length))));
      keys.push(...cut.decode(bytes.subarray(from)));
      expect(flat(keys)).toEqual(flat(whole.decode(bytes)));
      for (const pressed of keys) if (pressed.kind === "text") expect(pressed.text).not.toMatch(/\p{Cc}/u);
    },
  ),
);

/** Texts character by character. */
function flat(keys: readonly Key[]): string[] {
  return keys.flatMap((pressed) => (pressed.kind === "text" ? [...pressed.text] : [pressed.name]));
}
