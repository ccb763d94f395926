import { expect, test } from "bun:test";
import { editLine, type TextEdit } from "../../src/cli/line-editor.ts";

/** A bar stands for the cursor. */
const EDITS: [before: string, edit: TextEdit, after: string][] = [
  ["|", { kind: "insert", text: "a" }, "a|"],
  ["a|c", { kind: "insert", text: "b" }, "ab|c"],
  ["|", { kind: "delete-before" }, "|"],
  ["ab|c", { kind: "delete-before" }, "a|c"],
  ["日本|", { kind: "delete-before" }, "日|"],
  ["a👨‍👩‍👧|", { kind: "delete-before" }, "a|"],
  ["e\u0301|", { kind: "delete-before" }, "|"],
  ["a|bc", { kind: "delete-after" }, "a|c"],
  ["|🇯🇵x", { kind: "delete-after" }, "|x"],
  ["a|", { kind: "delete-after" }, "a|"],
  ["one two|", { kind: "delete-word" }, "one |"],
  ["one two  |", { kind: "delete-word" }, "one |"],
  ["one t|wo", { kind: "delete-word" }, "one |wo"],
  ["   |", { kind: "delete-word" }, "|"],
  ["one|two", { kind: "clear" }, "|"],
  ["a👍🏽|", { kind: "left" }, "a|👍🏽"],
  ["|a", { kind: "left" }, "|a"],
  ["a|👍🏽", { kind: "right" }, "a👍🏽|"],
  ["a|", { kind: "right" }, "a|"],
  ["ab|c", { kind: "start" }, "|abc"],
  ["a|bc", { kind: "end" }, "abc|"],
  // What is typed before a mark takes it.
  ["|\u0301", { kind: "insert", text: "e" }, "e\u0301|"],
];

for (const [before, edit, after] of EDITS) {
  test(`editLine() makes '${after}' of '${before}' by ${edit.kind}`, () => {
    const line = { text: before.replace("|", ""), cursor: before.indexOf("|") };
    const { text, cursor } = editLine(line, edit);
    expect(`${text.slice(0, cursor)}|${text.slice(cursor)}`).toBe(after);
  });
}
