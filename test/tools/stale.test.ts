import { describe, expect, test } from "bun:test";
import { hashFiles, isCurrent, makeStamped } from "../../.tools/lib/stamp.mjs";
import { ensureInstalled, hashInstallInputs } from "../../.tools/lib/install.mjs";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const names = ["src", "package.json", "absent.json"];
const files = { "src/main.ts": "1", "src/lib/fs.ts": "2", "package.json": "{}", "other.ts": "3" };

describe("hashFiles() changes with", () => {
  const changes: readonly (readonly [string, (tree: TempTree) => void])[] = [
    ["a file's content", (tree) => tree.write("src/main.ts", "one")],
    ["a file deep in a directory", (tree) => tree.write("src/lib/fs.ts", "two")],
    ["a new file", (tree) => tree.write("src/new.ts", "")],
    ["a removed file", (tree) => tree.remove("src/lib/fs.ts")],
    ["a moved file", (tree) => (tree.remove("src/lib/fs.ts"), tree.write("src/disk.ts", "2"))],
    [
      "text that moves from one file to the next",
      (tree) => (tree.write("src/main.ts", ""), tree.write("package.json", "1{}")),
    ],
    ["a file that was absent", (tree) => tree.write("absent.json", "")],
  ];
  test.each(changes)("%s", (_, change) => {
    using tree = tempTree(files);
    const before = hashFiles(tree.root, names);
    change(tree);
    expect(hashFiles(tree.root, names)).not.toBe(before);
  });

  test("a fact", () => {
    using tree = tempTree(files);
    expect(hashFiles(tree.root, names, ["linux"])).not.toBe(hashFiles(tree.root, names, ["darwin"]));
  });
});

describe("hashFiles() stays the same", () => {
  const changes: readonly (readonly [string, (tree: TempTree) => void])[] = [
    ["when only an mtime changes", (tree) => tree.touch("src/main.ts", 1000)],
    ["when a file changes that wasn't named", (tree) => tree.write("other.ts", "three")],
    ["when a file is written again", (tree) => tree.write("src/main.ts", "1")],
  ];
  test.each(changes)("%s", (_, change) => {
    using tree = tempTree(files);
    const before = hashFiles(tree.root, names);
    change(tree);
    expect(hashFiles(tree.root, names)).toBe(before);
  });

  test("in another place", () => {
    using here = tempTree(files);
    using there = tempTree(files);
    expect(hashFiles(here.root, names)).toBe(hashFiles(there.root, names));
  });
});

describe("makeStamped()", () => {
  test("marks what was made", async () => {
    using tree = tempTree();
    const stamp = tree.path("stamp");
    expect(isCurrent(stamp, "a")).toBe(false);
    await makeStamped(stamp, "a", () => {});
    expect(isCurrent(stamp, "a")).toBe(true);
    expect(isCurrent(stamp, "b")).toBe(false);
  });

  test("leaves no mark when making fails, though there was one before", async () => {
    using tree = tempTree({ stamp: "a" });
    const failing = makeStamped(tree.path("stamp"), "a", () => Promise.reject(new Error("broke")));
    expect(failing).rejects.toThrow("broke");
    await failing.catch(() => {});
    expect(isCurrent(tree.path("stamp"), "a")).toBe(false);
  });
});

describe("ensureInstalled()", () => {
  test("does nothing when the packages are those of the lockfile", async () => {
    using tree = tempTree({ "package.json": "{}", "package-lock.json": "not for npm" });
    tree.write("node_modules/.codelia-installed", hashInstallInputs(tree.root));
    await ensureInstalled(tree.root);
    expect(tree.read("package-lock.json")).toBe("not for npm");
  });

  test.each([
    ["sees a change of the lockfile", "package-lock.json", "{ }", true],
    ["sees a package that is asked for", "package.json", '{ "devDependencies": { "x": "1.0.0" } }', true],
    ["does not mind another script", "package.json", '{ "scripts": { "x": "y" } }', false],
  ])("%s", (_, name, text, isChange) => {
    using tree = tempTree({ "package.json": "{}", "package-lock.json": "{}" });
    const before = hashInstallInputs(tree.root);
    tree.write(name, text);
    expect(hashInstallInputs(tree.root) !== before).toBe(isChange);
  });
});
