import { expect, test } from "bun:test";
import { fold, queryTokens, textTokens } from "../../src/skills/tokens.ts";

const folded: [text: string, expected: string][] = [
  ["  Release ", "release"],
  ["ＲＥＬＥＡＳＥ", "release"],
  ["ﾚﾋﾞｭｰ", "レビュー"],
  ["cafe\u0301", "café"],
];
for (const [text, expected] of folded) test(`fold() ${text}`, () => expect(fold(text)).toBe(expected));

const queries: [text: string, tokens: string[]][] = [
  ["release notes", ["release", "notes"]],
  ["Release-Notes, release", ["release", "notes"]],
  ["レビュー", ["レビ", "ビュ", "ュー"]],
  ["猫", ["猫"]],
  ["代码审查 pr", ["代码", "码审", "审查", "pr"]],
  ["릴리스 노트", ["릴리", "리스", "노트"]],
  ["GitHubの設定v2", ["github", "の設", "設定", "v2"]],
  ["!?", []],
];
for (const [text, tokens] of queries) {
  test(`queryTokens() of ${text}`, () => expect([...queryTokens(text)]).toEqual(tokens));
}

test("textTokens() holds single characters of unspaced runs too", () => {
  expect([...textTokens("黒猫 cat")].toSorted()).toEqual(["cat", "猫", "黒", "黒猫"].toSorted());
});
