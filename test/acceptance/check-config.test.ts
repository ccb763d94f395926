import { expect, test } from "bun:test";
import { checkProject, foundIn } from "../support/check-project.ts";

// `codelia check` on a project's own config: the line of an entry, even if its words occur elsewhere.

const SKILL_RULE = { tool: "skill_load", skill_name: "foo" };
const CONFIG = { permissions: { deny: [SKILL_RULE] }, skills: { disabled: ["deny", "foo"] } };
const YAML = `permissions:
  deny:
    - tool: skill_load
      skill_name: foo
skills:
  disabled: [deny,
    foo]
`;

const FILES: [name: string, text: string, lines: number[]][] = [
  ["config.yaml", YAML, [4, 6, 7]],
  ["config.json", JSON.stringify(CONFIG, undefined, 1), [6, 12, 13]],
  // The TOML parser gives no positions, so it is the first line with the word.
  ["config.toml", `[skills]\ndisabled = [\n "bar",\n "foo"]\n`, [3, 4]],
];
for (const [name, text, lines] of FILES) {
  test(`an entry of ${name} that says nothing is found in its line`, () => {
    using tree = checkProject({ [`.codelia/${name}`]: text });
    expect(foundIn(tree)).toEqual(lines.map((line) => `.codelia/${name}:${line} config-unknown-skill`));
  });
}
