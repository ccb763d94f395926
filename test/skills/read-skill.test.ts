import { describe, expect, test } from "bun:test";
import { readSkill } from "../../src/skills/read-skill.ts";
import type { Skill } from "../../src/skills/skill.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

function skillIn(tree: TempTree): Skill {
  const dir = tree.path("a b");
  return { name: "a", description: "d", path: `${dir}/SKILL.md`, dir, scope: "repo", mtimeMs: 0, distance: 0 };
}

describe("readSkill()", () => {
  test("gives text, version, base directory and files", () => {
    using tree = tempTree({ "a b/SKILL.md": { text: "text", mtimeMs: 1_738_970_000_123 }, "a b/f": "" });
    expect(readSkill(skillIn(tree), new Set())).toEqual({
      kind: "read",
      text: {
        bytes: new TextEncoder().encode("text"),
        sizeBytes: 4,
        mtimeMs: 1_738_970_000_123,
        baseUrl: `file://${tree.root}/a%20b/`,
        files: [tree.path("a b/f")],
        moreFiles: false,
      },
    });
  });

  test("cuts a text at 1 MiB, between characters", () => {
    using tree = tempTree({ "a b/SKILL.md": `x${"é".repeat(600_000)}` });
    const read = readSkill(skillIn(tree), new Set());
    expect(read.kind === "read" && [read.text.bytes.length, read.text.sizeBytes]).toEqual([1_048_575, 1_200_001]);
  });

  const refused: [name: string, table: Parameters<typeof tempTree>[0], reason: string][] = [
    ["that has gone", {}, "it has gone"],
    ["that is a link now", { "a b/SKILL.md": { link: "../x" }, x: "secret" }, "it is not a regular file"],
    ["that is a pipe now", { "a b/SKILL.md": { fifo: true } }, "it is not a regular file"],
    [
      "whose directory is a link now",
      { "a b": { link: "x" }, "x/SKILL.md": "secret" },
      "it was replaced while it was read",
    ],
  ];
  for (const [name, table, reason] of refused) {
    test(`refuses a skill ${name}`, () => {
      using tree = tempTree(table);
      expect(readSkill(skillIn(tree), new Set())).toEqual({ kind: "unusable", reason });
    });
  }
});
