import { expect, test } from "bun:test";
import { fold, queryTerms } from "../../src/skills/tokens.ts";

const folded: [text: string, expected: string][] = [
  ["  Release ", "release"],
  ["ＲＥＬＥＡＳＥ", "release"],
  ["ﾚﾋﾞｭｰ", "レビュー"],
  ["cafe\u0301", "café"],
];
for (const [text, expected] of folded) test(`fold() ${text}`, () => expect(fold(text)).toBe(expected));

const queries: [text: string, terms: string[]][] = [
  ["release notes", ["releas", "note"]],
  ["Release-Notes, releases", ["releas", "note", "releas"]],
  ["How do I write the notes for a release?", ["writ", "note", "releas"]],
  ["Wie schreibe ich die Notizen?", ["schreib", "notizen"]],
  ["Don't lose the user\u2019s data: it's what they've got", ["lose", "user", "data", "got"]],
  ["C's headers and D's", ["c", "header", "d"]],
  ["l'utilisateur n'a pas d\u2019accès, qu'il change", ["utilisateur", "accè", "chang"]],
  ["what is it", ["what", "is", "it"]],
  ["レビュー", ["レビ", "ビュ", "ュー"]],
  ["猫", ["猫"]],
  ["代码审查 pr", ["代码", "码审", "审查", "pr"]],
  ["릴리스 노트", ["릴리", "리스", "노트"]],
  ["GitHubの設定v2", ["github", "の設", "設定", "v2"]],
  ["!?", []],
];
for (const [text, terms] of queries) {
  test(`queryTerms() of ${text}`, () => expect(queryTerms(text).map((term) => term.text)).toEqual(terms));
}
