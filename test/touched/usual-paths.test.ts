import { expect, test } from "bun:test";
import { pathsOfToolUse } from "../../src/touched/with-grammar.ts";
import { usualPaths } from "../../src/touched/usual-calls.ts";

const HERE = { cwd: "/r", home: "/h" };
const usual: [tool: string, input: unknown][] = [
  ["Read", { file_path: "/r/a/../b.ts" }],
  ["Read", { file_path: "/r/b.ts", limit: 3, offset: 1 }],
  ["Edit", { file_path: "/r/b.ts", old_string: "cat /x", new_string: "./y" }],
  ["Write", { file_path: "/elsewhere/b.ts", content: "see /x/y.ts" }],
  ["MultiEdit", { file_path: "/r/b.ts", edits: [] }],
  ["Bash", { file_path: "/r/x", command: "ls" }],
];
for (const [tool, input] of usual) {
  test(`usualPaths() answers ${tool} ${JSON.stringify(input)} as pathsOfToolUse() does`, () => {
    expect(usualPaths(tool, input, "/r")).toEqual(pathsOfToolUse({ tool, input, ...HERE }));
  });
}

const others: [tool: string, input: unknown][] = [
  ["Bash", { file_path: "/r/x" }],
  ["Read", { file_path: "relative.ts" }],
  ["Read", { file_path: "~/x" }],
  ["Read", { file_path: "/a\0b" }],
  ["Read", { file_path: `/${"x".repeat(5000)}` }],
  ["Read", { file_path: 7 }],
  ["Read", {}],
  ["Read", null],
  ["Read", undefined],
  ["Read", "text"],
];
for (const [tool, input] of others) {
  test(`usualPaths() leaves ${tool} ${String(JSON.stringify(input)).slice(0, 40)} to it`, () => {
    expect(usualPaths(tool, input, "/r")).toBeUndefined();
  });
}
