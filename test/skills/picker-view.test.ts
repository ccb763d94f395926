import { expect, test } from "bun:test";
import { pageSizeOf, renderPicker, type ShownPicker } from "../../src/skills/picker-view.ts";
import type { ShownSkill } from "../../src/skills/render.ts";
import { skillWith, shown } from "./picker-samples.ts";

function linesOf(state: ShownPicker, columns: number, rows: number, colour = false): readonly string[] {
  return renderPicker({ ...state, pageSize: pageSizeOf(rows) }, { columns, rows, colour }).lines;
}

const REVIEW: ShownSkill = {
  name: "review",
  description: "Review a change\n  with care",
  path: "/r/.agents/skills/review/SKILL.md",
  scope: "repo",
};
const NOTES: ShownSkill = { ...REVIEW, name: "notes", path: "/h/.agents/skills/notes/SKILL.md", scope: "user" };

test("renderPicker() shows the search, the list, the selected skill, the count and the keys", () => {
  const state = shown([REVIEW, NOTES], { query: { text: "re", cursor: 2 }, selected: 1, skills: 3000 });
  expect(linesOf(state, 60, 10)).toEqual([
    "> re",
    "  review repo  Review a change with care",
    "> notes  user  Review a change with care",
    "",
    "",
    "",
    "Review a change with care",
    "/h/.agents/skills/notes/SKILL.md",
    "2 of 3000",
    "Enter print  ^Y copy  ^T here  ^G for you  Esc quit",
  ]);
});

test("renderPicker() marks where a skill is disabled", () => {
  const state = shown([REVIEW, NOTES], { project: ["review"], user: ["review", "notes"] });
  const [, first, second] = linesOf(state, 80, 8);
  expect(first).toBe("> review repo  off: project, off: user  Review a change with care");
  expect(second).toBe("  notes  user  off: user  Review a change with care");
});

test("renderPicker() shows the message beside the count", () => {
  const lines = linesOf(shown([REVIEW], { message: "it\u001B[2J worked" }), 40, 5);
  expect(lines.at(-2)).toBe(String.raw`1 of 1  it\u{1b}[2J worked`);
});

test("renderPicker() lets nothing of a skill speak to the terminal", () => {
  const hostile = skillWith("\u001B]0;x\u0007\u009B2J\u202E\u200B");
  const text = linesOf(shown([hostile], { query: { text: "\u001B[A", cursor: 3 }, message: "\u0007" }), 200, 12).join(
    "",
  );
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("renderPicker() colours only where it may", () => {
  const state = shown([REVIEW, NOTES], { user: ["notes"] });
  const coloured = linesOf(state, 60, 10, true);
  expect(coloured[1]).toBe("\u001B[7m> review repo  Review a change with care\u001B[0m");
  expect(coloured[2]).toStartWith("\u001B[2m  notes ");
  // eslint-disable-next-line no-control-regex -- the colours are what is removed
  const plain = coloured.map((line) => line.replaceAll(/\u001B\[\d*m/g, ""));
  expect(plain).toEqual([...linesOf(state, 60, 10)]);
});

const PROMPTS: [text: string, cursor: number, columns: number, line: string, column: number][] = [
  ["", 0, 20, "> ", 2],
  ["abc", 3, 20, "> abc", 5],
  ["abc", 1, 20, "> abc", 3],
  ["abcdefghij", 10, 8, "> …ghij", 7],
  ["abcdefghij", 0, 8, "> abcde…", 2],
  ["日本語", 3, 8, "> …本語", 7],
  ["a\u0007", 2, 20, String.raw`> a\u{7}`, 8],
  ["abc", 3, 2, "> ", 1],
  ["abc", 3, 1, "…", 0],
];

for (const [text, cursor, columns, line, column] of PROMPTS) {
  test(`renderPicker() puts the cursor at ${column} of '${line}'`, () => {
    const picture = renderPicker(shown([], { query: { text, cursor } }), { columns, rows: 5, colour: false });
    expect(picture.lines[0]).toBe(line);
    expect(picture.cursor).toEqual({ row: 0, column });
  });
}

test("pageSizeOf() leaves room for what is around the list", () => {
  expect([0, 1, 3, 4, 5, 8, 9, 24, 100].map(pageSizeOf)).toEqual([0, 0, 0, 1, 2, 5, 3, 15, 91]);
});
