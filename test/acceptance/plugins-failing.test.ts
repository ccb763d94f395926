import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { before, eventText } from "../support/hook-calls.ts";
import { moduleOf, plugged, type PluginEntry } from "../support/plugged.ts";
import { startCodelia } from "../support/run-codelia.ts";
import type { Entry } from "../support/temp-tree.ts";
import type { Bench } from "./agents-bench.ts";

// A plugin that throws, hangs or returns nonsense is reported and skipped.

const HOOK = "agents:chain";
const own = (body: string) => moduleOf(HOOK, body);
const hooks = [HOOK];

interface Case {
  readonly plugin: Omit<PluginEntry, "hooks">;
  readonly file?: Entry;
  readonly reason: string | RegExp;
}

function module(text: string, reason: Case["reason"], name = "p.ts"): Case {
  return { plugin: { path: name }, file: text, reason };
}

function program(text: string, reason: Case["reason"]): Case {
  return { plugin: { command: ["./p.sh"] }, file: { text: `#!/bin/sh\n${text}\n`, mode: 0o755 }, reason };
}

const SCHEMA = "its answer does not match the schema 'plugin-agents-chain': ";

const CASES: Readonly<Record<string, Case>> = {
  "a module that throws": module(own("throw new Error('no\\nway')"), "it threw: no"),
  "a module that throws nothing much": module(own("throw undefined"), "it threw: undefined"),
  "a module that rejects": module(own("return Promise.reject(new Error('later'))"), "it threw: later"),
  "a module that throws when it is loaded": module(
    "throw new Error('early');\nexport default {};\n",
    "it can't be loaded: early",
  ),
  "a module that does not parse": module("export default {", "it can't be loaded: "),
  "a module that imports a package": module('import "is-number";\nexport default {};\n', "it can't be loaded: "),
  "a module without a default export": module(
    "export const x = 1;\n",
    "its default export has no function 'agents:chain'",
  ),
  "a module without this hook": module(
    moduleOf("agents:pending", ""),
    "its default export has no function 'agents:chain'",
  ),
  "a module with a hook that is no function": module(
    `export default { "${HOOK}": 1 };\n`,
    "its default export has no function",
  ),
  "a module that exits": module(own("process.exit(0)"), "it ended without an answer"),
  "a module that exits with a code": module(own("process.exit(9)"), "it ended with exit code 9"),
  "a module that kills itself": module(own("process.kill(process.pid, 'SIGKILL')"), "it ended with SIGKILL"),
  "a module that gives back a number": module(own("return 1"), `${SCHEMA}it must be a table, got 1`),
  "a module that gives back null": module(own("return null"), `${SCHEMA}it must be a table, got null`),
  "a module that gives back half of it": module(own("return { files: [] }"), `${SCHEMA}'targets' is missing`),
  "a module that gives back more than there is": module(
    own("return { ...data, more: 1 }"),
    `${SCHEMA}unknown key 'more'; known here: targets, files`,
  ),
  "a module that gives back a circle": module(
    own("data.self = data; return data"),
    "its answer can't be written as JSON",
  ),
  "a module that adds a relative path": module(
    own("return { ...data, files: [{ path: 'x.md' }] }"),
    "'x.md' is not an absolute path",
  ),
  "a module that adds a directory": module(
    own("return { ...data, files: [{ path: context.root }] }"),
    "is not a regular file",
  ),
  "a module that adds a device": module(
    own("return { ...data, files: [{ path: '/dev/zero' }] }"),
    "'/dev/zero' is not a regular file",
  ),
  "a module that adds what is not there": module(
    own("return { ...data, files: [{ path: '/nowhere/x.md' }] }"),
    "'/nowhere/x.md' can't be looked at (ENOENT)",
  ),
  "a module that adds a giant": module(
    own(
      "const path = context.root + '/giant.md'; fs.writeFileSync(path, ''); fs.truncateSync(path, 2 ** 21); return { ...data, files: [{ path }] }",
    ),
    "/giant.md' is larger than 1048576 bytes",
  ),
  "a module that adds too many": module(
    own(
      "const files = Array.from({ length: 65 }, (_, n) => ({ path: context.root + '/AGENTS.md/../' + n + '.md' })); for (const { path } of files) fs.writeFileSync(context.root + '/' + path.split('/').pop(), ''); return { ...data, files: files.map(({ path }) => ({ path: context.root + '/' + path.split('/').pop() })) }",
    ),
    "it adds more than 64 files",
  ),
  "a module that is not there": { plugin: { path: "p.ts" }, reason: /'.*\/p\.ts' is not a file/ },
  "a directory for a module": { plugin: { path: "p.ts" }, file: { dir: true }, reason: /'.*\/p\.ts' is not a file/ },
  "a program that fails": program("echo >&2; echo too bad >&2; exit 3", "it ended with exit code 3: too bad"),
  "a program that is killed": program("kill -9 $$", "it ended with SIGKILL"),
  "a program that prints no JSON": program("echo hello", "its output is not JSON"),
  "a program that prints two objects": program("echo '{}'; echo '{}'", "its output is not JSON"),
  "a program that prints without end": program("exec yes", "it printed more than 16777216 bytes"),
  "a program of an unknown kind": {
    plugin: { command: ["./p.sh"] },
    file: { text: "\u0001", mode: 0o755 },
    reason: "it can't be started (ENOEXEC)",
  },
  "a program that may not be run": {
    plugin: { command: ["./p.sh"] },
    file: { text: "", mode: 0o644 },
    reason: "it can't be started (EACCES)",
  },
  "a program that is nowhere": {
    plugin: { command: ["no-such-program-of-mine"] },
    reason: "'no-such-program-of-mine' is not on PATH",
  },
};

const GOOD = own("return { ...data, files: [...data.files, { path: context.root + '/good.md' }] }");

/** Failing plugins, each in a directory of its own, and then a good one, which must still be asked. */
function failing(cases: readonly Case[]): Bench {
  const files = cases.flatMap(({ plugin, file }, index) => {
    const name = plugin.path ?? plugin.command?.[0]?.replace("./", "");
    return file === undefined ? [] : [[`home/.codelia/${index}/${name}`, file] as const];
  });
  const entries = cases.map(({ plugin: { path, command = [] } }, index) => ({
    name: `bad-${index}`,
    ...(path === undefined
      ? { command: command.map((word) => word.replace("./", `${index}/`)) }
      : { path: `${index}/${path}` }),
    hooks,
  }));
  return plugged([...entries, { path: "good.ts", hooks }], {
    ...Object.fromEntries(files),
    "home/.codelia/good.ts": GOOD,
    "repo/good.md": "Good.\n",
  });
}

/** What was printed about each failing plugin, if it is not what was expected. */
function misreported(stderr: string, cases: Readonly<Record<string, Case>>): string[] {
  return Object.entries(cases).flatMap(([what, { reason }], index) => {
    const begin = `codelia: warning: plugin 'bad-${index}' is skipped at 'agents:chain': `;
    const said = stderr.split("\n").filter((line) => line.startsWith(begin));
    const isRight =
      said.length === 1 && (typeof reason === "string" ? said[0]?.includes(reason) : reason.test(said[0] ?? ""));
    return isRight ? [] : [`${what}: ${said.join("; ")}`];
  });
}

for (const start of [0, 12, 24]) {
  const cases = Object.fromEntries(Object.entries(CASES).slice(start, start + 12));
  test(`${Object.keys(cases).join(", ")}: reported and skipped`, () => {
    using tree = failing(Object.values(cases));
    const { stdout, stderr, exitCode } = tree.codelia(["resolve", "x"]);
    expect(misreported(stderr, cases)).toEqual([]);
    expect([exitCode, stderr.trim().split("\n").length]).toEqual([0, Object.keys(cases).length]);
    expect(stdout).toContain(`- ${tree.path("repo/AGENTS.md")} `);
    expect(stdout).toContain(`- ${tree.path("repo/good.md")} `);
  });
}

test("every way to fail is in one of those", () => {
  expect(Object.keys(CASES).length).toBeLessThanOrEqual(36);
});

/** Their time limits of 2 s pass at the same time. */
const HANGING: readonly Omit<Case, "reason">[] = [
  module(own("for (;;);"), ""),
  module("for (;;);\n", ""),
  module(own("return new Promise(() => {})"), ""),
  module(own("return new Promise((go) => setTimeout(go, 60_000, data))"), ""),
  program("exec sleep 60", ""),
  program("trap '' TERM INT HUP; while :; do sleep 1; done", ""),
];

test("a module that loops or waits, a program that waits or won't end: ended after 2 s, reported and skipped", async () => {
  const runs = HANGING.map(async (example) => {
    const cases = { it: { ...example, reason: "it did not end within 2000 ms" } };
    using tree = failing(Object.values(cases));
    const options = { cwd: tree.path("repo"), home: tree.path("home") };
    const { stdout, stderr, exitCode } = await startCodelia(["resolve", "x"], options);
    expect(misreported(stderr, cases)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`- ${tree.path("repo/good.md")} `);
  });
  await Promise.all(runs);
});

for (const [what, body] of [
  ["prints to standard output", "console.log('codelia-plugin'); process.stdout.write('x'); return data"],
  ["leaves a timer behind", "setInterval(() => {}, 1000); return data"],
  ["gives back nothing", ""],
] as const) {
  test(`a module that ${what} is fine`, () => {
    using tree = plugged([{ path: "p.ts", hooks }], { "home/.codelia/p.ts": own(body) });
    expect(tree.codelia(["resolve", "x"])).toMatchObject({ stderr: "", exitCode: 0 });
    expect(tree.codelia(["plugins", "--json"]).stdout).toContain('"calls":1,');
  });
}

for (const [what, text] of [
  ["does not read", "exit 0"],
  ["prints to standard error", "cat >/dev/null; echo hm >&2"],
  ["leaves something running", "cat >/dev/null; sleep 3 >/dev/null 2>&1 &"],
] as const) {
  test(`a program that ${what} is fine`, () => {
    using tree = failing([program(text, "")]);
    expect(tree.codelia(["resolve", "x"])).toMatchObject({ stderr: "", exitCode: 0 });
  });
}

test("in a hook a failing plugin is in the trace only, and the answer comes", () => {
  using tree = failing([module(own("throw new Error('no')"), "")]);
  const stdin = eventText(tree, before("Edit", { file_path: "x" }));
  const trace = tree.path("trace");
  const { stdout, stderr, exitCode } = tree.codelia(["hook", "claude"], { stdin, env: { CODELIA_TRACE: trace } });
  expect([stderr, exitCode]).toEqual(["", 0]);
  expect(stdout).toContain("good.md");
  expect(readFileSync(trace, "utf8")).toContain("plugin 'bad-0' is skipped at 'agents:chain': it threw: no");
});

for (const [hook, body, reason, args] of [
  ["root:resolved", "return { ...data, directory: '/nowhere' }", "'/nowhere' is not a directory", ["inspect"]],
  ["root:resolved", "return { ...data, directory: '.' }", "'.' is not a directory", ["inspect"]],
  [
    "agents:pending",
    "return { ...data, tell: [{ path: '/etc/passwd' }] }",
    "'/etc/passwd' is not among",
    ["resolve", "--no-state", "x"],
  ],
  ["reminder:before", "return { ...data, text: ' \\n' }", "'text' must not be blank", ["resolve", "--no-state", "x"]],
  [
    "reminder:before",
    "return { ...data, type: 'x' }",
    `'type' must be "agents.resolve.paths", `,
    ["resolve", "--no-state", "x"],
  ],
  [
    "skills:catalog",
    "return { skills: [{ ...data.skills[0], path: '/x' }] }",
    "'/x' is not among the skills",
    ["skills", "list"],
  ],
  [
    "skills:ranked",
    "data.results[0].skill.path = '/x'; return data",
    "'/x' is not among the results",
    ["skills", "search", "shop"],
  ],
] as const) {
  test(`nonsense at ${hook} changes nothing: ${reason}`, () => {
    using tree = plugged([{ path: "p.ts", hooks: [hook] }]);
    const plain = tree.codelia([...args]);
    tree.write("home/.codelia/p.ts", moduleOf(hook, body));
    const { stdout, stderr, exitCode } = tree.codelia([...args]);
    expect({ stdout, exitCode }).toEqual({ stdout: plain.stdout, exitCode: 0 });
    expect(stderr).toContain(`plugin 'p' is skipped at '${hook}': `);
    expect(stderr).toContain(reason);
  });
}

test("an event can't become one of another kind", () => {
  using tree = plugged([{ path: "p.ts", hooks: ["hook:event"] }], {
    "home/.codelia/p.ts": moduleOf("hook:event", "return { ...data, what: { kind: 'end-of-session' } }"),
  });
  const stdin = JSON.stringify({ session_id: "s", cwd: tree.path("repo"), hook_event_name: "SessionStart" });
  const { stdout } = tree.codelia(["hook", "claude"], { stdin, env: { CODELIA_TRACE: tree.path("trace") } });
  expect(stdout).toContain("deploy");
  expect(readFileSync(tree.path("trace"), "utf8")).toContain("'begin' can't become 'end-of-session'");
});
