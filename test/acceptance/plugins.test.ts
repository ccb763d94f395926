import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { before } from "../support/hook-calls.ts";
import { moduleOf, plugged, recorder } from "../support/plugged.ts";
import { startCodelia } from "../support/run-codelia.ts";
import { dir, type Entry } from "../support/temp-tree.ts";
import { NOTHING, type Bench } from "./agents-bench.ts";

// What a plugin gets at each extension point, and how its answer is used.

function requests(tree: Bench, file = "seen"): { data: Record<string, unknown>; context: Record<string, unknown> }[] {
  const path = tree.path(file);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** One TypeScript module with one hook, in the user's config. */
function withHook(hook: string, body: string, more: Readonly<Record<string, Entry>> = {}): Bench {
  const tree = plugged([{ path: "p.ts", hooks: [hook] }], more);
  tree.write("home/.codelia/p.ts", recorder(hook, tree.path("seen"), body));
  return tree;
}

test("agents:chain leaves out and adds files, also outside the project, and is told where it is", () => {
  using tree = withHook(
    "agents:chain",
    `return { targets: data.targets, files: [{ path: context.root + "/../company/AGENTS.md" }, data.files[1]] };`,
    { "company/AGENTS.md": "Company.\n" },
  );
  expect(tree.resolve(["a/x"])).toEqual(["company/AGENTS.md", "repo/a/AGENTS.md"]);
  expect(tree.resolve(["a/x"])).toEqual([]);
  expect(requests(tree)[0]).toEqual({
    data: {
      targets: [tree.path("repo/a")],
      files: [
        { path: tree.path("repo/AGENTS.md"), mtimeMs: expect.any(Number), sizeBytes: 6 },
        { path: tree.path("repo/a/AGENTS.md"), mtimeMs: expect.any(Number), sizeBytes: 3 },
      ],
    },
    context: {
      plugin: "p",
      cwd: tree.path("repo"),
      root: tree.path("repo"),
      session: "default",
      agent: "main",
      ledger: tree.path("repo/.codelia/session.json"),
    },
  });
  expect(tree.bundle(["--cwd", "a"])).toEqual(["company/AGENTS.md", "repo/a/AGENTS.md"]);
});

test("a file that agents:chain added is told again when it changes, and once under two names", () => {
  using tree = withHook(
    "agents:chain",
    `const add = [{ path: context.root + "/../link.md" }, { path: context.root + "/../company.md" }];
     return { targets: data.targets, files: [...add, ...data.files] };`,
    { "company.md": "Company.\n", "link.md": { link: "company.md" } },
  );
  expect(tree.resolve(["x"])).toEqual(["link.md", "repo/AGENTS.md"]);
  tree.write("company.md", "Company, once more.\n");
  expect(tree.resolve(["x"])).toEqual(["link.md"]);
});

test("agents:pending keeps something back: it is told as soon as the plugin lets it through", () => {
  using tree = withHook(
    "agents:pending",
    `return { ...data, tell: data.tell.filter(({ path }) => fs.existsSync(context.root + "/go") || !path.includes("/a/")) };`,
  );
  expect(tree.resolve(["a/x"])).toEqual(["repo/AGENTS.md"]);
  expect(tree.resolve(["a/x"])).toEqual([]);
  tree.write("repo/go", "");
  expect(tree.resolve(["a/x"])).toEqual(["repo/a/AGENTS.md"]);
  const asked = requests(tree).length;
  expect(tree.resolve(["a/x"])).toEqual([]);
  // If there is nothing to tell, no plugin is asked.
  expect(requests(tree)).toHaveLength(asked);
});

test("agents:pending has its say about a resumed session, and without a ledger", () => {
  using tree = withHook("agents:pending", `return { ...data, tell: [] };`);
  expect(tree.codelia(["resolve", "--no-state", "x"])).toEqual(NOTHING);
  expect(tree.codelia(["init-context", "--only", "agents"]).stdout).toContain("Root.");
  tree.write("repo/AGENTS.md", "Root, new.\n");
  expect(tree.codelia(["resume-diff"])).toEqual(NOTHING);
  expect(requests(tree).at(-1)?.data).toMatchObject({ tell: [{ path: tree.path("repo/AGENTS.md") }], gone: [] });
});

test("reminder:before rewrites a reminder, and is asked once for each that is printed", () => {
  using tree = withHook("reminder:before", `return { ...data, text: data.text + data.type + "\\n" };`);
  const { stdout, stderr } = tree.codelia(["resolve", "a/x"]);
  expect(stdout).toStartWith('<system-reminder type="agents.resolve.paths">\n');
  expect(stdout).toEndWith("</system-reminder>\nagents.resolve.paths\n");
  expect(stderr).toBe("");
  tree.write("repo/AGENTS.md", "Root, new.\n");
  expect(tree.codelia(["resume-diff"]).stdout).toEndWith("</system-reminder>\nsession.resume.diff\n");
  for (const args of [["resolve", "a/x"], ["resume-diff"]]) expect(tree.codelia(args)).toEqual(NOTHING);
  expect(tree.codelia(["resolve", "a/x", "--no-state"]).stdout).toEndWith("agents.resolve.paths\n");
  expect(requests(tree)).toHaveLength(3);
});

test("of many processes with the same reminder, reminder:before is asked by the one that prints it", async () => {
  using tree = withHook("reminder:before", "");
  const calls = Array.from({ length: 6 }, () =>
    startCodelia(["resolve", "a/x"], { cwd: tree.path("repo"), home: tree.path("home") }),
  );
  const printed = (await Promise.all(calls)).filter(({ stdout }) => stdout !== "");
  expect(printed.length).toBeGreaterThan(0);
  expect(requests(tree)).toHaveLength(printed.length);
});

test("skills:catalog leaves out and moves skills, in the list and where a context begins", () => {
  using tree = withHook(
    "skills:catalog",
    `return { skills: data.skills.toReversed().filter(({ name }) => name !== "deploy" || !fs.existsSync(context.root + "/less")) };`,
  );
  const names = () => [...tree.codelia(["skills", "list"]).stdout.matchAll(/<name>(\w+)</g)].map(([, name]) => name);
  expect(names()).toEqual(["release", "deploy"]);
  tree.write("repo/less", "");
  expect(names()).toEqual(["release"]);
  expect(tree.codelia(["init-context", "--only", "skills"]).stdout).not.toContain("deploy");
  // A skill that is not shown can still be loaded: only a permission rule forbids it.
  expect(tree.codelia(["skills", "load", "deploy"]).exitCode).toBe(0);
  expect(requests(tree)[0]?.data["skills"]).toMatchObject([{ name: "deploy", scope: "repo" }, { name: "release" }]);
});

test("skills:ranked moves results, also those that would not be shown", () => {
  using tree = withHook(
    "skills:ranked",
    `return { ...data, results: data.results.toReversed().map((hit, index) => ({ ...hit, score: 5 - index })) };`,
  );
  const { results, truncated } = JSON.parse(
    tree.codelia(["skills", "search", "shop", "--limit", "1", "--json"]).stdout,
  );
  expect(results).toMatchObject([{ skill: { name: "release" }, score: 5 }]);
  expect(truncated).toBeTrue();
  expect(requests(tree)[0]?.data).toMatchObject({ query: "shop", limit: 1, results: [{}, {}] });
});

test("root:resolved moves the root, but not the one that the command line names", () => {
  using tree = withHook("root:resolved", `return { ...data, directory: data.directory + "/a" };`);
  expect(JSON.parse(tree.codelia(["inspect", "--json"]).stdout).root).toEqual({
    directory: tree.path("repo/a"),
    reason: "plugin",
  });
  expect(requests(tree)[0]?.data).toEqual({ directory: tree.path("repo"), reason: "marker" });
  expect(tree.resolve(["a/x"], { cwd: "repo/a" })).toEqual(["repo/a/AGENTS.md"]);
  const { root } = JSON.parse(tree.codelia(["inspect", "--json", "--root", "."]).stdout);
  expect(root).toMatchObject({ directory: tree.path("repo"), reason: "flag" });
});

const EVENT = before("Edit", { file_path: "elsewhere" }, { session_id: "s" });

function hookClaude(tree: Bench, event: object = EVENT, env: Record<string, string> = {}) {
  const stdin = JSON.stringify({ cwd: tree.path("repo"), ...event });
  return tree.codelia(["hook", "claude"], { stdin, env });
}

test("hook:event changes what a tool is about to do in our eyes, not in the client's", () => {
  using tree = withHook(
    "hook:event",
    `return { ...data, what: { ...data.what, input: { file_path: context.root + "/a/x" } } };`,
  );
  expect(hookClaude(tree).stdout).toContain(tree.path("repo/a/AGENTS.md"));
  expect(requests(tree)[0]).toMatchObject({
    data: {
      client: "claude",
      host: "claude",
      name: "PreToolUse",
      what: { kind: "before-tool", tool: "Edit", input: EVENT.tool_input },
    },
    context: { session: "s", agent: "main" },
  });
});

test("hook:event accepts the answer of a plugin that knows the client by its older name only", () => {
  using tree = withHook(
    "hook:event",
    `const { host, name, what } = data; return { host, name, what: { ...what, input: { file_path: context.root + "/a/x" } } };`,
  );
  expect(hookClaude(tree).stdout).toContain(tree.path("repo/a/AGENTS.md"));
});

test("reminder:before rewrites what a host is told, in the host's own form", () => {
  using tree = withHook("reminder:before", `return { ...data, text: "Mind " + data.text };`);
  const answer = JSON.parse(hookClaude(tree, { ...EVENT, tool_input: { file_path: "a/x" } }).stdout);
  expect(answer.hookSpecificOutput.additionalContext).toStartWith("Mind <codelia-reminder ");
});

test("a reminder that a plugin makes too long for its host is given as it was", () => {
  using tree = withHook("reminder:before", `return { ...data, text: data.text + "x".repeat(10000) };`);
  const trace = tree.path("trace");
  const { stdout, stderr } = hookClaude(tree, EVENT, { CODELIA_TRACE: trace });
  expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toEndWith("</codelia-reminder>\n");
  expect(stderr).toBe("");
  expect(readFileSync(trace, "utf8")).toContain("the text is too long for the client");
});

test("plugins have their say one after the other, the user's before the project's", () => {
  using tree = plugged(
    [
      { path: "one.mjs", hooks: ["reminder:before"] },
      { path: "two.cjs", hooks: ["reminder:before"] },
    ],
    {
      "home/.codelia/one.mjs": moduleOf("reminder:before", `return { ...data, text: data.text + "one" };`),
      "home/.codelia/two.cjs": `module.exports = { "reminder:before": (data) => ({ ...data, text: data.text + "two" }) };`,
      "repo/.codelia/config.json": JSON.stringify({ plugins: [{ path: "three.js", hooks: ["reminder:before"] }] }),
      "repo/.codelia/three.js": moduleOf("reminder:before", `return { ...data, text: data.text + "three" };`),
    },
  );
  tree.codelia(["trust", "--yes"]);
  expect(tree.codelia(["resolve", "x"]).stdout).toEndWith("</system-reminder>\nonetwothree");
});

test("a plugin that no extension point of a call names is not started, nor one where plugins are off", () => {
  using tree = plugged(
    [
      { path: "log.ts", hooks: ["reminder:before"] },
      { path: "rank.ts", hooks: ["skills:ranked"] },
    ],
    { "repo/a/x": "" },
  );
  for (const [name, hook] of [
    ["log", "reminder:before"],
    ["rank", "skills:ranked"],
  ] as const) {
    tree.write(`home/.codelia/${name}.ts`, recorder(hook, tree.path("seen")));
  }
  tree.codelia(["resolve", "a/x"]);
  expect(requests(tree)).toHaveLength(1);
  tree.codelia(["resolve", "a/x"]);
  tree.codelia(["skills", "list"]);
  tree.codelia(["init-context"]);
  expect(requests(tree)).toHaveLength(1);
  tree.codelia(["skills", "search", "shop"], { env: { CODELIA_PLUGINS: "0" } });
  expect(requests(tree)).toHaveLength(1);
});

test("a plugin that calls codelia is not called by that, and does not stand in the working directory", () => {
  using tree = plugged([{ command: ["./again.sh"], hooks: ["agents:chain"] }], {
    "home/.codelia/again.sh": {
      text: `#!/bin/sh\npwd >>"$HOME/seen"\n"${process.cwd()}/dist/codelia" resolve --no-state "$HOME/../repo/x" >>"$HOME/seen"\n`,
      mode: 0o755,
    },
  });
  expect(tree.resolve(["x"])).toEqual(["repo/AGENTS.md"]);
  const [where, ...rest] = tree.read("home/seen").trim().split("\n");
  expect(where).toBe(tree.path("home/.codelia"));
  expect(rest.join("\n")).toContain(`- ${tree.path("repo/AGENTS.md")} `);
});

test("plugins says what is run and how its calls went; --json the same", () => {
  using tree = plugged(
    [
      { name: "good", path: "good.ts", hooks: ["agents:chain", "skills:catalog"] },
      { command: ["sh", "-c", "exit 3"], hooks: ["agents:chain"] },
      { path: "missing.ts", hooks: ["agents:chain"] },
    ],
    { "home/.codelia/good.ts": moduleOf("agents:chain", "") },
  );
  for (let call = 0; call < 2; call++) expect(tree.codelia(["resolve", "x"]).exitCode).toBe(0);
  const { stdout, stderr, exitCode } = tree.codelia(["plugins"]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  const config = tree.path("home/.codelia/config.json");
  expect(stdout.replaceAll(/\d+\.\d ms/g, "N ms").replace(/runs \/.*\/sh /, "runs /bin/sh ")).toBe(
    [
      `good  (your own, plugins[0] in ${config})`,
      `  runs ${tree.path("home/.codelia/good.ts")}`,
      "  agents:chain: 2 calls, N ms each, N ms at most",
      "  skills:catalog: not called yet",
      `sh  (your own, plugins[1] in ${config})`,
      "  runs /bin/sh -c exit 3",
      "  agents:chain: 2 calls, N ms each, N ms at most; 2 failed, last: it ended with exit code 3",
      `missing  (your own, plugins[2] in ${config})`,
      `  not run: '${tree.path("home/.codelia/missing.ts")}' is not a file`,
      `  agents:chain: 2 calls, N ms each, N ms at most; 2 failed, last: '${tree.path("home/.codelia/missing.ts")}' is not a file`,
      "",
    ].join("\n"),
  );
  const json = JSON.parse(tree.codelia(["plugins", "--json"]).stdout);
  expect(json.plugins[0]).toMatchObject({
    name: "good",
    key: "plugins[0]",
    source: config,
    scope: "user",
    isTrusted: true,
    problem: null,
    runs: [tree.path("home/.codelia/good.ts")],
    hooks: [
      { point: "agents:chain", calls: 2, failures: 0 },
      { point: "skills:catalog", calls: 0 },
    ],
  });
  using none = plugged([], { "repo/.git/": dir });
  expect(none.codelia(["plugins"])).toEqual(NOTHING);
});

for (const [what, plugin, message] of [
  ["neither path nor command", { hooks: ["agents:chain"] }, "must have either 'path' or 'command'"],
  ["both", { path: "a.ts", command: ["a"], hooks: ["agents:chain"] }, "must have either 'path' or 'command'"],
  ["no module", { path: "a.wasm", hooks: ["agents:chain"] }, "must be the path of a JavaScript or TypeScript file"],
  ["no extension point", { path: "a.ts", hooks: [] }, "plugins.0.hooks"],
  ["an unknown extension point", { path: "a.ts", hooks: ["agents:chains"] }, "plugins.0.hooks.0"],
  [
    "an unknown key",
    { path: "a.ts", hooks: ["agents:chain"], hook: 1 },
    "unknown key 'plugins.0.hook', did you mean 'hooks'",
  ],
] as const) {
  test(`config: a plugin with ${what} is an error`, () => {
    using tree = plugged([]);
    tree.write("home/.codelia/config.json", JSON.stringify({ plugins: [plugin] }));
    const { stderr, exitCode } = tree.codelia(["config"]);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(message)]);
  });
}

for (const args of [["list"], ["run"], ["run", "p.ts"], ["run", "p.ts", "agents:chain", "more"]]) {
  test(`codelia plugins ${args.join(" ")} is a usage error`, () => {
    using tree = plugged([]);
    expect(tree.codelia(["plugins", ...args])).toMatchObject({ stdout: "", exitCode: 64 });
  });
}

test("plugins run asks a module with a request, and says what is wrong with either", () => {
  using tree = plugged([], { "repo/p.ts": moduleOf("agents:chain", "return { ...data, cwd: context.cwd };") });
  const run = (stdin: string) => tree.codelia(["plugins", "run", "p.ts", "agents:chain"], { stdin });
  expect(run('{ "data": { "files": [] }, "context": { "cwd": "/x" } }')).toEqual({
    stdout: 'codelia-plugin-reply:{"files":[],"cwd":"/x"}\n',
    stderr: "",
    exitCode: 0,
  });
  expect(run("{")).toEqual({
    stdout: "",
    stderr: "codelia: standard input is not JSON; 'codelia schema plugin-request' prints its schema\n",
    exitCode: 64,
  });
  tree.write("repo/p.ts", "throw new Error('early')");
  expect(run("{}")).toEqual({ stdout: "", stderr: "codelia: it can't be loaded: early\n", exitCode: 3 });
});
