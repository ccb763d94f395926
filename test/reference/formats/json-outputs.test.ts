import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { copyTree, dir, tempTree, type TempTree } from "../../support/temp-tree.ts";
import { recordOfWrite } from "../../support/samples.ts";
import { REPOSITORY, runCodelia, type RunOptions } from "../../support/run-codelia.ts";
import { describeCommands } from "../commands.ts";
import { JSON_OUTPUTS, OTHER_FORMS } from "./json-outputs.ts";
import { RUN_EVENTS } from "./run-events.ts";
import { fieldsOf } from "./sections.ts";

// Each plays many commands in a row.
setDefaultTimeout(60_000);

// The tables of the reference on JSON are what the built program prints and writes.

const SKILL = "---\nname: good\ndescription: A good one\n---\nText.\n";
const LONG = "line\n".repeat(100);

/** One call after the other in one tree: what a command prints may depend on what was done before. */
const CALLS: readonly (readonly [words: string, args: readonly string[], more?: Partial<RunOptions>])[] = [
  ["init-context", []],
  ["resolve", ["sub/x.ts"]],
  ["resume-diff", []],
  ["session list", []],
  ["session reset", []],
  ["check", []],
  ["check", ["--fix"]],
  ["check", ["--baseline", "known.json"]],
  ["preview", ["sub/x.ts"]],
  ["report", []],
  ["audit", ["session.jsonl"]],
  ["explain", []],
  ["inspect", []],
  ["inspect", ["--include-skills"]],
  ["install", ["claude", "--dry-run"]],
  ["install", ["claude", "--yes"]],
  ["doctor", ["claude", "--calls", "0"]],
  ["uninstall", ["claude", "--yes"]],
  ["config", []],
  ["trim", ["--max-bytes", "100"], { stdin: LONG }],
  ["plugins", []],
  ["trust", ["greet", "--yes"]],
  ["trust", ["--list"]],
  ["trust", ["greet", "--revoke"]],
  ["trust", ["greet", "--yes"]],
  ["schema", []],
  ["rule", []],
  ["rule", ["skill-name"]],
  ["agent new", ["fresh"]],
  ["agent validate", ["greet"]],
  ["agent run", ["greet", "--var", "who=she", "--log", "run.jsonl"]],
  ["agent start", ["greet", "--var", "who=she", "--session", "s"]],
  ["agent status", []],
  ["agent stop", []],
  ["skills list", []],
  ["skills search", ["good"]],
  ["skills load", ["good"]],
  ["skills check", []],
];

test("the tables name the commands that have --json, each of which is played, and those that have not", async () => {
  const commands = await describeCommands();
  const having = commands.filter(({ common }) => common.some(({ name }) => name === "--json"));
  const others = commands.filter((command) => !having.includes(command));
  expect(Object.keys(JSON_OUTPUTS)).toEqual(having.map(({ words }) => words));
  expect(Object.keys(OTHER_FORMS).toSorted()).toEqual(others.map(({ words }) => words).toSorted());
  expect([...new Set(CALLS.map(([words]) => words))].toSorted()).toEqual(Object.keys(JSON_OUTPUTS).toSorted());
});

test("under --json each command prints the fields that the table names, by the schema that it names", () => {
  using tree = stage();
  const seen = new Map<string, Set<string>>();
  for (const [words, args, more] of CALLS) {
    const { stdout, exitCode } = codelia(tree, [...words.split(" "), ...args, "--json"], more);
    expect({ words, exitCode, isOneLine: /^[^\n]+\n$/.test(stdout) }).toEqual({ words, exitCode: 0, isOneLine: true });
    const printed = JSON.parse(stdout);
    const { schema, items = {} } = JSON_OUTPUTS[words] ?? {};
    if (schema !== undefined) expect(complaints(schema, printed)).toEqual([]);
    for (const [field, name] of Object.entries(items)) {
      expect(printed[field].length).toBeGreaterThan(0);
      expect(printed[field].flatMap((item: unknown) => complaints(name, item))).toEqual([]);
    }
    const fields = fieldsOf(JSON_OUTPUTS[words] ?? {});
    expect(Object.keys(printed)).toEqual(expect.arrayContaining(fields.filter((field) => !field.endsWith("?"))));
    seen.set(words, new Set([...(seen.get(words) ?? []), ...Object.keys(printed)]));
  }
  // How a run fails is not played: its schema names one field more than a success has.
  const known = { "agent run": ["error", "failure"] };
  for (const [words, output] of Object.entries(JSON_OUTPUTS)) {
    const named = fieldsOf(output).map((field) => field.replace("?", ""));
    const played = [...(seen.get(words) ?? []), ...(known[words as keyof typeof known] ?? [])];
    expect([words, played.toSorted()]).toEqual([words, named.toSorted()]);
  }
  expectFiles(tree);
});

test("names are in camelCase, except those that the specification of skills gives", () => {
  const names = Object.values(JSON_OUTPUTS).flatMap((output) =>
    fieldsOf(output).map((field) => field.replace("?", "")),
  );
  const others = names.filter((name) => !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(name));
  expect(others.toSorted()).toEqual(["mtime_ms", "skill_id"]);
});

/** What the calls above have left, in the formats that the reference names. */
function expectFiles(tree: TempTree): void {
  expect(complaints("ledger", JSON.parse(tree.read("repo/.codelia/session.json")))).toEqual([]);
  const runs = readdirSync(tree.path("repo/.codelia/agents")).filter((name) => name.endsWith(".json"));
  expect(runs).toHaveLength(2);
  for (const name of runs) {
    expect(complaints("agent-run", JSON.parse(tree.read(`repo/.codelia/agents/${name}`)))).toEqual([]);
  }
  const [output = ""] = readdirSync(tree.path("repo/.codelia/outputs"));
  expect(tree.read(`repo/.codelia/outputs/${output}`)).toBe(LONG);
  const lines = tree.read("repo/run.jsonl").trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const { time, event, ...fields } = JSON.parse(line);
    expect(new Date(time).toISOString()).toBe(time);
    const described = RUN_EVENTS.find(({ name }) => name === event)?.fields ?? [];
    expect(Object.keys(fields).filter((field) => !described.includes(field))).toEqual([]);
    expect(described.filter((field) => !(field in fields) && field !== "structured")).toEqual([]);
  }
}

function stage(): TempTree {
  const tree = tempTree({
    "home/": dir,
    "repo/.git/": dir,
    "repo/AGENTS.md": "Root.\n",
    "repo/sub/AGENTS.md": "Sub.\n",
    "repo/.agents/skills/good/SKILL.md": SKILL,
    "repo/known.json": '{ "version": 1, "findings": [] }\n',
  });
  tree.write("repo/session.jsonl", recordOfWrite(tree.path("repo"), "sub/x.ts"));
  copyTree(join(REPOSITORY, "test/fixtures/trees/greeter/greet"), tree.path("repo/greet"));
  return tree;
}

function codelia(tree: TempTree, args: readonly string[], more: Partial<RunOptions> = {}) {
  return runCodelia(args, { cwd: tree.path("repo"), home: tree.path("home"), ...more });
}

const validators = new Map<string, Ajv.ValidateFunction>();

/** What the schema that the program prints has against a value. */
function complaints(name: string, value: unknown): string[] {
  let validate = validators.get(name);
  if (validate === undefined) {
    const { stdout } = runCodelia(["schema", name], { cwd: REPOSITORY, home: REPOSITORY });
    // The draft that it names is newer than this validator, what it uses of it is not.
    const { $schema: _draft, ...schema } = JSON.parse(stdout);
    validate = new Ajv().compile(schema);
    validators.set(name, validate);
  }
  return validate(value) === true
    ? []
    : (validate.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
}
