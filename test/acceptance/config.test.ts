import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { bench, file, says, type Bench, type Call } from "./agents-bench.ts";

// Where settings come from, and which of two wins. Unusable files are in config-unusable, what a project may not decide
// is in config-restricted.

const FORMATS = [
  ["config.json", '{"agents": {"initial": {"maxFiles": 7}, "ignore": ["vendor", "dist"]}}'],
  ["config.jsonc", '// a note\n{"agents": {"initial": {"maxFiles": 7,}, /* two */ "ignore": ["vendor", "dist"],},}\n'],
  ["config.json", '\uFEFF{"agents": {"initial": {"maxFiles": 7}, "ignore": ["vendor", "dist"]}} // in .json too\n'],
  ["config.yaml", "# a note\nagents:\n  initial: {maxFiles: 7}\n  ignore:\n    - vendor\n    - dist\n"],
  ["config.yml", "agents:\n  initial:\n    maxFiles: 7\n  ignore: [vendor, dist]\n"],
  ["config.toml", '# a note\n[agents]\nignore = ["vendor", "dist"]\n[agents.initial]\nmaxFiles = 7\n'],
] as const;

function configTree(files: Readonly<Record<string, string>> = {}): Bench {
  return bench({ "repo/.git/": dir, "repo/AGENTS.md": file("root\n"), "repo/a/AGENTS.md": file("a\n"), ...files });
}

interface Value {
  readonly value: unknown;
  /** A file's path from the tree's root, or another source. */
  readonly source: string;
}

/** Every effective value, by key. */
function valuesOf(tree: Bench, call: Call = {}, args: readonly string[] = []): Record<string, Value> {
  const { stdout, stderr, exitCode } = tree.codelia(["config", "--json", ...args], call);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const entries = JSON.parse(stdout).values as { key: string; value: unknown; source: string }[];
  return Object.fromEntries(
    entries.map(({ key, value, source }) => [key, { value, source: source.replace(`${tree.root}/`, "") }]),
  );
}

for (const [name, text] of FORMATS) {
  for (const place of ["home/.codelia", "home/.config/codelia", "repo/.codelia"]) {
    test(`config: ${place}/${name} is read: ${JSON.stringify(text.slice(0, 12))}…`, () => {
      const path = `${place}/${name}`;
      using tree = configTree({ [path]: text });
      const values = valuesOf(tree);
      expect(values["agents.initial.maxFiles"]).toEqual({ value: 7, source: path });
      expect(values["agents.ignore"]).toEqual({ value: ["vendor", "dist"], source: path });
      expect(values["agents.initial.maxBytes"]).toEqual({ value: 262_144, source: "default" });
    });
  }
}

for (const name of ["config.json", "config.jsonc", "config.yaml", "config.toml"]) {
  test(`config: a ${name} without a setting in it is no error`, () => {
    const nothing = name.includes("json") ? "{}\n" : "# nothing yet\n";
    using tree = configTree({ [`repo/.codelia/${name}`]: nothing });
    expect(Object.values(valuesOf(tree)).map(({ source }) => source)).toContain("default");
  });
}

test("config: flags > env > project > user > defaults", () => {
  using tree = configTree({
    "home/.codelia/config.json": JSON.stringify({
      agents: { root: { projectRootOverride: "../repo" }, initial: { maxFiles: 2, maxBytes: 200 }, usage: false },
    }),
    "repo/.codelia/config.yaml": "agents:\n  initial:\n    maxFiles: 3\n",
  });
  const env = { CODELIA_AGENTS_ROOT: tree.path("repo") };
  const values = valuesOf(tree, { env });
  expect(values["agents.initial.maxFiles"]).toEqual({ value: 3, source: "repo/.codelia/config.yaml" });
  expect(values["agents.initial.maxBytes"]).toEqual({ value: 200, source: "home/.codelia/config.json" });
  expect(values["agents.usage"]).toEqual({ value: false, source: "home/.codelia/config.json" });
  expect(values["agents.enabled"]).toEqual({ value: true, source: "default" });
  const override = "agents.root.projectRootOverride";
  expect(values[override]).toEqual({ value: tree.path("repo"), source: "environment" });
  expect(valuesOf(tree, { env }, ["--root", "."])[override]).toEqual({ value: ".", source: "flags" });
  expect(valuesOf(tree)[override]).toEqual({ value: "../repo", source: "home/.codelia/config.json" });
});

test("config: the markers of the environment are named as its own", () => {
  using tree = configTree();
  const values = valuesOf(tree, { env: { CODELIA_AGENTS_MARKERS: ".git, .hg" } });
  expect(values["agents.root.markers"]).toEqual({ value: [".git", ".hg"], source: "environment" });
});

test("config: a setting that has no value has one under --json all the same", () => {
  using tree = configTree();
  const { values } = JSON.parse(tree.codelia(["config", "--json"]).stdout);
  for (const entry of values) expect(Object.keys(entry).toSorted()).toEqual(["key", "source", "value"]);
});

test("config: a list takes the place of the list below it, it is not added to it", () => {
  using tree = configTree({
    "home/.codelia/config.json": '{"agents": {"ignore": ["vendor"]}}',
    "repo/.codelia/config.json": '{"agents": {"ignore": ["dist"]}}',
  });
  expect(valuesOf(tree)["agents.ignore"]).toEqual({ value: ["dist"], source: "repo/.codelia/config.json" });
});

test("config: the user's file is in ~/.codelia, or CODELIA_HOME, else in XDG_CONFIG_HOME/codelia", () => {
  const maxFiles = (count: number) => JSON.stringify({ agents: { initial: { maxFiles: count } } });
  using tree = configTree({
    "home/.codelia/config.json": maxFiles(1),
    "home/.config/codelia/config.json": maxFiles(2),
    "xdg/codelia/config.json": maxFiles(3),
    "global/config.json": maxFiles(4),
  });
  const effective = (env: Record<string, string> = {}) => valuesOf(tree, { env })["agents.initial.maxFiles"]?.value;
  expect(effective()).toBe(1);
  expect(effective({ CODELIA_HOME: tree.path("global") })).toBe(4);
  expect(effective({ CODELIA_HOME: tree.path("absent"), XDG_CONFIG_HOME: tree.path("xdg") })).toBe(3);
  tree.remove("home/.codelia");
  expect(effective()).toBe(2);
  expect(effective({ XDG_CONFIG_HOME: tree.path("xdg") })).toBe(3);
  // By the base directory specification, a relative path counts as absent.
  expect(effective({ XDG_CONFIG_HOME: "../xdg" })).toBe(2);
});

test("config: the project's file is the root's, not the cwd's", () => {
  using tree = configTree({
    "repo/.codelia/config.json": '{"agents": {"initial": {"maxFiles": 5}}}',
    "repo/a/codelia/config.json": '{"agents": {"initial": {"maxFiles": 6}}}',
  });
  expect(valuesOf(tree, { cwd: "repo/a" })["agents.initial.maxFiles"]?.value).toBe(5);
  const elsewhere = valuesOf(tree, { cwd: "repo/a" }, ["--root", "."]);
  expect(elsewhere["agents.initial.maxFiles"]?.value).toBe(64);
});

test("config: a user's file may be a link to wherever the user keeps it", () => {
  using tree = configTree({ "dotfiles/codelia.json": '{"agents": {"usage": false}}' });
  using linked = bench({
    "home/.codelia/config.json": { link: tree.path("dotfiles/codelia.json") },
    "repo/.git/": dir,
  });
  expect(valuesOf(linked)["agents.usage"]?.value).toBeFalse();
});

test("config: the plain form shows each value with its source, a line each", () => {
  using tree = configTree({ "repo/.codelia/config.json": '{"agents": {"usage": false}}' });
  const { stdout, stderr, exitCode } = tree.codelia(["config"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toContain(`agents.usage = false  (${tree.path("repo/.codelia/config.json")})`);
  expect(lines).toContain('agents.ignore = ["node_modules"]  (default)');
  for (const line of lines) expect(line).toMatch(/^\S+ = .+ {2}\(.+\)$/);
});

test("config: $schema is allowed, and the schema to be named there is printed by 'codelia schema config'", () => {
  using tree = configTree({ "repo/.codelia/config.json": '{"$schema": "./config.schema.json"}' });
  expect(valuesOf(tree)["agents.enabled"]?.value).toBeTrue();
  const { stdout, exitCode } = tree.codelia(["schema", "config"]);
  expect(exitCode).toBe(0);
  expect(Object.keys(JSON.parse(stdout).properties)).toContain("agents");
  expect(tree.codelia(["schema"]).stdout.split("\n")).toContain("config");
  expect(tree.codelia(["schema"])).toMatchObject(says(expect.any(String) as never));
});
