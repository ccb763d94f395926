import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { before } from "../support/hook-calls.ts";
import { moduleOf, plugged, recorder, USER_CONFIG } from "../support/plugged.ts";
import type { Entry } from "../support/temp-tree.ts";
import type { Bench } from "./agents-bench.ts";

// Plugins in every kind of message: texts instead of names, a blocked edit, a refused skill, other clients, MCP.

const HOOKS = { chain: "agents:chain", pending: "agents:pending", reminder: "reminder:before", event: "hook:event" };
const MIND = `return { ...data, text: "Mind " + data.text };`;

function withConfig(point: string, body: string, config: object, more: Readonly<Record<string, Entry>> = {}): Bench {
  const plugins = [{ path: "p.mjs", hooks: [point] }];
  return plugged([], {
    [USER_CONFIG]: JSON.stringify({ ...config, plugins }),
    "home/.codelia/p.mjs": moduleOf(point, body),
    ...more,
  });
}

function hook(tree: Bench, event: object, host = "claude") {
  const stdin = JSON.stringify({ session_id: "s", cwd: tree.path("repo"), ...event });
  const { stdout, stderr, exitCode } = tree.codelia(["hook", host], { stdin });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput;
}

const edit = (path: string) => before("Edit", { file_path: path, old_string: "a", new_string: "b" });
const BODY = { agents: { resolver: { delivery: "body" } } };
const GATE = { agents: { resolver: { gate: "edit" } } };

test("delivery body: what agents:chain adds is told with its text", () => {
  const add = `return { ...data, files: [{ path: context.root + "/../company.md" }, ...data.files] };`;
  using tree = withConfig(HOOKS.chain, add, BODY, { "company.md": "Company.\n" });
  const { additionalContext } = hook(tree, edit("a/x"));
  expect(additionalContext).toContain("Company.\n");
  expect(additionalContext).toContain("A.\n");
  expect(hook(tree, edit("a/x"))).toBeUndefined();
});

test("delivery body: what agents:pending leaves out is not told", () => {
  const leave = `return { ...data, tell: data.tell.filter(({ path }) => path.endsWith("/a/AGENTS.md")) };`;
  using tree = withConfig(HOOKS.pending, leave, BODY);
  const { additionalContext } = hook(tree, edit("a/x"));
  expect(additionalContext).toContain("A.\n");
  expect(additionalContext).not.toContain("Root.\n");
});

test("delivery body: reminder:before has the texts", () => {
  using tree = withConfig(HOOKS.reminder, `return { ...data, text: data.text.replace("A.", "Alpha.") };`, BODY);
  expect(hook(tree, edit("a/x")).additionalContext).toContain("Alpha.\n");
});

test("a kept-back edit stays one, with the reminder as reminder:before has it, once", () => {
  using tree = withConfig(HOOKS.reminder, MIND, GATE);
  const { permissionDecision, permissionDecisionReason } = hook(tree, edit("a/x"));
  expect(permissionDecision).toBe("deny");
  expect(permissionDecisionReason).toStartWith("Mind <codelia-reminder ");
  expect(permissionDecisionReason).toContain("Nothing was done: the call is kept back once");
  expect(hook(tree, edit("a/x"))).toBeUndefined();
});

test("an edit that can't be kept back only once is not kept back, and reminder:before has what is said instead", () => {
  using tree = withConfig(HOOKS.reminder, MIND, GATE, { "repo/.codelia/session.json.lock/in-the-way": "" });
  const { permissionDecision, additionalContext } = hook(tree, edit("a/x"));
  expect(permissionDecision).toBeUndefined();
  expect(additionalContext).toStartWith("Mind <codelia-reminder ");
});

test("what agents:pending leaves out keeps no edit back", () => {
  using tree = withConfig(HOOKS.pending, `return { ...data, tell: [] };`, GATE);
  expect(hook(tree, edit("a/x"))).toBeUndefined();
});

test("a refused skill stays refused, with the reminder as reminder:before has it", () => {
  using tree = withConfig(HOOKS.reminder, MIND, { permissions: { deny: [{ tool: "skill_load" }] } });
  const read = before("Read", { file_path: tree.path("repo/.agents/skills/deploy/SKILL.md") });
  const { permissionDecision, permissionDecisionReason } = hook(tree, read);
  expect(permissionDecision).toBe("deny");
  expect(permissionDecisionReason).toStartWith("Mind <codelia-reminder ");
});

test("hook:event has the events of other hosts, and what it does not give back of them stays", () => {
  const same = `delete data.what.begins; return data;`;
  using tree = withConfig(HOOKS.event, "", {});
  tree.write("home/.codelia/p.mjs", recorder(HOOKS.event, tree.path("seen"), same));
  const tool = {
    hook_event_name: "AfterTool",
    tool_name: "read_file",
    tool_input: { file_path: tree.path("repo/a/x") },
  };
  expect(hook(tree, tool, "gemini").additionalContext).toContain(tree.path("repo/a/AGENTS.md"));
  const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Go." };
  expect(hook(tree, { ...prompt, session_id: "new" }, "qwen").additionalContext).toContain("<agents_usage>");
  const lines = readFileSync(tree.path("seen"), "utf8").trim().split("\n");
  const seen = lines.map((line) => JSON.parse(line).data);
  expect(seen).toMatchObject([
    { host: "gemini", what: { kind: "tool" } },
    { host: "qwen", what: { kind: "prompt", begins: true } },
  ]);
});

test("the chain of a context that begins is asked for once", () => {
  const add = `return { ...data, files: [...data.files, { path: context.root + "/../company.md" }] };`;
  using tree = withConfig(HOOKS.chain, "", {}, { "company.md": "Company.\n" });
  tree.write("home/.codelia/p.mjs", recorder(HOOKS.chain, tree.path("seen"), add));
  expect(hook(tree, { hook_event_name: "SessionStart", source: "startup" }).additionalContext).toContain("Company.\n");
  expect(readFileSync(tree.path("seen"), "utf8").trim().split("\n")).toHaveLength(1);
});

test("agents_resolve of the MCP server and explain have the files of agents:chain", () => {
  const none = `return { ...data, files: data.files.filter(({ path }) => !path.endsWith("/a/AGENTS.md")) };`;
  using tree = withConfig(HOOKS.chain, none, {});
  const params = { name: "agents_resolve", arguments: { paths: ["a/x"] } };
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const served = tree.codelia(["mcp"], { stdin: `${request}\n` });
  const { files } = JSON.parse(served.stdout).result.structuredContent;
  expect(files.map(({ path }: { path: string }) => path)).toEqual([tree.path("repo/AGENTS.md")]);
  const explained = tree.codelia(["explain", "a/x", "--json"]);
  expect(JSON.parse(explained.stdout).told).toEqual([{ path: tree.path("repo/AGENTS.md"), state: "pending" }]);
});
