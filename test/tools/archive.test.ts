import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { tarGz, zip } from "../../.tools/lib/archive.mjs";
import { tempTree } from "../support/temp-tree.ts";

const FILES = [
  { name: "codelia", mode: 0o755, bytes: Buffer.from("#!/bin/sh\necho it runs\n") },
  { name: "LICENSE", mode: 0o644, bytes: Buffer.alloc(1500, "x") },
  { name: "empty", mode: 0o644, bytes: Buffer.alloc(0) },
];

test("tarGz() makes what tar unpacks, with its modes", () => {
  using tree = tempTree();
  tree.write("files.tar.gz", tarGz(FILES));
  expect(spawnSync("tar", ["-xzf", "files.tar.gz"], { cwd: tree.root, encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
  for (const { name, mode, bytes } of FILES) {
    expect(tree.read(name)).toBe(bytes.toString());
    expect(statSync(tree.path(name)).mode & 0o777).toBe(mode);
  }
});

test("zip() makes what a zip reader unpacks, with its modes", () => {
  using tree = tempTree();
  tree.write("files.zip", zip(FILES));
  const script = `
import stat, zipfile
archive = zipfile.ZipFile("files.zip")
print(archive.testzip(), [(i.filename, i.file_size, oct(stat.S_IMODE(i.external_attr >> 16))) for i in archive.infolist()])
archive.extract("codelia")
`;
  const read = spawnSync("python3", ["-c", script], { cwd: tree.root, encoding: "utf8" });
  // What a fresh machine has is no zip reader; where there is one, it is asked.
  if (read.error === undefined) {
    expect(read.stderr).toBe("");
    expect(read.stdout).toBe("None [('codelia', 23, '0o755'), ('LICENSE', 1500, '0o644'), ('empty', 0, '0o644')]\n");
    expect(tree.read("codelia")).toBe(FILES[0]?.bytes.toString() ?? "");
  }
  expect(zip(FILES).subarray(0, 4)).toEqual(Buffer.from([0x50, 0x4b, 3, 4]));
});

test("both give the same bytes for the same files", () => {
  expect(tarGz(FILES).equals(tarGz(FILES))).toBe(true);
  expect(zip(FILES).equals(zip(FILES))).toBe(true);
});
