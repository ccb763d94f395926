import { expect, test } from "bun:test";
import { loadConfig as loadWithC12 } from "c12";
import { existsSync } from "node:fs";
import { loadLayer } from "../../src/config/files.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

/** Every file that c12 would run, read or follow, in `directory`: each leaves a mark when it is run, or a value. */
function twins(directory: string, marker: string): Record<string, string> {
  const code = `require("node:fs").appendFileSync(${JSON.stringify(marker)}, __filename + "\\n"); module.exports = { agents: { usage: false } };`;
  const data = JSON.stringify({ agents: { usage: false, ignore: ["twin"] } });
  const names = [
    ...["config", "codelia.config", "config.yaml", "config.json"].flatMap((name) =>
      ["js", "ts", "mjs", "cjs", "mts", "cts"].map((ending) => `${name}.${ending}`),
    ),
    "config.yaml/index.js",
    "config/index.ts",
    ".config/codelia.js",
    ".config/codelia.config.ts",
    ".config/config.js",
    "node_modules/config/index.js",
    "base/config.ts",
    "base.ts",
  ];
  const files: Record<string, string> = Object.fromEntries(names.map((name) => [`${directory}/${name}`, code]));
  for (const name of [".config/codelia.json", ".config/codelia.yaml", "codelia.config.json", ".codeliarc.json"]) {
    files[`${directory}/${name}`] = data;
  }
  files[`${directory}/package.json`] = JSON.stringify({ codelia: JSON.parse(data), config: JSON.parse(data) });
  files[`${directory}/.codeliarc`] = "agents.usage=false\n";
  files[`${directory}/.configrc`] = "agents.usage=false\n";
  files[`${directory}/.env`] = "CODELIA_TWIN=1\nCODELIA_AGENTS_ROOT=/\n";
  return files;
}

async function inDirectory<Result>(directory: string, body: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(directory);
  try {
    return await body();
  } finally {
    process.chdir(before);
  }
}

async function load(tree: TempTree) {
  const directories = [tree.path(".codelia")];
  const place = { directories, isProject: true, cache: tree.path("cache"), owner: tree.root };
  return loadLayer(fakeWorld(), place);
}

const CONFIGS: [name: string, text: string][] = [
  ["config.json", '{"agents": {"enabled": false}}'],
  ["config.jsonc", '{"agents": {"enabled": false,},}'],
  ["config.yml", "agents:\n  enabled: false\n"],
  ["config.toml", "[agents]\nenabled = false\n"],
];
for (const [name, text] of CONFIGS) {
  test(`loadLayer() runs nothing and reads nothing else when every twin of ${name} is there`, async () => {
    using outside = tempTree();
    const marker = outside.path("was-run");
    const files = { ...twins(".codelia", marker), ...twins(".", marker), ...twins("below", marker) };
    // These two would be configs themselves: two of them side by side are refused before any is read.
    delete files[".codelia/config.yaml/index.js"];
    using tree = tempTree({ ...files, [`.codelia/${name}`]: text });
    for (const directory of [tree.root, tree.path(".codelia"), tree.path("below")]) {
      const layer = await inDirectory(directory, () => load(tree));
      expect(layer).toEqual({
        path: tree.path(".codelia", name),
        config: { agents: { enabled: false } },
        problems: [],
      });
      tree.remove("cache");
    }
    expect(existsSync(marker)).toBe(false);
    expect(process.env["CODELIA_TWIN"]).toBeUndefined();
  });
}

const FOLLOWED: [what: string, config: unknown][] = [
  ["a directory", { extends: "./base" }],
  ["a file", { extends: ["./base.ts"] }],
  ["a package", { extends: "config" }],
  ["a repository", { extends: "gh:owner/repository" }],
  ["a theme", { theme: "./base", $production: {}, $test: { agents: { usage: false } } }],
];
for (const [what, config] of FOLLOWED) {
  test(`loadLayer() follows no reference to ${what}`, async () => {
    using outside = tempTree();
    const marker = outside.path("was-run");
    const files = twins(".codelia", marker);
    delete files[".codelia/config.yaml/index.js"];
    using tree = tempTree({ ...files, ".codelia/config.json": JSON.stringify(config) });
    const layer = await inDirectory(tree.path(".codelia"), () => load(tree));
    expect(layer.config).toEqual({});
    expect(layer.problems[0]?.message).toStartWith("unknown key");
    expect(existsSync(marker)).toBe(false);
  });
}

test("loadLayer() has no config when there are only twins", async () => {
  using outside = tempTree();
  const marker = outside.path("was-run");
  const files = twins(".codelia", marker);
  delete files[".codelia/config.yaml/index.js"];
  using tree = tempTree(files);
  const layer = await inDirectory(tree.path(".codelia"), () => load(tree));
  expect(layer).toEqual({ path: undefined, config: undefined, problems: [] });
  expect(existsSync(marker)).toBe(false);
});

test("loadLayer() refuses a directory in a config's place, and runs nothing in it", async () => {
  using outside = tempTree();
  const marker = outside.path("was-run");
  using tree = tempTree(twins(".codelia", marker));
  const layer = await inDirectory(tree.path(".codelia"), () => load(tree));
  expect(layer).toMatchObject({ config: undefined, problems: [{ message: "it is not a regular file" }] });
  expect(existsSync(marker)).toBe(false);
});

test("the twins are real: c12, left to itself, runs one of them", async () => {
  using outside = tempTree();
  const marker = outside.path("was-run");
  using tree = tempTree(twins(".codelia", marker));
  await loadWithC12({ name: "codelia", cwd: tree.path(".codelia") });
  expect(existsSync(marker)).toBe(true);
});
