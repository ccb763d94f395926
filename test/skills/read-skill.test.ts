import { describe, expect, test } from "bun:test";
import { textDigest } from "../../src/lib/hash.ts";
import { readSkill, listSkillFiles } from "../../src/skills/read-skill.ts";
import type { Skill } from "../../src/skills/skill.ts";
import { tempTree, type TempTree, type Entry } from "../support/temp-tree.ts";

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
        digest: textDigest("text"),
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

const IGNORED = new Set([".git"]);

function list(table: Record<string, Entry>, directory = "s"): { files: string[]; moreFiles: boolean } {
  using tree = tempTree({ "s/SKILL.md": "", ...table });
  const { files, moreFiles } = listSkillFiles(tree.path(directory), IGNORED);
  return { files: files.map((path) => path.slice(tree.path(directory).length + 1)), moreFiles };
}

describe("listSkillFiles()", () => {
  const cases: [name: string, table: Record<string, Entry>, files: string[]][] = [
    ["lists nothing where there is only the SKILL.md", {}, []],
    ["sorts", { "s/b": "", "s/a/z": "", "s/a/b": "", "s/B": "" }, ["B", "a/b", "a/z", "b"]],
    ["lists hidden files", { "s/.a": "", "s/.b/.c": "" }, [".a", ".b/.c"]],
    ["lists the SKILL.md of another skill", { "s/x/SKILL.md": "" }, ["x/SKILL.md"]],
    ["takes no name for a pattern", { "s/[a]{b,c}/!(d)*": "", "s/!x": "" }, ["!x", "[a]{b,c}/!(d)*"]],
    ["passes over links", { "s/a": { link: "/etc" }, "s/b": { link: "/etc/hosts" }, "s/c": { link: "SKILL.md" } }, []],
    ["passes over what is no file", { "s/a": { fifo: true } }, []],
    ["passes over version control's own files", { "s/.git/config": "", "s/x/.git/config": "" }, []],
    ["takes a backslash for a letter", { "s/a\\..\\..\\b/c": "", "s/d\\e": "", "b/c": "" }, ["a\\..\\..\\b/c", "d\\e"]],
  ];
  for (const [name, table, files] of cases) {
    test(name, () => expect(list(table)).toEqual({ files, moreFiles: false }));
  }

  test("does not leave a directory whose name looks like a way out", () => {
    const table = { "x\\..\\secret/SKILL.md": "", "x\\..\\secret/own": "", "x/f": "", "secret/key": "" };
    expect(list(table, "x\\..\\secret")).toEqual({ files: ["own"], moreFiles: false });
  });

  test("lists 500 files at most, and says so", () => {
    const table = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`s/${1000 + index}`, ""]));
    const { files, moreFiles } = list(table);
    expect([files.length, files[0], files.at(-1), moreFiles]).toEqual([500, "1000", "1499", true]);
  });

  test("lists a name with a line's end in it", () => {
    expect(list({ "s/a\nb": "", "s/c": "" })).toEqual({ files: ["a\nb", "c"], moreFiles: false });
  });

  test("says so when a directory is too deep", () => {
    expect(list({ [`s/${"d/".repeat(17)}f`]: "" })).toEqual({ files: [], moreFiles: true });
  });
});
