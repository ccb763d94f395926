import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readAnew } from "../../src/config/parse.ts";
import { findConfigFile } from "../../src/config/files.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree } from "../support/temp-tree.ts";

test("readAnew() calls a file unusable where reading it fails in a way that nobody thought of", async () => {
  using tree = tempTree({ "repo/config.yaml": "agents: {}\n" });
  const file = findConfigFile([tree.path("repo")], false);
  if (file.kind !== "file") throw new Error(file.kind);
  const memory = tree.path("cache/config.json");
  const broken = {
    ...fakeWorld({ epochMs: Date.now() + 60_000 }),
    processorTime(): number {
      throw new Error("there is no clock");
    },
  };
  expect(await readAnew(broken, file, true, memory)).toEqual({
    path: tree.path("repo/config.yaml"),
    config: undefined,
    problems: [expect.objectContaining({ message: "reading it failed (Error: there is no clock)" })],
    isPassing: true,
  });
  expect(existsSync(memory)).toBe(false);
  const sound = fakeWorld({ epochMs: Date.now() + 60_000 });
  expect(await readAnew(sound, file, true, memory)).toMatchObject({ config: { agents: {} }, problems: [] });
  expect(existsSync(memory)).toBe(true);
});
