import { expect, test } from "bun:test";
import {
  givenVariableName,
  mentionedVariables,
  replaceVariables,
  variableName,
  variableText,
} from "../../../src/agent/judge/variables.ts";

test("variableName() makes uv-{step}_{field}, which no other input has", () => {
  expect(variableName("measure", "height")).toBe("uv-measure_height");
  expect(variableName("a-b", "c_d")).toBe("uv-a-b_c_d");
  expect(givenVariableName("who")).toBe("uv-who");
});

const TEXTS: [value: unknown, text: string][] = [
  ["plain", "plain"],
  [3, "3"],
  [true, "true"],
  [null, "null"],
  [{ a: [1, "b"] }, '{"a":[1,"b"]}'],
  [[1, 2], "[1,2]"],
  [undefined, ""],
];
for (const [value, text] of TEXTS) {
  test(`variableText() of ${JSON.stringify(value)} is '${text}'`, () => {
    expect(variableText(value)).toBe(text);
  });
}

test("replaceVariables() replaces each mention once, and a value is not replaced again", () => {
  const variables = { "uv-a_x": "{uv-a_y} $&", "uv-a_y": "no" };
  expect(replaceVariables("1 {uv-a_x} 2 {uv-a_x} {other}", variables)).toEqual({
    kind: "text",
    text: "1 {uv-a_y} $& 2 {uv-a_y} $& {other}",
  });
});

test("replaceVariables() names what is left over, each once", () => {
  expect(replaceVariables("{uv-a_x} {uv-b} {uv-a_x} {uv-toString}", { "uv-b": "" })).toEqual({
    kind: "left-over",
    names: ["uv-a_x", "uv-toString"],
  });
});

test("mentionedVariables() takes everything that may be meant as one", () => {
  expect(mentionedVariables("{uv-} {uv-a b} {uv-Ä_1} { uv-c } {{uv-d}}")).toEqual(["uv-", "uv-Ä_1", "uv-d"]);
});
