import { expect, test } from "bun:test";
import { quotedIn, textsIn } from "../../src/hooks/shown.ts";

test.each([
  ["a text", "said", ["said"]],
  ["an object's, Claude Code's shell for one", { stdout: "said", stderr: "", interrupted: false }, ["said", ""]],
  ["those of a list in it", { content: [{ type: "text", text: "said" }] }, ["text", "said"]],
  ["those of an object that is given as its JSON", '{"stdout":"said"}', ['{"stdout":"said"}', "said"]],
  ["what only looks like one", "[not json", ["[not json"]],
  ["nothing", undefined, []],
])("textsIn() finds %s", (_what, answer, texts) => {
  expect(textsIn(answer)).toEqual(texts);
});

test("textsIn() ends in what is nested without end", () => {
  const nested: unknown[] = [];
  nested.push(nested, "said");
  expect(textsIn(nested).length).toBeLessThan(20);
});

const TEXT = "# Rules\n\nBe brief.\n";
test.each([
  ["alone", "# Rules\n\nBe brief.", true],
  ["between others", "before\n# Rules\n\nBe brief.\nafter\n", true],
  ["with its lines numbered by cat", "     1\t# Rules\n     2\t\n     3\tBe brief.\n", true],
  ["with its lines numbered by grep", "1:# Rules\n2:\n3:Be brief.\n", true],
  ["without its end", "# Rules\n\n", false],
  ["without a line", "# Rules\nBe brief.\n", false],
  ["in the middle of lines", "x# Rules\n\nBe brief.y\n", false],
])("quotedIn() finds a text %s: %#", (_where, whole, isThere) => {
  expect(quotedIn([whole])(TEXT)).toBe(isThere);
});
