import { expect, test } from "bun:test";
import { checkByCommand } from "../../../src/agent/run/command-check.ts";
import { realWorld } from "../../support/fake-world.ts";
import { tempTree } from "../../support/temp-tree.ts";

async function reasonOf(script: string): Promise<string> {
  using tree = tempTree();
  const { signal } = new AbortController();
  const words = ["/bin/sh", "-c", script];
  const check = { words, cwd: tree.root, answer: "", timeoutMs: 20_000, signal };
  return (await checkByCommand(realWorld(), check)).reason;
}

test("checkByCommand() tells what a command said, from the beginning of a line where it is too much", async () => {
  expect(await reasonOf("echo out; echo err >&2; exit 3")).toBe("the command ended with 3: out\n\nerr");
  const long = await reasonOf("seq 1 100000; echo err >&2; exit 2");
  expect(long).toMatch(/^the command ended with 2: \[only the end of it\]\n99\d\d\d\n/);
  expect(long).toEndWith("\n100000\n\nerr");
  const wide = await reasonOf("printf '%05000d' 7; exit 1");
  expect(wide).toMatch(/^the command ended with 1: \[only the end of it\]\n0+7$/);
});
