import { expect } from "bun:test";
import { array, constantFrom, oneof, property, string } from "fast-check";
import { stripInvisible, withoutInvisible } from "../../src/lib/invisible.ts";
import { findInvisible } from "../../src/lib/invisible.ts";
import { testProperty } from "./fuzz.ts";

const UNSEEN = [
  "\u200B",
  "\u00AD",
  "\u202E",
  "\u2066",
  "\u200D",
  "\u200C",
  "\uFE0F",
  "\u{E0041}",
  "\u{E007F}",
  "\u0007",
  "\uFEFF",
];
const pieces = oneof(constantFrom(...UNSEEN, "👩", "🏴", "❤", "\n", "ש", "क"), string({ maxLength: 3 }));

testProperty(
  "stripInvisible() takes away nothing that can be seen, and nothing more when done again",
  property(array(pieces, { maxLength: 12 }), (parts) => {
    const text = parts.join("");
    const { text: stripped, gone } = stripInvisible(text);
    let at = 0;
    for (const character of text) {
      if (!gone.has(at)) {
        at += character.length;
        continue;
      }
      expect(findInvisible(`a${character}`)).not.toEqual([]);
      at += character.length;
    }
    expect(stripped).toBe([...text].filter((_, index, all) => !gone.has(all.slice(0, index).join("").length)).join(""));
    const all = withoutInvisible(text);
    expect(withoutInvisible(all)).toBe(all);
    if (gone.size === 0) expect(stripped).toBe(text);
  }),
);
