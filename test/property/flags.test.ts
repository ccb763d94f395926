import { expect } from "bun:test";
import { parseArgs, type ArgsDef } from "citty";
import { array, constantFrom, oneof, option, property, string, tuple, type Arbitrary } from "fast-check";
import { COMMON_ARGS, parseFlags } from "../../src/cli/args.ts";
import { testProperty } from "./fuzz.ts";

const DEFINITIONS = {
  path: { type: "positional", required: false, description: "" },
  "max-bytes": { type: "string", description: "" },
  mode: { type: "enum", options: ["fast", "slow"], alias: "m", description: "" },
  ...COMMON_ARGS,
} as const satisfies ArgsDef;
const NAMES = Object.keys(DEFINITIONS).filter((name) => name !== "path");
const STRINGS = ["--max-bytes", "--cwd", "--root", "--session", "--agent"];
const IDENTIFIERS = new Set(["--session", "--agent"]);
const SWITCHES = ["--json", "--no-state", "--quiet", "--help", "-h"];

/** citty drops every word that begins so, wherever it stands. */
const isNegation = (word: string) => word.startsWith("--no-");

function anyValue(): Arbitrary<string> {
  const tricky = constantFrom("", "-", "--", "-h", "--json", "--cwd", "a=b", "=", "/r/a b", "日本");
  return oneof(tricky, string({ unit: "binary" })).filter((value) => !isNegation(value));
}

/** An identifier is not empty. */
const anyFlag = () =>
  tuple(constantFrom(...STRINGS), anyValue()).filter(([flag, value]) => value !== "" || !IDENTIFIERS.has(flag));

function validWords(): Arbitrary<string[]> {
  const words = oneof(
    anyFlag(),
    anyFlag().map(([flag, value]) => [`${flag}=${value}`]),
    constantFrom(["--mode", "fast"], ["--mode=slow"], ["-m", "slow"]),
    constantFrom(...SWITCHES).map((flag) => [flag]),
    anyValue().map((value) => (value.startsWith("-") ? ["-"] : [value])),
  );
  const rest = option(array(anyValue(), { maxLength: 4 }), { nil: undefined });
  return tuple(array(words, { maxLength: 8 }), rest).map(([groups, after]) =>
    groups.flat().concat(after === undefined ? [] : ["--"], after ?? []),
  );
}

testProperty(
  "parseFlags() reads a valid command line as citty does, but for '--no-state', which citty takes for a negation",
  property(validWords(), (argv) => {
    const ours = parseFlags(argv, DEFINITIONS);
    if (ours.kind !== "ok") throw new Error(`refused: ${JSON.stringify(ours)}`);
    const theirs: Record<string, unknown> & { _: string[] } = parseArgs(argv, DEFINITIONS);
    if (theirs["state"] === false) theirs["no-state"] = true;
    expect(ours.operands).toEqual(theirs._);
    for (const name of NAMES) expect([name, ours.flags[name]]).toEqual([name, theirs[name] as never]);
    expect(Object.keys(ours.flags).filter((name) => !NAMES.includes(name))).toEqual([]);
  }),
);
