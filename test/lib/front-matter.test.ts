import { expect, test } from "bun:test";
import { frontMatterOf, keyOffset } from "../../src/lib/markdown/front-matter.ts";

const PARTS: [text: string, header: string, body: string][] = [
  ["---\nname: x\n---\nbody\n", "name: x\n", "body\n"],
  ["\uFEFF--- \r\nname: x\r\n---\t\r\nbody", "name: x\r\n", "body"],
  ["---\n---\n", "", ""],
  ["---\n---", "", ""],
  ["---\nname: x\n---", "name: x\n", ""],
  ["---\nname: x\n", "", "---\nname: x\n"],
  ["--- x\n---\n", "", "--- x\n---\n"],
  ["----\na\n----\n", "", "----\na\n----\n"],
  ["text\n---\n---\n", "", "text\n---\n---\n"],
  ["", "", ""],
];
for (const [text, header, body] of PARTS) {
  test(`frontMatterOf() of ${JSON.stringify(text)}`, () => {
    const { headerStart, headerEnd, bodyStart } = frontMatterOf(text);
    expect([text.slice(headerStart, headerEnd), text.slice(bodyStart)]).toEqual([header, body]);
  });
}

const HEADER = '---\nnames: a\n"name": b\ndescription : c\n  license: d\n---\nversion: e\n';
const KEYS: [key: string, line: string][] = [
  ["name", '"name": b'],
  ["names", "names: a"],
  ["description", "description : c"],
  ["license", "---"],
  ["version", "---"],
  ["none", "---"],
];
for (const [key, line] of KEYS) {
  test(`keyOffset() finds '${key}' at '${line}'`, () => {
    const offset = keyOffset(HEADER, frontMatterOf(HEADER), key);
    expect(HEADER.slice(offset).split("\n")[0]).toBe(line);
  });
}
