import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { array, constantFrom, oneof, property, tuple, type Arbitrary } from "fast-check";
import { isIgnored, readIgnoreRules, type IgnoreRules } from "../../src/lib/ignore.ts";
import { dir, tempTree } from "../support/temp-tree.ts";
import { testProperty } from "./fuzz.ts";

// What is ignored is what `git check-ignore` says is ignored.

const NAMES = ["a", "b", "ab", "a.b", "!a", "#a", " ", "a ", "[a]", "A", "a-b", "*", "aab", "-", "]", "a\\b", "^"];
const DIRECTORIES = ["a", "b", "ab", "!a"];

const table = Object.fromEntries(
  ["", ...DIRECTORIES.map((name) => `${name}/`), "a/a/", "a/b/", "a/b/ab/", "b/a/"].flatMap((place) =>
    NAMES.map((name) => [place + name, ""] as const),
  ),
);
const isPlace = (path: string) => Object.keys(table).some((other) => other.startsWith(`${path}/`));
const files = Object.fromEntries(Object.entries(table).filter(([path]) => !isPlace(path)));
const tree = tempTree({ "home/": dir, ...prefixed(files) });
afterAll(() => tree[Symbol.dispose]());
git(["init", "--quiet"]);

const PATHS = [...new Set(Object.keys(table).flatMap(withParents))].toSorted();

function piece(): Arbitrary<string> {
  const units = ["a", "b", "ab", "*", "**", "?", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a", "]", "\\", "\\*"];
  return constantFrom(
    ...units,
    ".",
    "-",
    " ",
    "!",
    "#",
    "A",
    "[[:upper:]]",
    "[[:x:]]",
    "[[:]",
    "[-a]",
    "[a-]",
    "[\\]]",
    "[!-^]",
  );
}

function line(): Arbitrary<string> {
  const joined = (prefixes: string[], ends: string[]) =>
    tuple(constantFrom(...prefixes), array(piece(), { minLength: 1, maxLength: 5 }), constantFrom(...ends)).map(
      ([prefix, pieces, end]) => prefix + pieces.join("") + end,
    );
  const plausible = constantFrom(
    "a",
    "b/",
    "/a",
    "a/b",
    "**/ab",
    "a/**",
    "a/**/ab",
    "*.b",
    "!a",
    "!a/b",
    "# a",
    "*",
    "!*/",
  );
  return oneof(joined(["", "!", "/", "**/"], ["", "/", "/**", " ", "\\ ", "\r"]), plausible);
}

function lines(): Arbitrary<string> {
  // Git reads a slash behind a backslash in two ways, depending on what stands before it.
  return tuple(
    array(
      line().filter((written) => !written.includes("\\/")),
      { maxLength: 6 },
    ),
    constantFrom("\n", ""),
  ).map(([all, end]) => all.join("\n") + end);
}

testProperty(
  "isIgnored() says what git check-ignore says",
  property(lines(), lines(), lines(), (exclude, top, below) => {
    tree.write("repo/.git/info/exclude", exclude);
    tree.write("repo/.gitignore", top);
    tree.write("repo/a/.gitignore", below);
    const base = tree.path("repo");
    const outer = readIgnoreRules(base, top, readIgnoreRules(base, exclude, undefined));
    const inner = readIgnoreRules(`${base}/a`, below, outer);
    const ours = PATHS.filter((path) => isBelowIgnored(base, path, outer, inner));
    expect(ours).toEqual(gitSays());
  }),
);

test("a pattern of many stars takes no time", () => {
  const rules = readIgnoreRules("/r", `${"*a".repeat(200)}b\n${"**/*a*/".repeat(50)}b\n`, undefined);
  const start = performance.now();
  expect(isIgnored(rules, `/r/${"aaaa/".repeat(200)}x`, "a".repeat(250), false)).toBe(false);
  expect(performance.now() - start).toBeLessThan(500);
});

function isBelowIgnored(base: string, path: string, outer: IgnoreRules, inner: IgnoreRules): boolean {
  const names = path.split("/");
  return names.some((name, index) => {
    const directory = [base, ...names.slice(0, index)].join("/");
    const rules = names[0] === "a" && index > 0 ? inner : outer;
    return isIgnored(rules, directory, name, index < names.length - 1 || isPlace(path));
  });
}

function gitSays(): string[] {
  // A name that begins with a colon or an exclamation mark is a path, not a pattern for paths.
  const { stdout, stderr, status } = git(
    ["check-ignore", "--no-index", "-z", "--stdin"],
    PATHS.map((path) => `./${path}`).join("\0"),
  );
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return stdout.split("\0").flatMap((path) => (path === "" ? [] : [path.slice(2)]));
}

function git(args: string[], input = "") {
  const env = { PATH: process.env["PATH"] ?? "", HOME: tree.path("home"), GIT_CONFIG_NOSYSTEM: "1" };
  return spawnSync("git", args, { cwd: tree.path("repo"), env, input, encoding: "utf8" });
}

function withParents(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function prefixed(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([path, text]) => [`repo/${path}`, text]));
}
