import { expect, test } from "bun:test";
import { elementsNamed, parseFragment, textOf } from "./strict-xml.ts";

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
