import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { within } from "../../src/lib/working-directory.ts";
import type { World } from "../../src/world.ts";
import { fakeWorld, workingDirectory } from "../support/fake-world.ts";
import { tempTree } from "../support/temp-tree.ts";

const HERE = process.cwd();
const real: World = { ...fakeWorld(), ...workingDirectory };

/** What stood before names, and where they were looked up. */
const places = (prefix: string) => [prefix, process.cwd()];

afterEach(() => {
  expect(process.cwd()).toBe(HERE);
});

describe("many files of one directory", () => {
  test("are looked up from there", () => {
    using tree = tempTree({ "many/a": "" });
    expect(within(real, tree.path("many"), places)).toEqual(["", tree.path("many")]);
  });

  test("are left where the work fails", () => {
    using tree = tempTree({ "many/a": "" });
    const work = () => {
      throw new Error("no");
    };
    expect(() => within(real, tree.path("many"), work)).toThrow("no");
  });

  const unusable: [what: string, world: World, directory: string][] = [
    ["the directory is gone", real, "gone"],
    ["the directory is a file", real, "many/a"],
    ["a link stands in its place", real, "link"],
    ["the process is called from a directory that is gone", { ...real, cwd: fail }, "many"],
    ["the working directory has another name than it says", { ...real, cwd: () => "/" }, "many"],
    ["the process has much to do after that", { ...real, changeDirectory: undefined }, "many"],
    ["their paths are long", real, "d/".repeat(120)],
    ["nothing leads back", { ...real, changeDirectory: failAt(HERE) }, "many"],
  ];
  for (const [what, world, directory] of unusable) {
    test(`are named by their paths where ${what}`, () => {
      using tree = tempTree({ "many/a": "", [`${"d/".repeat(120)}a`]: "", link: { link: "many" } });
      expect(within(world, tree.path(directory), places)).toEqual([tree.path(directory) + "/", HERE]);
    });
  }

  test("stay where they are looked up, where the way back is lost meanwhile", () => {
    using tree = tempTree({ "many/a": "", "from/": { dir: true } });
    process.chdir(tree.path("from"));
    within(real, tree.path("many"), () => tree.remove("from"));
    expect(process.cwd()).toBe(tree.path("many"));
    process.chdir(HERE);
  });

  test("are named by their paths where the directory is another one on arrival", () => {
    using tree = tempTree({ "many/a": "", "other/a": "" });
    const diverted = (path: string) => process.chdir(path === tree.path("many") ? tree.path("other") : path);
    const world = { ...real, changeDirectory: diverted };
    expect(within(world, tree.path("many"), places)).toEqual([join(tree.path("many"), "/"), HERE]);
  });
});

function fail(): never {
  throw new Error("ENOENT");
}

function failAt(directory: string): (path: string) => void {
  return (path) => (path === directory ? fail() : process.chdir(path));
}
