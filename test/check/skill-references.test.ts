import { describe, expect, test } from "bun:test";
import { skillReferences, MAX_REFERENCES } from "../../src/check/skill-references.ts";

function targetsOf(text: string): string[] {
  return skillReferences(text, 0).mentions.map(({ path }) => path);
}

const FOUND: [markdown: string, targets: string[]][] = [
  // links and images
  ["[x](a.md)", ["a.md"]],
  ["![x](a.png)", ["a.png"]],
  ["[![x](a.png)](b.md)", ["a.png", "b.md"]],
  ["[x](./a/b.md)", ["./a/b.md"]],
  ["[x](../a.md)", ["../a.md"]],
  ["[x](LICENSE)", ["LICENSE"]],
  ["[x](dir/)", ["dir/"]],
  ['[x](a.md "title (of it)")', ["a.md"]],
  ["[x](a.md 'title')", ["a.md"]],
  ["[x](a.md (title))", ["a.md"]],
  ["[x]( a.md )", ["a.md"]],
  ["[x](\n  a.md\n)", ["a.md"]],
  ["[x\ny](a.md)", ["a.md"]],
  ["[x](<a b.md>)", ["a b.md"]],
  ["[x](a%20b.md)", ["a b.md"]],
  ["[x](100%.md)", ["100%.md"]],
  ["[x](a\\(b.md)", ["a(b.md"]],
  ["[x](a(b).md)", ["a(b).md"]],
  ["[x](a&amp;b.md)", ["a&b.md"]],
  ["[x](a.md#part)", ["a.md"]],
  ["[x](a.md?raw=1)", ["a.md"]],
  ["[日本](資料/手順.md)", ["資料/手順.md"]],
  ["[x](a.md)[y](b.md)", ["a.md", "b.md"]],
  ["> - [x](a.md)", ["a.md"]],
  ["| [x](a.md) | [y](b.md) |", ["a.md", "b.md"]],
  ["[a [b] c](d.md)", ["d.md"]],
  // definitions
  ["[x]: a.md", ["a.md"]],
  ["[x]: <a b.md> 'title'\n[y]: c.md\n\n[z]: d.md", ["a b.md", "c.md", "d.md"]],
  ["[x]:\n  a.md", ["a.md"]],
  ["[^1]: a.md is a footnote", []],
  ["[note]: word", []],
  ["[note]: a.md is what to read", []],
  ["text\n[x]: a.md", []],
  // code spans
  ["`scripts/run.sh`", ["scripts/run.sh"]],
  ["``references/a.md``", ["references/a.md"]],
  ["`./a/b.c`", ["./a/b.c"]],
  ["`python scripts/run.py --fast`", ["scripts/run.py"]],
  ["`cp scripts/a.sh references/b.md`", ["scripts/a.sh", "references/b.md"]],
  ["`cat src/a.ts`", []],
  ["`run.sh`", []],
  ["`scripts/run`", []],
  ["`scripts/`", []],
  ["`/etc/a.conf`", []],
  ["`~/a/b.md`", []],
  ["`../a/b.md`", []],
  ["`@scope/a.js`", []],
  ["`https://example.org/a.md`", []],
  ["`scripts/*.sh`", []],
  ["`scripts/<name>.sh`", []],
  // plain text
  ["See references/a.md for more.", ["references/a.md"]],
  ["Run **scripts/run.py**.", ["scripts/run.py"]],
  ["- references/a.md", ["references/a.md"]],
  ["1. **references/a.md**: the guide", ["references/a.md"]],
  ["| references/a.md | the guide |", ["references/a.md"]],
  ["- [references/a.md](references/b.md)", ["references/b.md"]],
  ["- `references/a.md` and references/b.md", ["references/a.md"]],
  ["Write it to references/a.md.", []],
  ["Create scripts/run.py, then run scripts/run.py.", []],
  ["such as references/a.md", []],
  ["Use assets/a.json.", []],
  ["See src/references/a.md.", []],
  ["See references/<name>.md.", []],
  ["See references/a.", []],
  ["```\nSee references/a.md\n```", []],
  ["`scripts/{a,b}.sh`", []],
  ["`$DIR/run.sh`", []],
  ["`scripts/.../a.sh`", []],
  ["`[x](a.md)`", []],
  ["`` `[x](a.md) ``", []],
  ["`a [x](b.md)", ["b.md"]],
  ["- `a\n- [x](b.md) `", ["b.md"]],
  ["\\`[x](a.md)\\`", ["a.md"]],
  // what is no file
  ["[x](https://example.org/a.md)", []],
  ["[x](//example.org/a.md)", []],
  ["[x](mailto:a@b.c)", []],
  ["[x](me@example.org)", []],
  ["[x](me@x.y)", []],
  ["![x](logo@2x.png)", ["logo@2x.png"]],
  ["[x](#part)", []],
  ["[x](?q)", []],
  ["[x](/a.md)", []],
  ["[x](~/a.md)", []],
  ["[x](%2Fa.md)", []],
  ["[x](C:\\a.md)", []],
  ["[x](<name>.md)", []],
  ["[x]({name}.md)", []],
  ["[x]($NAME.md)", []],
  ["[x](...)", []],
  ["[x](a/*.md)", []],
  ["[x]()", []],
  ["[x](<>)", []],
  ["[x] (a.md)", []],
  ["x](a.md)", []],
  ["\\[x](a.md)", []],
  ["[x\\](a.md)", []],
  ["[x](a b.md)", []],
  ["[x](a.md", []],
  ["[x](a%00.md)", []],
  // what is not prose
  ["```\n[x](a.md)\n```\n[y](b.md)", ["b.md"]],
  ["~~~md\n```\n[x](a.md)\n~~~\n[y](b.md)", ["b.md"]],
  ["````\n```\n[x](a.md)\n````\n[y](b.md)", ["b.md"]],
  ["```\n[x](a.md)", []],
  ["- ```\n  [x](a.md)\n  ```\n- [y](b.md)", ["b.md"]],
  ["> ```\n> [x](a.md)\n\n[y](b.md)", ["b.md"]],
  ["``` a`b\n[x](a.md)", ["a.md"]],
  ["text\n\n    [x](a.md)\n\ttoo\n\n[y](b.md)", ["b.md"]],
  ["text\n    [x](a.md)", ["a.md"]],
  ["- item\n\n    [x](a.md)", ["a.md"]],
  ["1. item\n\n   [x](a.md)\n\ntext\n\n    [y](b.md)", ["a.md"]],
  ["<!-- [x](a.md) -->\n[y](b.md)", ["b.md"]],
  ["<!--\n[x](a.md)\n-->\n[y](b.md)", ["b.md"]],
  ["text <!-- [x](a.md) --> [y](b.md)", ["b.md"]],
  ["text <!-- ` [x](a.md) --> [y](b.md) `", ["b.md"]],
  ["text <!-- [x](a.md)\n\n[y](b.md) -->", ["a.md", "b.md"]],
  ["text `<!--` [x](a.md) -->", ["a.md"]],
  ["<pre>\n\n[x](a.md)\n</pre>\n[y](b.md)", ["b.md"]],
  ["text\n<script>[x](a.md)</script>\n[y](b.md)", ["b.md"]],
  ["<rules>\n[x](a.md)\n</rules>", ["a.md"]],
  ["```md\n> ```sh\n> run\n> ```\n[x](a.md)\n```\n[y](b.md)", ["b.md"]],
  ["```\n- ```\n[x](a.md)\n```\n[y](b.md)", ["b.md"]],
  ["text\n\n    ```\n\n[x](a.md)", ["a.md"]],
  ["1. Step:\n\n        [x](a.md)\n\n   [y](b.md)", ["b.md"]],
  ["1. Step:\n        [x](a.md)", ["a.md"]],
  ["- a\n  - b\n\n        [x](a.md)\n\n    [y](b.md)", ["b.md"]],
  ["-\t[x](a.md)\n\n\t\t[y](b.md)\n\n\t[z](c.md)", ["a.md", "c.md"]],
  ["-     [x](a.md)", []],
  [">     [x](a.md)\n> [y](b.md)", ["b.md"]],
  ["> text\n[x\ny](a.md)", ["a.md"]],
  ["> text\n```\n[x](a.md)\n```\n> [y](b.md)", ["b.md"]],
  ["text\n2. `a\nb` [x](a.md)", ["a.md"]],
  ["* * *\n    [x](a.md)", []],
  ["- ```\n  [x](a.md)\n\n  [y](b.md)\n[z](c.md)", ["c.md"]],
  ["~~~\n```\n~~~ x\n[x](a.md)", []],
];

describe("skillReferences()", () => {
  for (const [markdown, targets] of FOUND) {
    test(`finds ${targets.join(", ") || "nothing"} in ${JSON.stringify(markdown)}`, () => {
      expect(targetsOf(markdown)).toEqual(targets);
    });
  }

  test("says what each is, and where it stands in the file", () => {
    const text = "---\nname: x\n---\n# 😀 [x](a.md)\r\n`sh scripts/b.sh`\n\n[d]: c.md\n![i](<d e.png>)\n";
    expect(skillReferences(text, 16).mentions).toEqual([
      { path: "a.md", line: 4, column: 10, at: 25, kind: "link" },
      { path: "scripts/b.sh", line: 5, column: 5, at: 36, kind: "code" },
      { path: "c.md", line: 7, column: 6, at: 56, kind: "link" },
      { path: "d e.png", line: 8, column: 7, at: 67, kind: "link" },
    ]);
  });

  test("stops at its limit, and says so", () => {
    const full = "[x](a.md)\n".repeat(MAX_REFERENCES);
    expect(skillReferences(full, 0)).toMatchObject({ isCut: false });
    const { mentions, isCut } = skillReferences(`${full}[x](b.md)`, 0);
    expect([mentions.length, mentions.at(-1)?.path, isCut]).toEqual([MAX_REFERENCES, "a.md", true]);
  });

  const HOSTILE = [
    "[",
    "]",
    "(",
    "`",
    "![",
    "](",
    "[](",
    "[](<",
    "[](a ",
    "[](a (",
    '[](a "',
    "[a]: ",
    "[a]:\n",
    "\\",
    "\\`",
    "` `` ",
    "`a``b```c",
    "> ",
    "- ",
    "1. ",
    "<!--",
    "<!--\n",
    "x<!--",
    "x <!--\n\n",
    "x<!-->",
    "<pre>\n",
    "<pre></pre>",
    "- > ",
    "-\n",
    "-\n\n",
    "* ",
    "\t",
    "#",
    "=",
    "```\n",
    "    \n",
    "`\n\n",
    "%",
    "[x](%",
    "a/",
    "`a/b.c ",
  ];
  const MEBIBYTE = 1024 * 1024;
  for (const unit of HOSTILE) {
    // Quadratic time would be hours: the test's own time limit tells.
    test(`takes linear time over a mebibyte of ${JSON.stringify(unit)}`, () => {
      const text = unit.repeat(Math.ceil(MEBIBYTE / unit.length));
      expect(skillReferences(text, 0).mentions.length).toBeLessThanOrEqual(MAX_REFERENCES);
    });
  }

  test("takes linear time over blank lines in deep lists", () => {
    const text = `${"- ".repeat(10_000)}\n${"\n".repeat(MEBIBYTE)}`;
    expect(skillReferences(text, 0).mentions).toEqual([]);
  });

  test("takes linear time over backtick runs of growing length", () => {
    let text = "";
    for (let length = 1; text.length < MEBIBYTE; length++) text += `${"`".repeat(length)} `;
    expect(skillReferences(text, 0).mentions).toEqual([]);
  });
});
