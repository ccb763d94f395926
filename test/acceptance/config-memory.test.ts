import { expect, test } from "bun:test";
import { readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dir } from "../support/temp-tree.ts";
import { bench, file, T0, type Bench } from "./agents-bench.ts";

// A parsed config is cached, so that a hook call need not parse it again, and is never used for another file.

const PROJECT = "repo/.codelia/config.json";
const USER = "home/.codelia/config.json";
const CACHE = "home/.cache/codelia";

function configured(count = 5): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    [PROJECT]: file(`{"agents": {"initial": {"maxFiles": ${count}}}}`),
    [USER]: file('{"agents": {"usage": false}}'),
  });
}

/** The config files that a call parses. */
function parsed(tree: Bench): string[] {
  const { stderr, exitCode } = tree.codelia(["resolve", "--no-state", "x"], { env: { CODELIA_TRACE: "1" } });
  expect(exitCode).toBe(0);
  return stderr
    .split("\n")
    .filter((line) => line.includes('"stage":"config-parse"'))
    .map((line) => JSON.parse(line).path.replace(`${tree.root}/`, ""))
    .toSorted();
}

/** A file that was written a moment ago is not cached yet, so this calls until it is. */
function settle(tree: Bench): void {
  for (let calls = 0; parsed(tree).length > 0; calls++) if (calls > 200) throw new Error("it is never remembered");
}

function maxFiles(tree: Bench): number {
  const { values } = JSON.parse(tree.codelia(["config", "--json"]).stdout);
  return values.find(({ key }: { key: string }) => key === "agents.initial.maxFiles").value;
}

test("memory: the first call parses both layers, a later one neither", () => {
  using tree = configured();
  expect(parsed(tree)).toEqual([USER, PROJECT]);
  settle(tree);
  for (const _ of [1, 2, 3]) expect(parsed(tree)).toEqual([]);
  expect(maxFiles(tree)).toBe(5);
});

test("memory: without a config file nothing is parsed or written", () => {
  using tree = bench({ "repo/.git/": dir });
  expect(parsed(tree)).toEqual([]);
  expect(readdirSync(tree.path("home"))).toEqual([]);
});

test("memory: other content under the same size and a restored mtime is noticed", () => {
  using tree = configured(5);
  settle(tree);
  tree.write(PROJECT, '{"agents": {"initial": {"maxFiles": 6}}}');
  tree.touch(PROJECT, T0);
  expect(parsed(tree)).toEqual([PROJECT]);
  expect(maxFiles(tree)).toBe(6);
});

test("memory: so is a file put in its place, of the same size and mtime", () => {
  using tree = configured(5);
  settle(tree);
  tree.write("repo/.codelia/new", '{"agents": {"initial": {"maxFiles": 7}}}');
  tree.touch("repo/.codelia/new", T0);
  renameSync(tree.path("repo/.codelia/new"), tree.path(PROJECT));
  expect(maxFiles(tree)).toBe(7);
});

test("memory: each of many quick changes is seen at once", () => {
  using tree = configured(1);
  for (let count = 2; count < 10; count++) {
    tree.write(PROJECT, `{"agents": {"initial": {"maxFiles": ${count}}}}`);
    tree.touch(PROJECT, T0);
    expect(maxFiles(tree)).toBe(count);
  }
});

test("memory: a file that goes is forgotten, one of another format in its place is read", () => {
  using tree = configured();
  settle(tree);
  tree.remove(PROJECT);
  expect(maxFiles(tree)).toBe(64);
  tree.write("repo/.codelia/config.toml", "[agents.initial]\nmaxFiles = 9\n");
  expect(maxFiles(tree)).toBe(9);
  tree.write(PROJECT, "{}");
  expect(tree.codelia(["config"]).exitCode).toBe(3);
});

test("memory: what is wrong with a file is remembered, and said each time", () => {
  using tree = configured();
  tree.write(PROJECT, '{"unknown": 1}');
  tree.write("repo/.codelia/unrelated", "");
  settle(tree);
  for (const _ of [1, 2]) {
    expect(tree.codelia(["resolve", "--no-state", "x"]).stderr).toContain("unknown key 'unknown'");
    expect(tree.codelia(["config"]).exitCode).toBe(3);
  }
});

test("memory: what a project may not decide is refused from memory as well", () => {
  using tree = configured();
  tree.write(PROJECT, '{"agents": {"root": {"markers": ["x"]}, "initial": {"maxFiles": 1000000}}}');
  settle(tree);
  const { stderr } = tree.codelia(["resolve", "--no-state", "x"]);
  expect(stderr).toContain("agents.root");
  expect(stderr).toContain("agents.initial.maxFiles");
  expect(maxFiles(tree)).toBe(1000);
});

test("memory: garbage in it, or a directory in its place, is no harm", () => {
  using tree = configured();
  settle(tree);
  const memories = readdirSync(tree.path(CACHE)).map((name) => `${CACHE}/${name}/config.json`);
  expect(memories).toHaveLength(2);
  for (const garbage of ["", "{", "null", '"x"', "{}", '{"layer":{"config":{"agents":{"initial":{"maxFiles":1}}}}}']) {
    for (const path of memories) writeFileSync(tree.path(path), garbage);
    expect(maxFiles(tree)).toBe(5);
  }
  for (const path of memories) {
    tree.remove(path);
    tree.write(`${path}/x`, "");
  }
  expect(maxFiles(tree)).toBe(5);
});

test("memory: it is the user's alone, below XDG_CACHE_HOME, and nothing of it is in the project", () => {
  using tree = configured();
  settle(tree);
  const [first = ""] = readdirSync(tree.path(CACHE));
  expect(statSync(tree.path(CACHE, first)).mode & 0o777).toBe(0o700);
  expect(statSync(tree.path(CACHE, first, "config.json")).mode & 0o077).toBe(0);
  expect(readdirSync(tree.path("repo/.codelia"))).toEqual(["config.json"]);
  const env = { XDG_CACHE_HOME: tree.path("cache") };
  tree.codelia(["config"], { env });
  expect(readdirSync(tree.path("cache"))).toEqual(["codelia"]);
});

test("memory: where it can't be kept the answer is the same", () => {
  using tree = configured();
  tree.write("home/.cache", "a file, not a directory");
  expect(maxFiles(tree)).toBe(5);
  expect(tree.codelia(["resolve", "--no-state", "x"])).toMatchObject({ stderr: "", exitCode: 0 });
});
