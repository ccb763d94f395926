import { expect, test } from "bun:test";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, file, type Bench } from "./agents-bench.ts";

// Unusable parts of a config layer are ignored and reported. The rest is used, and the answer still comes.

function broken(table: Readonly<Record<string, Entry>>): Bench {
  return bench({ "repo/.git/": dir, "repo/AGENTS.md": file("root\n"), "repo/a/AGENTS.md": file("a\n"), ...table });
}

/** Asserts that the answer comes with this one warning, and that 'codelia config' exits 3 and names the file. */
function expectDropped(tree: Bench, path: string, problem: RegExp, isWhole: boolean): void {
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "--json", "--no-state", "a/x"], { timeoutMs: 2000 });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).files).toHaveLength(2);
  expect(stderr).toStartWith(`codelia: warning: config '${tree.path(path)}': `);
  expect(stderr).toMatch(problem);
  expect(stderr).toEndWith(
    isWhole ? "; the file is ignored until this is fixed\n" : "; the rest of the file is used\n",
  );
  expect(stderr.match(/\n/g)).toHaveLength(1);

  const config = tree.codelia(["config"], { timeoutMs: 2000 });
  expect(config.exitCode).toBe(3);
  expect(config.stderr).toContain(`'${tree.path(path)}'`);
  expect(config.stderr).toMatch(problem);
  expect(config.stdout).toContain("agents.initial.maxFiles = 64  (default)\n");
  const json = tree.codelia(["config", "--json"], { timeoutMs: 2000 });
  expect(json.exitCode).toBe(3);
  const { error } = JSON.parse(json.stdout);
  expect(error).toMatchObject({ code: "config_unusable", unusableConfigs: isWhole ? [tree.path(path)] : [] });
  expect(error.message).toMatch(problem);
  expect(error.problems[tree.path(path)].join("; ")).toMatch(problem);
}

const PADDING = (bytes: number) => `{"agents":{"usage":false}}${" ".repeat(bytes - 26)}`;

type Row = readonly [what: string, name: string, entry: Entry, problem: RegExp];

const MISTAKES: readonly Row[] = [
  ["an unknown key", "config.json", '{"agents": {"intial": {}}}', /'agents\.intial', did you mean 'initial'\?/],
  [
    "an unknown key below",
    "config.yaml",
    "agents:\n  initial:\n    maxFile: 3\n",
    /'agents\.initial\.maxFile', did you mean 'maxFiles'\?/,
  ],
  ["an unknown key at the top", "config.toml", "[agnts]\n", /'agnts', did you mean 'agents'\?/],
  ["an unknown key near nothing", "config.json", '{"agents": {"zzzzzzzz": 1}}', /'agents\.zzzzzzzz'.*\binitial\b/],
  ["a key of every object", "config.json", '{"toString": 1}', /'toString'/],
  [
    "a value of another type",
    "config.json",
    '{"agents": {"initial": {"maxFiles": "7"}}}',
    /'agents\.initial\.maxFiles'/,
  ],
  ["a value out of range", "config.json", '{"agents": {"initial": {"maxFiles": 0}}}', /'agents\.initial\.maxFiles'/],
  ["a number that is none", "config.toml", "[agents.initial]\nmaxFiles = inf\n", /'agents\.initial\.maxFiles'/],
  ["a choice that there is not", "config.json", '{"agents": {"initial": {"keep": "last"}}}', /'agents\.initial\.keep'/],
  [
    "a name with a directory",
    "config.json",
    '{"agents": {"additionalFilenames": ["../x.md"]}}',
    /'agents\.additionalFilenames/,
  ],
];

const UNUSABLE: readonly Row[] = [
  ["__proto__", "config.json", '{"__proto__": {"agents": {"usage": false}}}', /__proto__/],
  ["__proto__ in YAML", "config.yaml", "__proto__:\n  agents:\n    usage: false\n", /__proto__/],
  ["__proto__ in TOML", "config.toml", "[__proto__.agents]\nusage = false\n", /__proto__/],
  ["a list", "config.json", "[]", /table/],
  ["a word", "config.yaml", "hello\n", /table/],
  ["JSON that is none", "config.json", '{"agents": {},\n"x" 1}', /line 2\b/],
  ["an empty .json", "config.json", "", /line 1\b/],
  ["YAML that is none", "config.yaml", "agents: {}\n  x: [\n", /line \d\b/],
  ["TOML that is none", "config.toml", "\n\nagents = \n", /line 3\b/],
  ["a key that stands twice", "config.json", '{"agents": {}, "agents": {}}', /duplicate key 'agents'/],
  ["a YAML alias", "config.yaml", "agents: &a\n  usage: false\nskills: *a\n", /aliases/],
  ["two YAML documents", "config.yaml", "agents: {}\n---\nagents: {}\n", /line \d/],
  ["deep nesting in YAML", "config.yaml", `agents: ${"{a: ".repeat(400)}1${"}".repeat(400)}\n`, /nested too deeply/],
  ["deep nesting in JSON", "config.json", '{"a":'.repeat(12_000), /nested too deeply/],
  ["deep nesting in TOML", "config.toml", `a = ${"[".repeat(30_000)}`, /./],
  ["more than 64 KiB", "config.json", PADDING(65_537), /larger than 65536 bytes/],
  ["a directory in its place", "config.yaml", dir, /not a regular file/],
  ["a FIFO in its place", "config.json", { fifo: true }, /not a regular file/],
  ["a device behind a link", "config.json", { link: "/dev/zero" }, /not a regular file/],
];

for (const [what, name, entry, problem] of [...MISTAKES, ...UNUSABLE]) {
  const isWhole = UNUSABLE.some((row) => row[0] === what);
  for (const place of ["repo/.codelia", "home/.codelia"]) {
    test(`config: ${what} in ${place}/${name} is reported, and the rest holds`, () => {
      using tree = broken({ [`${place}/${name}`]: entry });
      expectDropped(tree, `${place}/${name}`, problem, isWhole);
    });
  }
}

test("config: exactly 64 KiB is not too much", () => {
  using tree = broken({ "repo/.codelia/config.json": PADDING(65_536) });
  expect(tree.codelia(["config"])).toMatchObject({ stderr: "", exitCode: 0 });
});

for (const place of ["repo/.codelia", "home/.codelia", "home/.config/codelia"]) {
  test(`config: two formats side by side in ${place} are an error that names both`, () => {
    using tree = broken({ [`${place}/config.json`]: "{}", [`${place}/config.toml`]: "" });
    const { stderr, exitCode } = tree.codelia(["config"]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`'${tree.path(place, "config.json")}'`);
    expect(stderr).toContain(`'${tree.path(place, "config.toml")}'`);
    expect(tree.codelia(["resolve", "--json", "a/x"])).toMatchObject({ exitCode: 0 });
  });
}

test("config: config.yaml beside config.yml is two as well", () => {
  using tree = broken({ "repo/.codelia/config.yaml": "", "repo/.codelia/config.yml": "" });
  expect(tree.codelia(["config"]).exitCode).toBe(3);
});

test("config: while the user's layer is broken the project's holds, and the other way round", () => {
  using tree = broken({
    "home/.codelia/config.json": "{",
    "repo/.codelia/config.json": '{"agents": {"initial": {"maxFiles": 5}}}',
  });
  expect(tree.codelia(["config"])).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining("agents.initial.maxFiles = 5  (") as never,
  });
  tree.write("home/.codelia/config.json", '{"agents": {"initial": {"maxFiles": 6}}}');
  tree.write("repo/.codelia/config.json", "{");
  expect(tree.codelia(["config"])).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining("agents.initial.maxFiles = 6  (") as never,
  });
});

test("config: two broken layers are two warnings, and the environment and flags still hold", () => {
  using tree = broken({ "home/.codelia/config.json": "{", "repo/.codelia/config.json": "{" });
  const { stdout, stderr, exitCode } = tree.codelia(["resolve", "--json", "--root", "a", "a/x"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).files.map(({ path }: { path: string }) => path)).toEqual([tree.path("repo/a/AGENTS.md")]);
  expect(stderr.match(/^codelia: warning: config /gm)).toHaveLength(1);
  expect(tree.codelia(["resolve", "--json", "a/x"]).stderr.match(/^codelia: warning: config /gm)).toHaveLength(2);
});

test("config: while the user's own is broken, skills load loads nothing and exits 3", () => {
  using tree = broken({
    "home/.codelia/config.json": "{",
    "repo/.agents/skills/one/SKILL.md": "---\nname: one\ndescription: d\n---\nbody\n",
  });
  const { stdout, exitCode } = tree.codelia(["skills", "load", "one"]);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 3 });
});
