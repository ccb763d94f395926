import { expect, test } from "bun:test";
import { promptPath } from "../../../src/agent/definition/prompts.ts";

const PATHS: [reference: { path?: string; c3l?: string }, path: string][] = [
  [{ path: "prompts/a.md" }, "prompts/a.md"],
  [{ path: "./a..md" }, "a..md"],
  [{ c3l: "steps/build/house" }, "prompts/steps/build/house/f_default.md"],
  [{ c3l: "steps/build/house/long" }, "prompts/steps/build/house/f_long.md"],
  [{ c3l: "steps/build/house/long/ja" }, "prompts/steps/build/house/f_long_ja.md"],
];
for (const [reference, path] of PATHS) {
  test(`promptPath() of ${JSON.stringify(reference)}`, () => {
    expect(promptPath(reference)).toEqual({ kind: "path", path });
  });
}

for (const path of ["../a.md", "a/../../b", "a/..", "/etc/passwd", "C:\\x", "c:/x", "a\\..\\b", "a\0b", ""]) {
  test(`promptPath() refuses ${JSON.stringify(path)}`, () => {
    expect(promptPath({ path }).kind).toBe("unusable");
  });
}
