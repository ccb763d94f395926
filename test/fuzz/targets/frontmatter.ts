import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { readPlainHeader, readUsualHeader, factsOfYaml, parseHeader } from "../../../src/skills/header.ts";
import { parseYaml } from "../../../src/lib/yaml.ts";
import { SkillFrontmatterSchema } from "../../../src/skills/schema.ts";
import type { FuzzTarget } from "../lib/target.ts";

function read(input: string) {
  const found = parseHeader(input, true);
  return found.kind === "facts" ? found.facts : factsOfYaml(found.header, parseYaml(found.header));
}

/** The beginning of any file that is called SKILL.md. */
export const target: FuzzTarget = {
  read: (input) => {
    const found = parseHeader(input, true);
    readUsualHeader(input);
    return found.kind === "facts" ? found : factsOfYaml(found.header, parseYaml(found.header));
  },
  check(input) {
    const facts = read(input);
    const lines = input.split("\n").length;
    for (const { line, message } of facts.defects) {
      ok(line >= 1 && line <= lines + 1, `a defect in line ${line} of ${lines}`);
      ok(message !== "", "a defect without a sentence");
    }
    // The three readers are one, each faster than the next.
    const slow = parseHeader(input, true);
    const quick = readUsualHeader(input);
    if (quick !== undefined) deepStrictEqual(slow, { kind: "facts", facts: quick }, "the quick reader says something else");
    const header = slow.kind === "yaml" ? slow.header : /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---/.exec(input)?.[1];
    if (header === undefined) return;
    const parsed = parseYaml(header);
    const plain = readPlainHeader(header);
    if (plain !== undefined) deepStrictEqual(parsed, { kind: "data", data: plain }, "YAML says something else");
    if (parsed.kind !== "data" || slow.kind !== "yaml") return;
    equal(facts.defects.length === 0, SkillFrontmatterSchema.safeParse(parsed.data).success, "the schema disagrees");
  },
  words: ["---\n", "\n---\n", "name: ", "description: ", "a-b", ": ", " #", "- ", "? ", "|\n  ", ">-\n  ", "&a ", "*a", "<<: ", "!!str "],
  parts: ["\n", "a: ", "- ", " ", "#", '"', "[", "k№: 1\n", "  k№: 1\n", "&a ", "? "],
  frames: [["---\n", "\n---\n"], ["---\nmetadata:\n", "\n---\n"], ["", ""]],
  growth: [4096, 16_000],
}; // prettier-ignore
