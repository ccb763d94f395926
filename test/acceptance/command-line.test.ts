import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { bench, file, NOTHING, says, type Bench } from "./agents-bench.ts";

// Flags, errors and exit codes. Never 2: hooks of clients read 2 as "block the tool".

function errorTree(): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/--help/AGENTS.md": file("a directory named like a flag\n"),
    "broken/.git/": dir,
    "broken/.codelia/config.json": '{"unknown": 1}',
    "broken/AGENTS.md": file("root\n"),
  });
}

const ERRORS: readonly (readonly [args: readonly string[], exitCode: number, code: string, sentence: RegExp])[] = [
  [["reslove"], 64, "unknown_command", /'reslove', did you mean 'resolve'\?/],
  [["constructor"], 64, "unknown_command", /'constructor'/],
  [["__proto__"], 64, "unknown_command", /'__proto__'/],
  [[""], 64, "unknown_command", /''/],
  [["session", "lst"], 64, "unknown_command", /did you mean 'list'\?/],
  [["session", "toString"], 64, "unknown_command", /'session toString'/],
  [["resolve", "--jsn", "x"], 64, "unknown_flag", /'--jsn', did you mean '--json'\?/],
  [["resolve", "-x"], 64, "unknown_flag", /'-x'/],
  [["resolve", "--constructor", "x"], 64, "unknown_flag", /'--constructor'/],
  [["resolve", "--path", "x"], 64, "unknown_flag", /'--path'/],
  [["resolve"], 64, "usage", /needs a path/],
  [["resolve", "--"], 64, "usage", /needs a path/],
  [["resolve", "x", "--cwd"], 64, "usage", /'--cwd' needs a value/],
  [["resolve", "x", "--quiet=yes"], 64, "usage", /'--quiet' takes no value/],
  [["resolve", "x", "--cwd", "absent"], 1, "no_such_directory", /'absent' is not a directory/],
  [["resolve", "x", "--cwd", "AGENTS.md"], 1, "no_such_directory", /'AGENTS\.md' is not a directory/],
  [["resolve", "x", "--root", "absent"], 1, "no_such_directory", /'absent' is not a directory/],
  [["init-context", "--only", "agnts"], 64, "usage", /'agnts'.*agents, skills/],
  [["init-context", "--only", ""], 64, "usage", /''.*agents, skills/],
  [["init-context", "x"], 64, "usage", /takes no 'x'/],
  [["resume-diff", "x"], 64, "usage", /takes no 'x'/],
  [["session", "list", "x"], 64, "usage", /takes no/],
  [["session", "reset", "x"], 64, "usage", /takes no/],
  [["config", "x"], 64, "usage", /takes no/],
  [["trim", "x"], 64, "usage", /takes no/],
  [["schema", "config", "x"], 64, "usage", /./],
  [["trim", "--max-bytes", "0"], 64, "usage", /'0'/],
  [["trim", "--max-bytes", "many"], 64, "usage", /'many'/],
  [["trim", "--max-bytes", "-1"], 64, "usage", /'-1'/],
  [["schema", "confg"], 1, "not_found", /'confg', did you mean 'config'\?/],
  [["skills", "load", "absent"], 1, "not_found", /'absent'/],
  [["config", "--cwd", "../broken"], 3, "config_unusable", /broken\/\.codelia\/config\.json/],
];

for (const [args, exit, code, sentence] of ERRORS) {
  test(`errors: 'codelia ${args.join(" ")}' is ${code}, exit ${exit}, a sentence on stderr`, () => {
    using tree = errorTree();
    const { stdout, stderr, exitCode } = tree.codelia(args, { stdin: "text" });
    expect(exitCode).toBe(exit);
    const last = stderr.trimEnd().split("\n").at(-1) ?? "";
    expect(last).toStartWith("codelia: ");
    expect(last).toMatch(sentence);
    expect(last).not.toEndWith(".");
    if (code !== "config_unusable") expect(stdout).toBe("");
  });

  test(`errors: 'codelia ${args.join(" ")}' is an object too under --json`, () => {
    using tree = errorTree();
    const { stdout, stderr, exitCode } = tree.codelia(args.toSpliced(verbLength(args), 0, "--json"), { stdin: "text" });
    expect(exitCode).toBe(exit);
    expect(stdout.match(/\n/g)).toHaveLength(1);
    const { error } = JSON.parse(stdout);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(sentence);
    expect(stderr).toEndWith(`codelia: ${error.message}\n`);
  });
}

/** How many words name the command. */
function verbLength([first = ""]: readonly string[]): number {
  return ["session", "skills"].includes(first) ? 2 : 1;
}

test("errors: --quiet keeps warnings back, and no error", () => {
  using tree = errorTree();
  expect(tree.codelia(["resolve", "--quiet", "--cwd", "absent", "x"]).stderr).toBe(
    "codelia: 'absent' is not a directory\n",
  );
  expect(tree.codelia(["config", "--quiet", "--cwd", "../broken"])).toMatchObject({ exitCode: 3 });
  expect(tree.codelia(["resolve", "--quiet", "--cwd", "../broken", "x"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("errors: asked for, help and version are data; a bare call is told how on stderr", () => {
  using tree = errorTree();
  for (const args of [["--help"], ["-h"], ["help"], ["resolve", "--help"], ["session", "--help"], ["config", "-h"]]) {
    const { stdout, stderr, exitCode } = tree.codelia(args);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toMatch(/usage/i);
    expect(stdout).not.toContain("\u001B");
  }
  expect(tree.codelia(["--version"])).toEqual(says("0.1.0\n"));
  for (const args of [[], ["session"], ["skills"]]) {
    const { stdout, stderr, exitCode } = tree.codelia(args);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 64 });
    expect(stderr).toMatch(/^Usage: /);
  }
});

test("errors: a flag of another command is not taken for a misspelt one", () => {
  using tree = errorTree();
  expect(tree.codelia(["config", "--session", "s"])).toEqual({
    stdout: "",
    stderr: "codelia: unknown flag '--session'; see its --help\n",
    exitCode: 64,
  });
});

test("errors: --version is a common flag: a command tells the version as well", () => {
  using tree = errorTree();
  for (const command of [["resolve"], ["config"], ["session", "list"]]) {
    expect(tree.codelia([...command, "--version"])).toEqual(says("0.1.0\n"));
  }
});

test("errors: after -- nothing is a flag", () => {
  using tree = errorTree();
  const both = ["repo/AGENTS.md", "repo/--help/AGENTS.md"];
  expect(tree.resolve(["--no-state", "--", "--help/x"])).toEqual(both);
  expect(tree.resolve(["--no-state", "--", "--help"])).toEqual(both);
  expect(tree.codelia(["resolve", "--no-state", "--", "--json"]).stdout).toStartWith("<system-reminder");
});

test("errors: a flag's value is never taken from the next flag without a word", () => {
  using tree = errorTree();
  const { stdout, exitCode } = tree.codelia(["resolve", "--session", "--json", "x"]);
  // Either '--session' has no value, or the session is named '--json' and the output is not JSON.
  if (exitCode === 0) expect(stdout).toStartWith("<system-reminder");
  else expect(exitCode).toBe(64);
});

test("errors: no mistake ends in 2, or in an internal error", () => {
  using tree = errorTree();
  const words = [
    "",
    "-",
    "--",
    "---",
    "-1",
    "=",
    "--=",
    "--json=",
    "--cwd=",
    "\n",
    "\u0001",
    "a".repeat(100_000),
    "../../../..",
    "/",
  ];
  const verbs = ["", "resolve", "init-context", "resume-diff", "config", "schema", "session", "trim", "skills", "help"];
  for (const verb of verbs) {
    for (const word of words) {
      const { exitCode, stderr } = tree.codelia([verb, word, "--no-state"], { stdin: "text" });
      expect([0, 1, 64]).toContain(exitCode);
      expect(stderr).not.toContain("internal error");
    }
  }
});

test("errors: an empty NO_COLOR or a closed stdin is no reason for anything", () => {
  using tree = errorTree();
  expect(tree.codelia(["resume-diff", "--cwd", ".", "--no-state", "--quiet"], { env: { NO_COLOR: "" } }).exitCode).toBe(
    0,
  );
  tree.codelia(["resolve", "x"]);
  expect(tree.codelia(["resolve", "x"], { env: { NO_COLOR: "1", TERM: "xterm" } })).toEqual(NOTHING);
});
