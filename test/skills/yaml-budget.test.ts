import { expect, test } from "bun:test";
import { beyondYamlBudget, MAX_YAML_MARKS, type YamlHeader } from "../../src/skills/collect.ts";

const marked = (path: string, marks: number): YamlHeader => ({ path, header: `a${",".repeat(marks)}` });

test("beyondYamlBudget() holds nothing back where all of them fit", () => {
  expect(beyondYamlBudget([marked("a", MAX_YAML_MARKS)])).toEqual([]);
  const usual = `name: "x"\ndescription: "${"Use it, when: a pull-request is 'open'. ".repeat(8)}"`;
  const many = Array.from({ length: 10_000 }, (_, index) => ({ path: `${index}`, header: usual }));
  expect(beyondYamlBudget(many)).toEqual([]);
});

test("beyondYamlBudget() holds back the same ones whatever the order they were found in", () => {
  const headers = ["a", "b", "c", "d"].map((path) => marked(path, 200_000));
  expect(beyondYamlBudget(headers)).toEqual(["c", "d"]);
  expect(beyondYamlBudget(headers.toReversed())).toEqual(["c", "d"]);
});
