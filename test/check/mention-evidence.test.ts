import { describe, expect, test } from "bun:test";
import type { InstructionText } from "../../src/check/instruction-files.ts";
import { isMeantToExist, type Neighbour } from "../../src/check/mention-evidence.ts";
import type { PathMention } from "../../src/lib/markdown/paths.ts";
import { textsOfOthers, type TextPaths } from "../../src/check/text-paths.ts";

/** The path in the first code span that begins with `docs/` or `./`. */
function mentionIn(text: string): PathMention {
  const found = /`((?:docs|\.)\/[^`]*)`/.exec(text);
  const at = (found?.index ?? 0) + 1;
  return mention(found?.[1] ?? "", at, text.slice(0, at).split("\n").length);
}

function mention(path: string, at: number, line: number): PathMention {
  return { path, at, line, column: 1, kind: "code" };
}

const ALONE = { neighbours: [], hasStart: true, hasNamesake: false };

describe("isMeantToExist() of a text that", () => {
  test.each([
    ["sends to the path", "Read `docs/style.md` first.", true],
    ["says where something is described", "Errors are described in `docs/errors.md`.", true],
    ["labels it", "**Reference**: `docs/api.md`", true],
    ["runs it", "Then `./scripts/build.sh`", true],
    ["lists it to be read", "Read these files:\n\n- `docs/a.md`\n", true],
    ["only mentions it", "The `docs/ideas.md` of a project.", false],
    ["denies it", "Never read `docs/old.md`.", false],
    ["says that it is to come", "See `docs/plan.md` (coming soon).", false],
    ["says earlier in the line that it is gone", "No longer exists: see `docs/gone.md`", false],
    ["has it made", "Copy the template to `docs/new.md` and read it.", false],
    ["names what a build writes", "See `docs/generated/api.md`.", false],
  ])("%s", (_, text, isMeant) => {
    expect(isMeantToExist(text, mentionIn(text), ALONE)).toBe(isMeant);
  });

  test("only mentions it, where a file of that name is elsewhere", () => {
    const text = "The `docs/ideas.md` of a project.";
    expect(isMeantToExist(text, mentionIn(text), { ...ALONE, hasNamesake: true })).toBe(true);
  });

  test.each([
    ["sends to a program", "See `docs/index.ts` for it.", true],
    ["says where something is described", "Errors are described in `docs/errors.md`.", true],
    ["says where something is defined", "Errors are defined in `docs/errors.ts`.", false],
    ["labels it", "**Reference**: `docs/api.ts`", false],
  ])("%s, where not even its first directory exists", (_, text, isMeant) => {
    expect(isMeantToExist(text, mentionIn(text), { ...ALONE, hasStart: false })).toBe(isMeant);
  });

  test.each([
    ["a neighbour that exists", { path: "docs/a.md", line: 2, isThere: true }, true],
    ["one that does not", { path: "docs/a.md", line: 2, isThere: false }, false],
    ["one in another directory", { path: "lib/a.md", line: 2, isThere: true }, false],
    ["one far away", { path: "docs/a.md", line: 20, isThere: true }, false],
  ])("mentions it beside %s", (_, neighbour, isMeant) => {
    const text = "Topics: `docs/b.md`";
    const { path, line, isThere } = neighbour;
    const neighbours: Neighbour[] = [{ ...mention(path, 0, line), isThere }];
    expect(isMeantToExist(text, mentionIn(text), { ...ALONE, neighbours })).toBe(isMeant);
  });
});

describe("textsOfOthers()", () => {
  function found(directory: string, lost: number, there: number): [InstructionText, TextPaths] {
    const missing = Array.from({ length: lost }, (_, index) => mention(`lost/${index}.md`, index, index));
    const known = Array.from({ length: there }, (_, index) => mention(`known/${index}.md`, index, index));
    const text = { path: `${directory}/AGENTS.md`, directory, text: "" } as InstructionText;
    const mentions = [...missing, ...known].map((each): Neighbour => {
      return Object.assign({ isThere: known.includes(each) }, each);
    });
    return [text, { mentions, missing, isCut: false }];
  }

  test("finds a nested text most of whose paths do not exist, and no other", () => {
    const texts = new Map([found("/r/a", 3, 2), found("/r/b", 2, 0), found("/r/c", 3, 3), found("/r", 9, 0)]);
    expect([...textsOfOthers(texts, "/r", () => false)]).toEqual(["/r/a/AGENTS.md"]);
  });

  test("counts no path whose file has moved within the project", () => {
    expect([...textsOfOthers(new Map([found("/r/a", 3, 2)]), "/r", () => true)]).toEqual([]);
  });

  test("finds all nested texts where most of many are such", () => {
    const texts = Array.from({ length: 12 }, (_, index) => found(`/r/t${index}`, index < 10 ? 4 : 1, 0));
    expect(textsOfOthers(new Map(texts), "/r", () => false).size).toBe(12);
  });
});
