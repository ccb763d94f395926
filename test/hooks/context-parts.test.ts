import { expect, test } from "bun:test";
import { renderContextParts, type ContextContent } from "../../src/hooks/parts.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (path: string, text: string) => {
  const body = bytes(text);
  return { path, bytes: body, shownBytes: body.length, sizeBytes: body.length };
};
const CONTENT: ContextContent = {
  usage: undefined,
  files: [file("/r/AGENTS.md", "root\n"), file("/r/p/AGENTS.md", "near\n")],
  leftOut: [],
  skills: undefined,
  loaded: [],
};
const within = (limit: number) => (text: string) => text.length <= limit;

test("renderContextParts() needs one text for what fits, and says nothing of parts", () => {
  const { texts } = renderContextParts(CONTENT, 4, within(1000));
  expect(texts).toEqual([
    '<agents_context scope="initial">\nInstructions from: /r/AGENTS.md\nroot\n\nInstructions from: /r/p/AGENTS.md\nnear\n</agents_context>\n',
  ]);
});

test("renderContextParts() gives each text a frame of its own, and says which part it is", () => {
  const { texts } = renderContextParts(CONTENT, 4, within(110));
  expect(texts).toEqual([
    '<agents_context scope="initial" part="1 of 2">\nInstructions from: /r/AGENTS.md\nroot\n</agents_context>\n',
    '<agents_context scope="initial" part="2 of 2">\nInstructions from: /r/p/AGENTS.md\nnear\n</agents_context>\n',
  ]);
});

test("renderContextParts() names by path and size what does not fit, the farthest first", () => {
  const { texts, shown } = renderContextParts(CONTENT, 1, within(250));
  expect([...shown]).toEqual(["/r/AGENTS.md", "/r/p/AGENTS.md"]);
  const one = renderContextParts(
    { ...CONTENT, files: [file("/r/AGENTS.md", "r".repeat(300)), ...CONTENT.files.slice(1)] },
    1,
    within(260),
  );
  expect([...one.shown]).toEqual(["/r/p/AGENTS.md"]);
  expect(one.texts[0]).toContain("- /r/AGENTS.md (300 bytes)\n");
  expect(texts).toHaveLength(1);
});

test("renderContextParts() cuts a nearest file that is too long for any text, and says so", () => {
  const long = { ...CONTENT, files: [file("/r/AGENTS.md", "日".repeat(400))] };
  const { texts, shown } = renderContextParts(long, 2, within(300));
  expect([...shown]).toEqual(["/r/AGENTS.md"]);
  expect(texts[0]).toMatch(/日+\n\[cut: \d+ of 1200 bytes shown; read the file for the rest\]\n/);
});

test("renderContextParts() shortens the catalogue to what fits, and says so", () => {
  const skills = Array.from({ length: 50 }, (_, index) => ({
    name: `skill-${index}`,
    description: "Does one thing",
    path: `/r/.agents/skills/skill-${index}/SKILL.md`,
    scope: "repo" as const,
  }));
  const { texts } = renderContextParts({ ...CONTENT, skills: { skills, truncated: false } }, 1, within(4000));
  expect(texts[0]).toContain('truncated="true"');
  expect(texts[0]).toContain("skill-0");
  expect(texts[0]).not.toContain("skill-49");
});
