import { describe, expect, test } from "bun:test";
import { importsIn } from "../../src/instructions/memory-text.ts";
import { readMemory } from "../../src/instructions/memory-text.ts";

// Each row was seen in the client; test/e2e/claude-profile.test.ts asks it again for the most of them.

test.each([
  ["blanks around it", "\n\n  Lead.\n\n", "Lead."],
  ["a byte order mark and front matter", "\u{FEFF}---\na: 1\n---\nB\n", "B"],
  ["front matter with blanks and other line ends", "--- \r\na: 1\r\n--- \r\nB", "B"],
  ["front matter that ends within a line", "---\na: 1\n---trail\nB", "trail\nB"],
  ["no front matter that has no end", "---\na: 1\n\nB", "---\na: 1\n\nB"],
  ["no front matter below the first line", "\n---\na: 1\n---\nB", "---\na: 1\n---\nB"],
  ["a comment and the empty lines after it", "A\n<!-- x\ny -->\n\n\nB", "A\nB"],
  ["a comment, not what follows it", "<!-- a --> tail\nX", "tail\nX"],
  ["comments in a row", "A\n\n<!-- a --><!-- b -->\n<div>\n<!-- c -->\n</div>", "A\n\n<div>\n<!-- c -->\n</div>"],
  [
    "no comment in a line, a span, a fence, an item",
    "A <!-- a -->\n`<!-- b -->`\n\n~~~\n<!-- c -->\n~~~\n- <!-- d -->",
    undefined,
  ],
  ["no comment that is indented or has no end", "A\n  <!-- a -->\nB\n<!-- b", undefined],
  ["the carriage returns, where it holds a comment", "A\r\n\r\n<!-- x -->\r\nB\r\n", "A\n\nB"],
  ["no carriage return otherwise", "A\r\nB\r\n", "A\r\nB"],
])("readMemory() takes out %s", (_, whole, text) => {
  expect(readMemory(whole).text).toBe(text ?? whole);
});

test.each([
  ["", false],
  ["other: 1", false],
  ["paths:", false],
  ["paths: []", false],
  ['paths: "**"', false],
  ["paths: **", false],
  ["paths: src/**", true],
  ["paths: [a, b]", true],
  ["paths:\n  - '**/*'", true],
  ["paths:\n- a\nother: 1", true],
])("readMemory() of a rule with %p: waits %p", (header, isConditional) => {
  expect(readMemory(`---\n${header}\n---\nRule.\n`).paths.length > 0).toBe(isConditional);
});

test.each([
  ["See @a.md and @d/b.md, not @c.md.", ["a.md"]],
  ["@x.md @./y.md @~/z.md @/etc/hostname @../w.md", ["x.md", "./y.md", "~/z.md", "/etc/hostname", "../w.md"]],
  [String.raw`@we\ ird.md @t.md#part`, ["we ird.md", "t.md"]],
  ["**@strong.md** *@em.md* [@link.md](x)", ["strong.md", "em.md", "link.md"]],
  ['a@b.md (@c.md) "@d.md" ~~@e.md~~ x:@f.md @@g.md @é.md @%h.md', []],
  ["@x @.env @Makefile @x.png @x.foo @x.tar.gz @x.MD @x.d.ts", ["x", ".env", "Makefile", "x.MD", "x.d.ts"]],
  ["`@a.md` ``@b`.md`` @c.md", ["c.md"]],
  ["```\n@a.md\n```\n@b.md\n\n    @c.md\n\n@d.md\n    @e.md", ["b.md", "d.md", "e.md"]],
  ["<!-- @a.md --> @b.md\n<!--\n@c.md\n-->\n    @d.md", ["b.md"]],
  ["> @q.md\n- @i.md\n# @h.md\n| @t.md |", ["q.md", "i.md", "h.md", "t.md"]],
])("importsIn(%p)", (text, expected) => {
  expect(importsIn(text)).toEqual(expected);
});

describe("a hostile text takes no longer than its length", () => {
  test.each([
    ["comments without an end", "<!-- @a.md\n".repeat(100_000)],
    ["backticks of every length", Array.from({ length: 900 }, (_, at) => "`".repeat(at)).join(" x ")],
    ["front matter without an end", `---${"\n".repeat(500_000)}x`],
    ["at signs", "@".repeat(500_000)],
    ["mentions", "@a.md ".repeat(100_000)],
    ["emphasis", `${"*".repeat(200_000)}@a.md`],
  ])("%s", (_, text) => {
    const start = performance.now();
    readMemory(text);
    expect(performance.now() - start).toBeLessThan(1500);
  });
});
