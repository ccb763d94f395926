import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { dir, tempTree } from "./temp-tree.ts";

test("tempTree() makes files, directories, links and pipes", () => {
  using tree = tempTree({
    "a/AGENTS.md": "text",
    "a/bytes": new Uint8Array([0xff, 0x00]),
    b: { link: "../c" },
    "d/": dir,
    pipe: { fifo: true },
    old: { text: "old", mtimeMs: 1_700_000_000_123, mode: 0o600 },
  });
  expect(tree.root).toBe(realpathSync(tree.root));
  expect(tree.read("a/AGENTS.md")).toBe("text");
  expect([...readFileSync(tree.path("a", "bytes"))]).toEqual([0xff, 0x00]);
  expect(readlinkSync(tree.path("b"))).toBe("../c");
  expect(statSync(tree.path("d")).isDirectory()).toBe(true);
  expect(lstatSync(tree.path("pipe")).isFIFO()).toBe(true);
  expect(Math.floor(statSync(tree.path("old")).mtimeMs)).toBe(1_700_000_000_123);
  expect(statSync(tree.path("old")).mode & 0o777).toBe(0o600);
});

test("tempTree() changes what it made", () => {
  using tree = tempTree({ a: "1" });
  tree.write("x/y", "2");
  expect(tree.read("x/y")).toBe("2");
  for (const mtimeMs of [1_600_000_000_001, 1_712_345_678_999]) {
    tree.touch("x/y", mtimeMs);
    expect(Math.floor(statSync(tree.path("x/y")).mtimeMs)).toBe(mtimeMs);
  }
  tree.remove("x");
  expect(existsSync(tree.path("x"))).toBe(false);
});

test("tempTree() cleans up, even what can't be read, and nothing behind a link", () => {
  using outside = tempTree({ "kept/file": "kept", kept: { dir: true, mode: 0o755 } });
  const inside = tempTree({
    "locked/deeper/file": { text: "x", mode: 0o000 },
    "locked/deeper": { dir: true, mode: 0o000 },
    locked: { dir: true, mode: 0o000 },
    link: { link: outside.path("kept") },
  });
  chmodSync(inside.root, 0o500);
  inside[Symbol.dispose]();
  expect(existsSync(inside.root)).toBe(false);
  expect(existsSync(dirname(inside.root))).toBe(true);
  expect(outside.read("kept/file")).toBe("kept");
});

test("tempTree() refuses a path outside itself", () => {
  using tree = tempTree();
  for (const path of ["../x", "a/../../x", "/etc/x"]) expect(() => tree.write(path, "")).toThrow("outside the tree");
  expect(() => tempTree({ "..": dir })).toThrow("outside the tree");
});
