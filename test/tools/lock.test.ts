import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { withLock } from "../../.tools/lib/lock.mjs";
import { tempTree } from "../support/temp-tree.ts";

test("withLock() lets one in at a time", async () => {
  using tree = tempTree();
  let inside = 0;
  const crowd = Array.from({ length: 8 }, () =>
    withLock(tree.path("locks/one"), async () => {
      const now = ++inside;
      await Promise.resolve();
      inside--;
      return now;
    }),
  );
  expect(await Promise.all(crowd)).toEqual(Array.from({ length: 8 }, () => 1));
  expect(existsSync(tree.path("locks/one"))).toBe(false);
});

test("withLock() takes over from a process that has ended", async () => {
  using tree = tempTree({ one: `some-nonce ${endedProcess()}` });
  expect(await withLock(tree.path("one"), () => tree.read("one"))).toEndWith(` ${process.pid}`);
  expect(existsSync(tree.path("one"))).toBe(false);
});

const notYet: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["a child of the holder still works", { one: `some-nonce ${endedProcess()} ${process.pid}` }],
  ["another process is taking it over", { one: `some-nonce ${endedProcess()}`, "one.some-nonce": "" }],
  ["the holder is about to write its name", { one: "" }],
];
test.each(notYet)("withLock() waits while %s", async (_, files) => {
  using tree = tempTree(files);
  const waiting = withLock(tree.path("one"), () => "entered");
  expect(tree.read("one")).toBe(files["one"] ?? "");
  tree.remove("one");
  expect(await waiting).toBe("entered");
});

test("withLock() names the children that the action shares it with", async () => {
  using tree = tempTree();
  const named = await withLock(tree.path("one"), (share) => {
    share(1);
    return tree.read("one");
  });
  expect(named).toEndWith(` ${process.pid} 1`);
});

test("withLock() is free again when the action fails", async () => {
  using tree = tempTree();
  const failing = withLock(tree.path("one"), () => Promise.reject(new Error("broke")));
  expect(await failing.catch((error: Error) => error.message)).toBe("broke");
  expect(existsSync(tree.path("one"))).toBe(false);
});

function endedProcess(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}
