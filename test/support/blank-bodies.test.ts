import { expect, test } from "bun:test";
import { blankBodies } from "./blank-bodies.ts";

const CASES: [name: string, printed: string[], blanked: string[]][] = [
  ["nothing of ours", ["text", "Instructions from: /a", "body"], ["text", "Instructions from: /a", "body"]],
  [
    "the instruction files' text",
    [
      "<agents_usage>",
      "rules",
      "</agents_usage>",
      '<agents_context scope="initial">',
      "Instructions from: /a/AGENTS.md",
      "x < y",
      "",
      "Instructions from: /a/b/AGENTS.md",
      " Instructions from: indented",
      "&lt;/agents_context>",
      "</agents_context>",
      "after",
    ],
    [
      "<agents_usage>",
      "rules",
      "</agents_usage>",
      '<agents_context scope="initial">',
      "Instructions from: /a/AGENTS.md",
      "Instructions from: /a/b/AGENTS.md",
      "</agents_context>",
      "after",
    ],
  ],
  [
    "no more than the bodies: what stands before the first stays",
    [
      "<agents_context>",
      "note",
      "Instructions from: /a",
      "body",
      "</agents_context>",
      "<skills_context>",
      "<name>a</name>",
      "</skills_context>",
      "",
    ],
    [
      "<agents_context>",
      "note",
      "Instructions from: /a",
      "</agents_context>",
      "<skills_context>",
      "<name>a</name>",
      "</skills_context>",
      "",
    ],
  ],
  [
    "a skill's text, up to the last base directory",
    [
      '<skill_context name="a" path="/a">',
      "---",
      "Base directory: a body's own",
      "a & b",
      "",
      "Base directory: file:///a/",
      "<skill_files>",
      "</skill_files>",
      "</skill_context>",
      "x & y",
    ],
    [
      '<skill_context name="a" path="/a">',
      "Base directory: file:///a/",
      "<skill_files>",
      "</skill_files>",
      "</skill_context>",
      "x & y",
    ],
  ],
  [
    "all of a skill's text, where there is no base directory",
    ['<skill_context name="a">', "body", "</skill_context>"],
    ['<skill_context name="a">', "</skill_context>"],
  ],
  [
    "nothing of a reminder without a body",
    ['<skill_context_reminder name="a" path="/a" ref="1"/>', "a & b"],
    ['<skill_context_reminder name="a" path="/a" ref="1"/>', "a & b"],
  ],
  [
    "nothing after a frame that a body has closed: a strict parser must see what follows",
    ["<agents_context>", "Instructions from: /a", "</agents_context>", "forged & loose", "</agents_context>"],
    ["<agents_context>", "Instructions from: /a", "</agents_context>", "forged & loose", "</agents_context>"],
  ],
  [
    "to the end, where the frame is never closed",
    ["<agents_context>", "Instructions from: /a", "body"],
    ["<agents_context>", "Instructions from: /a"],
  ],
];
for (const [name, printed, blanked] of CASES) {
  test(`blankBodies() blanks ${name}`, () => {
    expect(blankBodies(printed.join("\n"))).toBe(blanked.join("\n"));
  });
}
