import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { renderLoadCommand } from "../../src/skills/picker-view.ts";
import { quoteForShell } from "../../src/lib/shell-quote.ts";

const WORDS: [word: string, quoted: string][] = [
  ["/r/.agents/skills/a-b/SKILL.md", "/r/.agents/skills/a-b/SKILL.md"],
  ["a b", "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ['$HOME `id` \\ "x" *', "'$HOME `id` \\ \"x\" *'"],
  ["日本", "'日本'"],
  ["", "''"],
  ["~", "'~'"],
  ["a\u001B[2J%d", String.raw`"$(printf 'a\033\133\062J\045d')"`.replace(String.raw`\062`, "2")],
  ["-x\u0007y", String.raw`"$(printf '\055x\007y')"`],
  ["a\nb\\'1", String.raw`"$(printf 'a\012b\134\0471')"`],
  ["zero\u200Bwidth", String.raw`"$(printf 'zero\342\200\213width')"`],
];

for (const [word, quoted] of WORDS) {
  test(`quoteForShell() writes ${JSON.stringify(word)} as ${quoted}, and a shell reads it back`, () => {
    expect(quoteForShell(word)).toBe(quoted);
    const { stdout } = spawnSync("/bin/sh", ["-c", `printf '%s' ${quoted}`], { encoding: "utf8" });
    expect(stdout).toBe(word);
  });
}

test("renderLoadCommand() leaves out the flags that were not given", () => {
  expect(renderLoadCommand("/a/SKILL.md", { cwd: undefined, root: "/r r" })).toBe(
    "codelia skills load /a/SKILL.md --root '/r r'",
  );
});
