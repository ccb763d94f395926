import { expect, test } from "bun:test";
import { blankBodies, elementsNamed, parseFragment, textOf } from "./envelope.ts";

test("parseFragment() gives back elements, attributes and text unchanged", () => {
  const parsed = parseFragment("a<b c=\"&quot;&lt;\u{1F600}&amp;\" d='1'> x &amp; y <e/></b>\n<![CDATA[<z>]]>");
  expect(parsed).toEqual({
    ok: true,
    root: {
      name: "fragment",
      attributes: {},
      children: [
        "a",
        {
          name: "b",
          attributes: { c: '"<\u{1F600}&', d: "1" },
          children: [" x & y ", { name: "e", attributes: {}, children: [] }],
        },
        "\n",
        "<z>",
      ],
    },
  });
});

const BROKEN: [name: string, text: string][] = [
  ["an element that is not closed", "<a>"],
  ["an element that is not opened", "</a>"],
  ["the root closed from inside", "</fragment>"],
  ["the root closed and opened again", "</fragment><fragment>"],
  ["crossing elements", "<a><b></a></b>"],
  ["another case", "<a></A>"],
  ["a bare &", "a & b"],
  ["an unknown entity", "&nbsp;"],
  ["a bare <", "a < b"],
  ["< in an attribute", '<a b="<"/>'],
  ["an attribute twice", '<a b="1" b="2"/>'],
  ["an attribute without quotes", "<a b=1/>"],
  ["an attribute without value", "<a b/>"],
  ["]]> in text", "]]>"],
  ["a control character", "\u0007"],
  ["an escaped control character", "&#7;"],
  ["half a surrogate pair", "\uD800"],
  ["U+FFFF", "\uFFFF"],
  ["a name with a space", "<a b c></a b c>"],
  ["a comment", "<!-- x -->"],
  ["a processing instruction", "<?x y?>"],
  ["an XML declaration", '<?xml version="1.0"?>'],
  ["a document type", "<!DOCTYPE x>"],
];
for (const [name, text] of BROKEN) {
  test(`parseFragment() refuses ${name}`, () => {
    expect(parseFragment(text)).toEqual({ ok: false, error: expect.any(String) });
  });
}

test("elementsNamed() and textOf() look at any depth", () => {
  const parsed = parseFragment("<a>1<b>2<a>3</a></b></a><a/>");
  if (!parsed.ok) throw new Error(parsed.error);
  expect(elementsNamed("a", parsed.root).map(textOf)).toEqual(["123", "3", ""]);
  expect(elementsNamed("c", parsed.root)).toEqual([]);
});

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
