import { expect, test } from "bun:test";
import { isPatch, patchPaths } from "../../src/touched/patch.ts";

const CASES: [name: string, patch: string, paths: string[]][] = [
  [
    "an envelope that adds, changes, deletes and moves",
    "*** Begin Patch\n*** Add File: a/new.ts\n+*** Add File: no.ts\n*** Update File: b.ts\n*** Move to: c d.ts\n@@\n-x\n*** Delete File: e.ts\n*** End Patch",
    ["a/new.ts", "b.ts", "c d.ts", "e.ts"],
  ],
  ["an envelope with Windows line ends", "*** Begin Patch\r\n*** Add File: a.ts\r\n+x\r\n*** End Patch\r\n", ["a.ts"]],
  ["an envelope without an end", "*** Begin Patch\n*** Add File: a.ts", ["a.ts"]],
  ["an envelope with an empty name", "*** Begin Patch\n*** Add File: \n*** End Patch", []],
  ["a diff", "--- a/x.ts\t2024-01-01\n+++ b/x.ts\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n", ["x.ts"]],
  ["a diff without prefixes", "--- x.ts\n+++ y.ts\n", ["x.ts", "y.ts"]],
  [
    "a new and a deleted file",
    "--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+x\n--- a/o.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    ["n.ts", "o.ts"],
  ],
  [
    "a removed line that looks like a header",
    "diff --git a/q.sql b/q.sql\n--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a/no.ts\n+++ b/no.ts\n x\n\\ No newline at end of file\n--- a/z.ts\n+++ b/z.ts\n",
    ["q.sql", "z.ts"],
  ],
  [
    "a rename",
    "diff --git a/x y.ts b/z.ts\nsimilarity index 100%\nrename from x y.ts\nrename to z.ts\n",
    ["x y.ts", "z.ts"],
  ],
  ["a copy", "diff --git a/x.ts b/z.ts\ncopy from x.ts\ncopy to z.ts\n", ["read x.ts", "z.ts"]],
  [
    "a binary file and a mode",
    "diff --git a/i.png b/i.png\nBinary files differ\ndiff --git a/a b/a b/a b/a\nold mode 100644\n",
    ["i.png", "a b/a"],
  ],
  ["a quoted name", '--- "a/s p.ts"\n+++ "b/d/\\303\\244.ts"\n', ["s p.ts", "d/"]],
  ["nothing", "hello\n--- a/x.ts\nno second header\n", []],
];
for (const [name, patch, paths] of CASES) {
  test(`patchPaths() of ${name}`, () => {
    const found = patchPaths(patch).map(({ path, access }) => (access === "write" ? path : `${access} ${path}`));
    expect(found).toEqual(paths);
  });
}

test("isPatch() knows a patch by its beginning", () => {
  expect(isPatch("\n*** Begin Patch\n")).toBe(true);
  expect(isPatch("diff --git a/x b/x\n")).toBe(true);
  expect(isPatch("--- a/x\n+++ b/x\n")).toBe(true);
  expect(isPatch("--- a list\n- x\n")).toBe(false);
  expect(isPatch("text with *** Begin Patch inside")).toBe(false);
});

test("patchPaths() of many files ends at its limit", () => {
  const many = Array.from({ length: 5000 }, (_, index) => `*** Add File: ${index}.ts\n+x\n`).join("");
  expect(patchPaths(`*** Begin Patch\n${many}`)).toHaveLength(512);
});
