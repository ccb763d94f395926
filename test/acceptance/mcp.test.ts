import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// `codelia mcp` on the built binary: requests and their answers, line by line.

const SKILL = (name: string) => `---\nname: ${name}\ndescription: Draft release notes\n---\nBody of ${name}.\n`;
const TREE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/AGENTS.md": "Root rules.\n",
  "repo/app/AGENTS.md": "App rules.\n",
  "repo/.agents/skills/release-notes/SKILL.md": SKILL("release-notes"),
  "repo/.agents/skills/secret/SKILL.md": SKILL("secret"),
  "repo/.agents/skills/asked/SKILL.md": SKILL("asked"),
  "repo/.agents/skills/one/twin/SKILL.md": SKILL("twin"),
  "repo/.agents/skills/two/twin/SKILL.md": SKILL("twin"),
  "home/.codelia/config.json": JSON.stringify({
    permissions: {
      deny: [{ tool: "skill_load", skill_name: "secret" }],
      confirm: [{ tool: "skill_load", skill_name: "asked" }],
    },
  }),
};

interface Reply {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly result?: any; // eslint-disable-line typescript/no-explicit-any -- what a server says is what is tested
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends all lines, then ends standard input. */
function talk(
  tree: TempTree,
  lines: readonly (string | object)[],
  args: readonly string[] = [],
  env = {},
  said = "",
): Reply[] {
  const stdin = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const options = { cwd: tree.path("repo"), home: tree.path("home"), stdin, env };
  const { stdout, stderr, exitCode } = runCodelia(["mcp", ...args], options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: said });
  expect(stdout === "" || stdout.endsWith("\n")).toBe(true);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Reply);
}

let ids = 0;
const request = (method: string, params?: object) => ({ jsonrpc: "2.0", id: ++ids, method, ...(params && { params }) });
const call = (name: string, given?: object) => request("tools/call", { name, ...(given && { arguments: given }) });

function texts({ result }: Reply): string[] {
  return result.content.map(({ text }: { text: string }) => text);
}

describe("the protocol", () => {
  const VERSIONS: [asked: unknown, chosen: string][] = [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2024-11-05"],
    ["2024-10-07", "2024-11-05"],
    ["2099-01-01", "2025-11-25"],
    [undefined, "2025-11-25"],
    [7, "2025-11-25"],
  ];
  test.each(VERSIONS)("a client of version %p is answered in %s", (protocolVersion, chosen) => {
    using tree = tempTree(TREE);
    const [reply] = talk(tree, [request("initialize", { protocolVersion, capabilities: {}, clientInfo: {} })]);
    expect(reply?.result).toEqual({
      protocolVersion: chosen,
      capabilities: { tools: {} },
      serverInfo: { name: "codelia", title: "codelia", version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      instructions: expect.stringContaining("agents_resolve"),
    });
  });

  const SILENT: (string | object)[] = [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "notifications/whatever", params: [] },
    { jsonrpc: "2.0", id: 4, result: {} },
    { jsonrpc: "2.0", id: 4, error: { code: 1, message: "x" } },
    "",
    " \t\r",
  ];
  test("silence for what asks nothing", () => {
    using tree = tempTree(TREE);
    expect(talk(tree, SILENT)).toEqual([]);
  });

  const ERRORS: [what: string, line: string | object, id: unknown, code: number][] = [
    ["no JSON", "{", null, -32_700],
    ["a batch", [request("ping")], null, -32_600],
    ["a text", '"ping"', null, -32_600],
    ["another JSON-RPC", { id: 3, method: "ping" }, 3, -32_600],
    ["no method", { jsonrpc: "2.0", id: 3 }, 3, -32_600],
    ["a method that is a number", { jsonrpc: "2.0", id: "a", method: 3 }, "a", -32_600],
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "ping" }, null, -32_600],
    ["an id that is a list", { jsonrpc: "2.0", id: [], method: "ping" }, null, -32_600],
    ["params that are a list", { jsonrpc: "2.0", id: 3, method: "ping", params: [] }, 3, -32_602],
    ["an unknown method", { jsonrpc: "2.0", id: 3, method: "resources/list" }, 3, -32_601],
    ["a method of every object", { jsonrpc: "2.0", id: 3, method: "constructor" }, 3, -32_601],
    [
      "a page that was never given",
      { jsonrpc: "2.0", id: 3, method: "tools/list", params: { cursor: "x" } },
      3,
      -32_602,
    ],
    ["no tool", { jsonrpc: "2.0", id: 3, method: "tools/call" }, 3, -32_602],
    ["an unknown tool", { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "toString" } }, 3, -32_602],
    [
      "arguments that are a list",
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "skill_search", arguments: [] } },
      3,
      -32_602,
    ],
    ["a deep nest", "[".repeat(200_000), null, -32_700],
    ["nine megabytes", `{"x":"${"y".repeat(9 * 1024 * 1024)}"}`, null, -32_600],
  ];
  test("an error for what can't be answered, and the next request is", () => {
    using tree = tempTree(TREE);
    const replies = talk(
      tree,
      ERRORS.flatMap(([what, line]) => [line, { jsonrpc: "2.0", id: what, method: "ping" }]),
    );
    const expected = ERRORS.flatMap(([what, , id, code]) => [
      { jsonrpc: "2.0", id, error: { code, message: expect.any(String) } },
      { jsonrpc: "2.0", id: what, result: {} },
    ]);
    expect(replies as unknown[]).toEqual(expected);
  });

  test("the last request needs no line end, and many are answered in their order", () => {
    using tree = tempTree(TREE);
    const stdin = Array.from({ length: 300 }, (_, id) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
    const options = { cwd: tree.path("repo"), home: tree.path("home"), stdin: stdin.join("\n") };
    const { stdout } = runCodelia(["mcp"], options);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(stdin.map((_, id) => id));
  });

  test("a message of just under eight megabytes is read", () => {
    using tree = tempTree(TREE);
    const paths = ["a/x.ts", "y".repeat(8 * 1024 * 1024 - 400)];
    expect(talk(tree, [call("agents_resolve", { paths })])[0]?.result.structuredContent.files.length).toBe(1);
  });

  test("each request is answered while the client waits, and the end of its input is the end", async () => {
    using tree = tempTree(TREE);
    const env = { HOME: tree.path("home"), PATH: "/usr/bin:/bin" };
    const child = spawn(CODELIA, ["mcp"], { cwd: tree.path("repo"), env, stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(child, "close");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const id of ["one", "two", "three"]) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
      expect(JSON.parse((await lines.next()).value as string).id).toBe(id);
    }
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });
});

describe("tools", () => {
  test("three, with the schemas of what they take and answer", () => {
    using tree = tempTree(TREE);
    const [reply] = talk(tree, [request("tools/list")]);
    const tools: any[] = reply?.result.tools; // eslint-disable-line typescript/no-explicit-any -- as above
    expect(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties), inputSchema.required]),
    ).toEqual([
      ["agents_resolve", ["paths"], ["paths"]],
      ["skill_search", ["query", "limit", "scope"], ["query"]],
      ["skill_load", ["name", "path", "again"], undefined],
    ]);
    expect(tools.map(({ outputSchema }) => outputSchema && Object.keys(outputSchema.properties))).toEqual([
      ["files", "notes"],
      ["results", "count", "truncated"],
      undefined,
    ]);
    for (const { inputSchema } of tools) expect(inputSchema.additionalProperties).toBe(false);
  });

  test("agents_resolve names each file once, and what is no longer there", () => {
    using tree = tempTree(TREE);
    const [first, second] = talk(tree, [
      call("agents_resolve", { paths: ["app/new.ts"] }),
      call("agents_resolve", { paths: ["app/new.ts", tree.path("repo/app")] }),
    ]);
    expect(first?.result.structuredContent.files.map(({ path }: { path: string }) => path)).toEqual([
      tree.path("repo/AGENTS.md"),
      tree.path("repo/app/AGENTS.md"),
    ]);
    expect(texts(first!)).toEqual([JSON.stringify(first?.result.structuredContent)]);
    expect(second?.result.structuredContent).toEqual({ files: [] });
    const session = ["--session", "s"];
    talk(tree, [call("agents_resolve", { paths: ["app/new.ts"] })], session);
    tree.remove("repo/app/AGENTS.md");
    const [third] = talk(tree, [call("agents_resolve", { paths: ["app/new.ts"] })], session);
    expect(third?.result.structuredContent).toEqual({
      files: [],
      notes: [`'${tree.path("repo/app/AGENTS.md")}' is no longer in force`],
    });
  });

  test("it says how many files are left for the next call", () => {
    const deep = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`repo/${"d/".repeat(index + 1)}AGENTS.md`, `Level ${index}.\n`]),
    );
    using tree = tempTree({ ...TREE, ...deep });
    const [reply] = talk(tree, [call("agents_resolve", { paths: ["d/".repeat(9)] })]);
    expect(reply?.result.structuredContent.files).toHaveLength(8);
    expect(reply?.result.structuredContent.notes).toEqual(["2 more files apply; resolve again to be told."]);
  });

  test("a path called '-' is a path: standard input is the client's", () => {
    using tree = tempTree(TREE);
    const replies = talk(tree, [call("agents_resolve", { paths: ["-"] }), request("ping")]);
    expect(replies[0]?.result.structuredContent.files).toHaveLength(1);
    expect(replies[1]?.result).toEqual({});
  });

  test("skill_search gives the best first, within its limit", () => {
    using tree = tempTree(TREE);
    const [all, one, none, user] = talk(tree, [
      call("skill_search", { query: "release notes" }),
      call("skill_search", { query: "release notes", limit: 1 }),
      call("skill_search", { query: "zebra" }),
      call("skill_search", { query: "release notes", scope: "user" }),
    ]).map(({ result }) => result.structuredContent);
    expect(all.results[0]).toEqual({
      skill: expect.objectContaining({ name: "release-notes", scope: "repo" }),
      score: expect.any(Number),
      reason: expect.any(String),
    });
    expect([all.count, all.truncated, one.count, one.truncated]).toEqual([5, false, 1, true]);
    expect([none, user]).toEqual([
      { results: [], count: 0, truncated: false },
      { results: [], count: 0, truncated: false },
    ]);
  });

  test("skill_load gives the text and its metadata, then a reminder, then the text again when asked", () => {
    using tree = tempTree(TREE);
    const path = tree.path("repo/.agents/skills/release-notes/SKILL.md");
    const [first, second, third, byPath] = talk(tree, [
      call("skill_load", { name: "release-notes" }),
      call("skill_load", { name: "$release-notes" }),
      call("skill_load", { name: "release-notes", again: true }),
      call("skill_load", { name: "nonsense", path }),
    ]).map(texts);
    expect(first?.[0]).toStartWith(`<skill_context name="release-notes" path="${path}">\n`);
    expect(first?.[0]).toContain("\nBody of release-notes.\n");
    expect(JSON.parse(first?.[1] ?? "")).toEqual({
      skill_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: "release-notes",
      path,
      dir: tree.path("repo/.agents/skills/release-notes"),
      mtime_ms: expect.any(Number),
    });
    expect(second?.[0]).toStartWith("<skill_context_reminder ");
    expect(third).toEqual(first!);
    expect(byPath?.[0]).toStartWith("<skill_context_reminder ");
  });

  test("an ambiguous name gives the paths", () => {
    using tree = tempTree(TREE);
    const [reply] = talk(tree, [call("skill_load", { name: "twin" })]);
    expect(reply?.result.isError).toBe(true);
    expect(JSON.parse(texts(reply!)[0] ?? "").error).toMatchObject({
      code: "ambiguous",
      candidates: ["one", "two"].map((place) => tree.path(`repo/.agents/skills/${place}/twin/SKILL.md`)),
    });
  });

  test.each([
    ["secret", "deny", "denied by"],
    ["asked", "confirm", "has the user asked, and that needs a terminal"],
  ])("the rules apply: %s is kept back (%s)", (name, decision, why) => {
    using tree = tempTree(TREE);
    const [reply] = talk(tree, [call("skill_load", { name })]);
    expect(reply?.result.isError).toBe(true);
    const [reminder, error] = texts(reply!);
    expect(reminder).toStartWith('<system-reminder type="permission.decision">\nPermission decision for skill_load:\n');
    expect(reminder).toContain(`- decision: ${decision} (permissions.${decision}[0] in `);
    expect(reminder).not.toContain("Body of");
    expect(JSON.parse(error ?? "").error).toMatchObject({
      code: "denied",
      decision,
      message: expect.stringContaining(why),
    });
  });

  const INVALID: [tool: string, given: object, says: string][] = [
    ["agents_resolve", {}, "'paths' is missing"],
    ["agents_resolve", { paths: [] }, "'paths'"],
    ["agents_resolve", { paths: [""] }, "'paths.0'"],
    ["agents_resolve", { paths: "x" }, `'paths' must be a list, got "x"`],
    ["agents_resolve", { paths: ["x"], more: 1 }, "unknown key 'more'; known here: paths"],
    ["skill_search", { query: " " }, "'query'"],
    ["skill_search", { query: "x", limit: 0 }, "'limit'"],
    ["skill_search", { query: "x", limit: 1.5 }, "'limit'"],
    ["skill_search", { query: "x", scope: "all" }, "'scope'"],
    ["skill_load", {}, "it must have 'name' or 'path'"],
    ["skill_load", { name: "" }, "'name'"],
    ["skill_load", { name: 3 }, "'name'"],
  ];
  test("arguments that don't fit: the model is told what is wrong", () => {
    using tree = tempTree(TREE);
    const replies = talk(
      tree,
      INVALID.map(([tool, given]) => call(tool, given)),
    );
    for (const [index, [tool, , says]] of INVALID.entries()) {
      const { result } = replies[index] as Reply;
      expect(result.isError).toBe(true);
      expect(result.content[0].text).toStartWith(`invalid arguments of ${tool}: `);
      expect(result.content[0].text).toContain(says);
    }
  });

  test("what is switched off says so, or nothing", () => {
    using tree = tempTree(TREE);
    tree.write("home/.codelia/config.json", '{"agents":{"enabled":false},"skills":{"enabled":false}}');
    const [resolved, found, loaded] = talk(
      tree,
      [
        call("agents_resolve", { paths: ["app"] }),
        call("skill_search", { query: "notes" }),
        call("skill_load", { name: "release-notes" }),
      ],
      [],
      {},
      "codelia: warning: skills are off: 'skills.enabled' is false\n",
    );
    expect(resolved?.result.structuredContent).toEqual({ files: [] });
    expect(found?.result.structuredContent.count).toBe(0);
    expect([loaded?.result.isError, texts(loaded!)[0]]).toEqual([true, expect.stringContaining("skills are off")]);
  });

  test("a flag in an argument is a word", () => {
    using tree = tempTree(TREE);
    const [found, loaded] = talk(tree, [
      call("skill_search", { query: "--help" }),
      call("skill_load", { name: "--help" }),
    ]);
    expect(found?.result.structuredContent.count).toBe(0);
    expect(JSON.parse(texts(loaded!)[0] ?? "").error.code).toBe("not_found");
  });
});

describe("the ledger", () => {
  const load = call("skill_load", { name: "release-notes" });
  const firstText = (tree: TempTree, args: readonly string[], env = {}) =>
    texts(talk(tree, [load], args, env)[0]!)[0]?.split(" ")[0];

  test("a server without a name is a session of its own: another conversation's past says nothing", () => {
    using tree = tempTree(TREE);
    expect([firstText(tree, []), firstText(tree, [])]).toEqual(["<skill_context", "<skill_context"]);
  });

  test("a session that is named is the one that the commands know", () => {
    using tree = tempTree(TREE);
    expect(firstText(tree, ["--session", "s"])).toBe("<skill_context");
    expect(firstText(tree, ["--session", "s"])).toBe("<skill_context_reminder");
    expect(firstText(tree, [], { CODELIA_SESSION_ID: "s" })).toBe("<skill_context_reminder");
    const options = { cwd: tree.path("repo"), home: tree.path("home") };
    const { stdout } = runCodelia(["skills", "load", "release-notes", "--session", "s"], options);
    expect(stdout).toStartWith("<skill_context_reminder");
    expect(firstText(tree, ["--session", "s", "--agent", "a"])).toBe("<skill_context");
  });

  test("under Claude Code it speaks for the shell, and never silences a hook", () => {
    using tree = tempTree(TREE);
    firstText(tree, [], { CLAUDE_CODE_SESSION_ID: "c" });
    const { sessions } = JSON.parse(tree.read("repo/.codelia/session.json"));
    expect(Object.keys(sessions.c.contexts)).toEqual(["shell"]);
  });

  test("--no-state tells everything each time and writes nothing", () => {
    using tree = tempTree(TREE);
    const replies = talk(tree, [load, load], ["--no-state"]);
    expect(replies.map((reply) => texts(reply)[0]?.split(" ")[0])).toEqual(["<skill_context", "<skill_context"]);
    expect(() => tree.read("repo/.codelia/session.json")).toThrow();
  });

  test("a directory that is not there is an error of the call, not the end", () => {
    using tree = tempTree(TREE);
    const replies = talk(tree, [load, request("ping")], ["--cwd", "nowhere"]);
    expect(replies[0]?.error?.message).toContain("nowhere");
    expect(replies[1]?.result).toEqual({});
  });
});
