import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { linkedTo } from "../../.tools/lib/npm-packages.mjs";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

const SOURCE = join(REPOSITORY, ".tools/npm");
const PROGRAM = { text: `#!/bin/sh\necho "$@"; cat; exit 3\n`, mode: 0o755 };

test("on Windows the npm package starts its program, though `process.execve` is there and throws", () => {
  using tree = tempTree({
    "bin/codelia.cjs": readFileSync(join(SOURCE, "codelia.cjs"), "utf8"),
    "lib/native.cjs": readFileSync(join(SOURCE, "native.cjs"), "utf8"),
    [`node_modules/codelia-windows-${process.arch}/package.json`]: "{}",
    [`node_modules/codelia-windows-${process.arch}/bin/codelia.exe`]: PROGRAM,
    "windows.cjs": `Object.defineProperty(process, "platform", { value: "win32" });
process.execve = () => { throw new TypeError("process.execve is unavailable on this platform"); };`,
  });
  const args = ["--require", tree.path("windows.cjs"), tree.path("bin/codelia.cjs"), "resolve", "a b"];
  const { stdout, stderr, exitCode } = runCodelia(args, {
    binary: "node",
    cwd: tree.root,
    home: tree.root,
    stdin: "in",
  });
  expect([stdout, stderr, exitCode]).toEqual(["resolve a b\nin", "", 3]);
});

test("the README of the npm package has addresses in the place of paths, also of its pictures", () => {
  const readme = linkedTo(manifest.homepage, readFileSync(join(REPOSITORY, "README.md"), "utf8"));
  const targets = [...readme.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture,
  );
  expect(targets.length).toBeGreaterThan(10);
  expect(
    targets.filter((target) => target?.startsWith("https://") !== true && target?.startsWith("#") !== true),
  ).toEqual([]);
  expect(targets).toContain(`${manifest.homepage}/blob/main/docs/installing.md`);
  expect(targets).toContain(`${manifest.homepage}/raw/main/docs/images/explain-light.png`);
});
