import { expect, test } from "bun:test";
import { flagNames, parseFlags, type FlagDefinition, type ParsedFlags } from "../../src/cli/args.ts";

const DEFINITIONS: Record<string, FlagDefinition> = {
  path: { type: "positional" },
  cwd: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", alias: "h" },
  "no-state": { type: "boolean" },
  since: { type: "string", valueHint: "[REV]" },
  mode: { type: "enum", options: ["a", "b"], alias: ["m"] },
};

function ok(flags: object, operands: string[] = []): ParsedFlags {
  return { kind: "ok", flags: Object.assign(Object.create(null), flags), operands };
}

const CASES: [does: string, argv: string[], expected: ParsedFlags][] = [
  ["is empty when nothing is given", [], ok({})],
  ["takes what is no flag for an operand", ["a", "b"], ok({}, ["a", "b"])],
  ["reads a value after a space", ["--cwd", "x"], ok({ cwd: "x" })],
  ["reads a value after '='", ["--cwd=x"], ok({ cwd: "x" })],
  ["keeps '=' in a value", ["--cwd=x=y"], ok({ cwd: "x=y" })],
  ["reads an empty value", ["--cwd="], ok({ cwd: "" })],
  ["reads an empty word as a value", ["--cwd", ""], ok({ cwd: "" })],
  ["takes a value that looks like a flag", ["--cwd", "--json"], ok({ cwd: "--json" })],
  ["takes '--' for a value where one is due", ["--cwd", "--", "x"], ok({ cwd: "--" }, ["x"])],
  ["reads a switch", ["--json"], ok({ json: true })],
  ["reads a switch by its letter", ["-h"], ok({ help: true })],
  ["reads a value by its letter", ["-m", "a"], ok({ mode: "a" })],
  ["takes 'no-' for a part of the name", ["--no-state"], ok({ "no-state": true })],
  [
    "takes the last of several, and tells of all",
    ["--cwd", "a", "--json", "--cwd=b", "-m", "a", "--cwd", "c", "--json"],
    { kind: "ok", flags: { cwd: "c", json: true, mode: "a" }, operands: [], repeated: { cwd: ["a", "b", "c"] } },
  ],
  ["finds flags among operands", ["a", "--json", "b"], ok({ json: true }, ["a", "b"])],
  ["takes '-' for an operand", ["-"], ok({}, ["-"])],
  ["takes an empty word for an operand", [""], ok({}, [""])],
  ["reads no flags after '--'", ["--json", "--", "--cwd", "-h", "--"], ok({ json: true }, ["--cwd", "-h", "--"])],
  ["takes a value that may be left out", ["--since", "main", "x"], ok({ since: "main" }, ["x"])],
  ["takes it after '='", ["--since=main", "x"], ok({ since: "main" }, ["x"])],
  ["leaves it out before a flag", ["--since", "--json"], ok({ since: "", json: true })],
  ["leaves it out before '--'", ["--since", "--", "x"], ok({ since: "" }, ["x"])],
  ["leaves it out at the end", ["--since"], ok({ since: "" })],
  ["refuses an unknown flag", ["--jsn"], { kind: "unknown_flag", flag: "--jsn" }],
  ["refuses an unknown flag without its value", ["--x=secret"], { kind: "unknown_flag", flag: "--x" }],
  ["refuses an unknown letter", ["-x"], { kind: "unknown_flag", flag: "-x" }],
  ["refuses a bundle of letters", ["-hm"], { kind: "unknown_flag", flag: "-hm" }],
  ["refuses a name with one dash", ["-json"], { kind: "unknown_flag", flag: "-json" }],
  ["refuses a letter with two dashes", ["--h"], { kind: "unknown_flag", flag: "--h" }],
  ["refuses a negation", ["--no-json"], { kind: "unknown_flag", flag: "--no-json" }],
  ["refuses an operand's name", ["--path", "x"], { kind: "unknown_flag", flag: "--path" }],
  ["refuses a property of every object", ["--constructor"], { kind: "unknown_flag", flag: "--constructor" }],
  ["refuses '--__proto__'", ["--__proto__=x"], { kind: "unknown_flag", flag: "--__proto__" }],
  ["refuses three dashes", ["---"], { kind: "unknown_flag", flag: "---" }],
  ["refuses '--='", ["--="], { kind: "unknown_flag", flag: "--" }],
  ["refuses a missing value", ["--json", "--cwd"], { kind: "missing_value", flag: "--cwd" }],
  ["refuses a switch with a value", ["--json=true"], { kind: "unexpected_value", flag: "--json" }],
  [
    "refuses what is no choice",
    ["--mode", "c"],
    { kind: "bad_choice", flag: "--mode", value: "c", choices: ["a", "b"] },
  ],
  ["refuses an empty choice", ["--mode="], { kind: "bad_choice", flag: "--mode", value: "", choices: ["a", "b"] }],
  ["reports the first of several", ["--x", "--cwd"], { kind: "unknown_flag", flag: "--x" }],
];
for (const [does, argv, expected] of CASES) {
  test(`parseFlags() ${does}`, () => {
    expect(parseFlags(argv, DEFINITIONS)).toEqual(expected);
  });
}

test("parseFlags() answers with a table that has no inherited names", () => {
  const parsed = parseFlags([], DEFINITIONS);
  expect(parsed.kind === "ok" && parsed.flags["toString"]).toBeUndefined();
});

test("flagNames() are what a user may type", () => {
  expect(flagNames(DEFINITIONS)).toEqual(["--cwd", "--json", "--help", "--no-state", "--since", "--mode"]);
});
