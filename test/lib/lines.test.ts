import { expect, test } from "bun:test";
import { linesOf } from "../../src/lib/lines.ts";
import { tempTree } from "../support/temp-tree.ts";

const CHUNK = 64 * 1024;

test.each<[what: string, text: string, limit: number, lines: (string | undefined)[]]>([
  ["no line", "", 10, []],
  ["a last line without an end", "a\n\nb", 10, ["a", "", "b"]],
  ["a last line with one", "a\nb\n", 10, ["a", "b"]],
  ["a line over many chunks", `a\n${"b".repeat(3 * CHUNK)}\nc\n`, 4 * CHUNK, ["a", "b".repeat(3 * CHUNK), "c"]],
  ["a character over two chunks", `${"b".repeat(CHUNK - 1)}é\nc\n`, CHUNK, [`${"b".repeat(CHUNK - 1)}é`, "c"]],
  ["a line that is too long", `a\n${"b".repeat(11)}\nc\n`, 10, ["a", undefined, "c"]],
  ["one over many chunks", `a\n${"b".repeat(3 * CHUNK)}\nc\n`, CHUNK, ["a", undefined, "c"]],
  ["one at the end", `a\n${"b".repeat(3 * CHUNK)}`, CHUNK, ["a", undefined]],
  ["an end of line at the end of a chunk", `${"b".repeat(CHUNK - 1)}\nc`, CHUNK, ["b".repeat(CHUNK - 1), "c"]],
])("linesOf() reads %s", (_, text, limit, lines) => {
  using tree = tempTree({ "a.jsonl": text });
  let read = 0;
  expect([...linesOf(tree.path("a.jsonl"), limit, (bytes) => void (read += bytes))]).toEqual(lines);
  expect(read).toBe(Buffer.byteLength(text));
});
