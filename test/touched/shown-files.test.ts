import { expect, test } from "bun:test";
import { filesShownBy } from "../../src/touched/with-grammar.ts";
import { CWD, HOME } from "./command-table.ts";

const WHOLE = Infinity;

test.each<[command: string, shown: Readonly<Record<string, number>>]>([
  ["cat a.md b.md", { "a.md": WHOLE, "b.md": WHOLE }],
  ["cd docs && nl a.md", { "docs/a.md": WHOLE }],
  ["head a.md; head -50 b.md; head -n 20 c.md; head --lines=5 d.md", { "a.md": 10, "b.md": 50, "c.md": 20, "d.md": 5 }],
  ["head -c 100 a.md; head -n -5 b.md; tail -5 c.md", {}],
  ["sed -n 1,200p a.md; sed -n '1,$p' b.md", { "a.md": 200, "b.md": WHOLE }],
  ["sed -n 5,10p a.md; sed s/a/b/ b.md", {}],
  ["bat -p a.md; bat -r 1:20 b.md", { "a.md": WHOLE }],
  ["cat a.md 2>/dev/null", { "a.md": WHOLE }],
  ["cat a.md | grep b; cat a.md > b.md; (cat a.md); x=$(cat a.md)", {}],
  ["bash -lc 'cat a.md && head b.md'", { "a.md": WHOLE, "b.md": 10 }],
  ["bash -c 'cat a.md' | grep b; bash -c 'cat a.md' > b.md; bash -c 'x=$(cat a.md)'", {}],
  ["find . -name '*.md' -exec cat {} +; find . -exec sh -c 'cat a.md' ';'", {}],
  ["cat *.md; cat $unknown; cat -", {}],
])("filesShownBy() of %s", (command, shown) => {
  const files = filesShownBy({ tool: "Bash", input: { command }, cwd: CWD, home: HOME });
  expect(Object.fromEntries(files.map(({ path, lines }) => [path.slice(CWD.length + 1), lines]))).toEqual(shown);
});
