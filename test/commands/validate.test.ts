import { expect, test } from "bun:test";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";
import { definitionFiles, rightDefinition } from "../agent/definitions.ts";

const PROJECT = { ".git/HEAD": "ref: refs/heads/main\n" };

test("agent validate says that a right definition is right, by path and by name", () => {
  using tree = tempTree({
    ...PROJECT,
    ...definitionFiles(".agents/agents/improver", rightDefinition()),
    "sub/a.txt": "",
  });
  const at = tree.path(".agents/agents/improver/agent.json");
  for (const [named, cwd] of [
    [".agents/agents/improver", "."],
    ["improver", "sub"],
  ] as const) {
    const result = runCodelia(["agent", "validate", named], { cwd: tree.path(cwd), home: tree.path("home") });
    expect(result).toEqual({ stdout: `${at}: 0 errors, 0 warnings\n`, stderr: "", exitCode: 0 });
  }
  const json = runCodelia(["agent", "validate", "improver", "--json"], { cwd: tree.root, home: tree.path("home") });
  expect(json).toEqual({ stdout: '{"valid":true,"errors":[],"warnings":[],"notes":[]}\n', stderr: "", exitCode: 0 });
});

test("agent validate names every error with file and pointer, and exits 3", () => {
  const definition = rightDefinition();
  definition.entryStep = "mesure";
  definition.steps.build.prompt = { path: "no.md" };
  using tree = tempTree(definitionFiles("a", definition));
  const options = { cwd: tree.root, home: tree.path("home") };
  const { stdout, ...rest } = runCodelia(["agent", "validate", "a"], options);
  expect(rest).toEqual({ stderr: "", exitCode: 3 });
  expect(stdout).toBe(
    `error /entryStep: there is no step 'mesure', did you mean 'measure'?
error /steps/build/prompt: prompt 'no.md' can't be used: there is no 'no.md'
${tree.path("a/agent.json")}: 2 errors, 0 warnings
`,
  );
  const json = runCodelia(["agent", "validate", "a", "--json"], options);
  expect(json.exitCode).toBe(3);
  expect(JSON.parse(json.stdout)).toMatchObject({
    valid: false,
    errors: [
      { code: "entry", file: tree.path("a/agent.json"), pointer: "/entryStep" },
      { code: "prompt", file: tree.path("a/agent.json"), pointer: "/steps/build/prompt" },
    ],
  });
});

test("agent validate of what can't be read is one more error", () => {
  using tree = tempTree({ "a/agent.json": '{"name": }' });
  const options = { cwd: tree.root, home: tree.path("home") };
  const { stdout, stderr, exitCode } = runCodelia(["agent", "validate", "a", "--json"], options);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("line 1, column 10");
  expect(JSON.parse(stdout)).toMatchObject({
    valid: false,
    errors: [{ code: "ParseError", file: tree.path("a/agent.json"), pointer: "", line: 1, column: 10 }],
  });
  const none = runCodelia(["agent", "validate", "b", "--json"], options);
  expect([none.exitCode, JSON.parse(none.stdout).errors[0].code]).toEqual([1, "NotFound"]);
  const usage = runCodelia(["agent", "validate"], options);
  expect([usage.exitCode, usage.stdout]).toEqual([64, ""]);
});
