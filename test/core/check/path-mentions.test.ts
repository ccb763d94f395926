import { describe, expect, test } from "bun:test";
import { isMissing } from "../../../src/core/check/judge-mention.ts";
import { MAX_MENTIONS, pathMentions } from "../../../src/core/check/path-mentions.ts";

const MENTIONED: [text: string, paths: string[]][] = [
  ["Read `docs/style.md`.", ["docs/style.md"]],
  ["Read `./docs/style.md` and `../web/README.md`.", ["./docs/style.md", "../web/README.md"]],
  ["See [the plan](docs/plan.md#part) and ![it](img/a%20b.png).", ["docs/plan.md", "img/a b.png"]],
  ["[plan]: docs/plan.md", ["docs/plan.md"]],
  ["It is at `src/main.ts:12` and `src/main.ts:12-20`.", ["src/main.ts", "src/main.ts"]],
  ["All of `src/legacy/` is old.", ["src/legacy/"]],
  ["Run `python scripts/run.py --fast` or `./tools/go.sh now`.", ["scripts/run.py", "./tools/go.sh"]],
  ["If you change the API, read `docs/api.md`.", ["docs/api.md"]],
  ["- `a/b.md`: first\n- `a/c.md`: second", ["a/b.md", "a/c.md"]],
  ["| `a/b.md` | x |", ["a/b.md"]],
];

const NOT_MENTIONED: [what: string, text: string][] = [
  ["a name without a directory", "Each package has a `package.json`, see `./state.md`."],
  ["a directory without another", "Output goes to `build/`."],
  ["a pattern", "`src/**/*.ts`, `src/{a,b}.ts`, `src/[id].ts`"],
  [
    "a placeholder",
    "`docs/<name>.md`, `docs/$NAME.md`, `path/to/file.ts`, `src/foo.ts`, `src/MY_NAME.ts`, `log/vYYYY_MM_DD.md`, `docs/....md`",
  ],
  ["an address", "`https://example.org/a.html`, [it](https://example.org/a.html), [up](#part), [root](/a.md)"],
  ["a scoped package, an absolute path, a home", "`@scope/part/x.js` `/etc/hosts.conf` `~/.codex/config.toml`"],
  ["a type, a branch, a choice", "`application/json` `feature/foo` `and/or`"],
  ["a call", "`fs.readFile('a/b.txt')` `a/b.ts(1)`"],
  ["a command that makes it", "`cp a/b.ts c/d.ts` `npm run build -- src/x.ts` `touch src/new.ts`"],
  ["what is to be made", "Create `src/new.ts`. Then add a file `src/x.ts`. It generates `src/gen.ts`."],
  ["an example", "Files such as `src/a.ts`, e.g. `src/b.ts`, like `src/c.ts`."],
  ["what is gone", "We removed `src/old.ts`, formerly `src/older.ts`."],
  ["a header", "---\nglobs: `src/a.ts`\nsee: [x](gone.md)\n---\nText.\n"],
  ["a block of code", "```\n`src/a.ts`\n```\n\n    `src/b.ts`\n"],
];

describe("a text speaks of", () => {
  for (const [text, paths] of MENTIONED) {
    test(text, () => expect(pathMentions(text).mentions.map(({ path }) => path)).toEqual(paths));
  }
  for (const [what, text] of NOT_MENTIONED) {
    test(`no path in ${what}`, () => expect(pathMentions(text)).toEqual({ mentions: [], isCut: false }));
  }
  test("so many paths, and no more", () => {
    const { mentions, isCut } = pathMentions("`a/b.md` ".repeat(MAX_MENTIONS + 1));
    expect([mentions.length, isCut]).toEqual([MAX_MENTIONS, true]);
    expect(pathMentions("`a/b.md` ".repeat(MAX_MENTIONS)).isCut).toBe(false);
  });
  test("paths that stand where it says", () => {
    expect(pathMentions("# One\n\nSee `x y` and\n`sh ./a/b.sh`.").mentions).toEqual([
      { path: "./a/b.sh", kind: "code", line: 4, column: 5 },
    ]);
  });
});

test("long lines of words before a path take no time", () => {
  const start = performance.now();
  pathMentions(`${"create new ".repeat(20_000)}\`a/b.md\`\n`.repeat(20));
  expect(performance.now() - start).toBeLessThan(1_000);
});

const NOT_THERE = { isThere: false, isRooted: false, isElsewhere: false };
const JUDGED: [path: string, kind: "code" | "link", facts: Partial<typeof NOT_THERE>, isMissed: boolean][] = [
  ["docs/a.md", "code", {}, true],
  ["docs/a.md", "code", { isThere: true }, false],
  ["dist/a.js", "code", { isRooted: true, isElsewhere: true }, false],
  ["lodash/fp.js", "code", {}, false],
  ["src/fp.js", "code", { isRooted: true }, true],
  ["example.org/a.html", "code", {}, false],
  ["src/old/", "code", {}, false],
  ["src/old/", "code", { isRooted: true }, true],
  ["../other/a.md", "code", {}, false],
  ["../other/a.md", "link", {}, true],
  ["a.js", "link", {}, true],
];
for (const [path, kind, facts, isMissed] of JUDGED) {
  test(`${kind} ${path} ${JSON.stringify(facts)} is ${isMissed ? "" : "not "}missing`, () => {
    expect(isMissing({ path, kind, line: 1, column: 1 }, { ...NOT_THERE, ...facts })).toBe(isMissed);
  });
}
