import { expect, test } from "bun:test";
import { runAtTerminal } from "./run-at-terminal.ts";
import { dir, tempTree } from "./temp-tree.ts";

test("runAtTerminal() gives all that is shown, to the last byte", async () => {
  using tree = tempTree({ "home/": dir });
  const { shown, exitCode } = await runAtTerminal(["schema", "config"], { cwd: tree.root, home: tree.path("home") });
  expect(exitCode).toBe(0);
  expect(JSON.parse(shown)).toHaveProperty("properties.permissions");
});
