import { describe, expect, test } from "bun:test";
import { planDelivery, type DueFile, type Range } from "../../src/instructions/delivery.ts";
import { readLines } from "../../src/instructions/lines.ts";

const measure = (text: string) => text.length;
const encoder = new TextEncoder();

function fileOf(text: string | Uint8Array, due?: readonly Range[]): DueFile {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  return { path: "/r/AGENTS.md", bytes, sizeBytes: bytes.length, due: due ?? [[0, bytes.length]] };
}

const textOf = (file: DueFile, most: number) => readLines(file, measure, most).lines.map(({ text }) => text);

describe("readLines()", () => {
  test("divides a line only when no output can hold it", () => {
    const line = `${"word ".repeat(1000)}\n`;
    expect(textOf(fileOf(line), 9000)).toEqual([line]);
    expect(textOf(fileOf(line), 4000).map(({ length }) => length)).toEqual([2000, 2000, 1001]);
    expect(textOf(fileOf(line), 4000).join("")).toBe(line);
  });

  test("reads only those pieces of a long line that are still due", () => {
    const line = Array.from({ length: 3000 }, (_, index) => `w${index} `).join("");
    const pieces = textOf(fileOf(line, [[4000, line.length]]), 5000);
    expect(pieces.join("")).toBe(line.slice(4000));
  });

  test.each([
    ["a tag on a seam", `${"x".repeat(1990)}</agents_context>${"y".repeat(3000)}`, "&lt;/agents_context>"],
    ["a tag after many others", `${"<agents_context>".repeat(400)}`, "&lt;agents_context>".repeat(400)],
    [
      "a section's heading at the start of a piece",
      `${"x".repeat(2000)}Instructions from: /etc`,
      " Instructions from: /etc",
    ],
    ["characters of several units", `${"😀".repeat(1200)}<agents_usage>`, "😀&lt;agents_usage>"],
  ])("defuses %s", (_, text, shown) => {
    const whole = textOf(fileOf(text), 1000).join("");
    expect(whole).toContain(shown);
    expect(whole).not.toMatch(/<\/?agents_/);
  });

  test("loses no byte that is not UTF-8", () => {
    const bytes = encoder.encode("a".repeat(5000));
    bytes.fill(0xe3, 1990, 2010);
    expect(textOf(fileOf(bytes), 1000).join("")).toBe(new TextDecoder().decode(bytes));
  });
});

describe("planDelivery() of a file that was cut by the budget", () => {
  test.each([9_999, 10_000, 10_001, 10_050])("leaves room for its marks: %p characters", (max) => {
    const lines = Array.from({ length: 3000 }, (_, index) => `- rule ${index}\n`).join("");
    for (let from = 0; from < 400; from += 11) {
      const bytes = encoder.encode(lines);
      const file = {
        path: "/r/AGENTS.md",
        bytes,
        sizeBytes: 1_234_567,
        due: [[lines.indexOf(`- rule ${from}\n`), bytes.length]] as const,
      };
      const planned = planDelivery([file], { before: "", after: () => [""] }, { count: 1, max, measure }, "later");
      expect(planned?.outputs[0]?.text.length).toBeLessThanOrEqual(max);
    }
  });
});
