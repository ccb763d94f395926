import { describe, expect, test } from "bun:test";
import { CODELIA } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { RULED_FILES } from "./lib/codelia-scene.ts";
import { CODEX_MODELS, runCodex } from "./lib/codex.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { ToolUse } from "./lib/script.ts";
import { connectClient } from "./lib/mcp-client.ts";
import { lastSeen } from "./lib/seen.ts";

// `codelia mcp`, driven by the official SDK's client and by the real Claude Code and Codex.

const FILES = {
  ...RULED_FILES,
  ".agents/skills/release-notes/SKILL.md":
    "---\nname: release-notes\ndescription: Draft release notes\n---\nBegin with what broke.\n",
};

describe.skipIf(CLAUDE.missing !== undefined)("the official client", () => {
  test("lists the tools, calls them, and finds what they answer as their schemas say", async () => {
    using tree = tempTree(FILES);
    using home = tempTree();
    const client = await connectClient(CODELIA, ["mcp"], tree, home);
    expect(client.getServerVersion()).toMatchObject({ name: "codelia" });
    expect(client.getInstructions()).toContain("agents_resolve");
    await client.ping();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["agents_resolve", "skill_search", "skill_load"]);
    const resolved = await client.callTool({ name: "agents_resolve", arguments: { paths: ["lib/one.ts"] } });
    expect(resolved.structuredContent).toMatchObject({
      files: [{ path: tree.path("AGENTS.md") }, { path: tree.path("lib/AGENTS.md") }],
    });
    const found = await client.callTool({ name: "skill_search", arguments: { query: "release" } });
    expect(found.structuredContent).toMatchObject({ count: 1, truncated: false });
    const loaded = await client.callTool({ name: "skill_load", arguments: { name: "release-notes" } });
    expect(JSON.stringify(loaded.content)).toContain("Begin with what broke.");
    expect(await client.callTool({ name: "skill_load", arguments: {} })).toMatchObject({ isError: true });
    expect(client.callTool({ name: "nonsense" })).rejects.toThrow("unknown tool 'nonsense'");
    const many = Array.from({ length: 20 }, () =>
      client.callTool({ name: "agents_resolve", arguments: { paths: ["app/main.ts"] } }),
    );
    const told = (await Promise.all(many)).map(({ structuredContent }) => JSON.stringify(structuredContent));
    expect(told.filter((text) => text.includes("app/AGENTS.md"))).toHaveLength(1);
    await client.close();
  });
});

/** What a model calls, one after the other. */
const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ["agents_resolve", { paths: ["lib/one.ts"] }],
  ["skill_search", { query: "release" }],
  ["skill_load", { name: "release-notes" }],
  ["skill_load", { name: "release-notes" }],
];

function expectResults(seen: string, tree: TempTree): void {
  expect(seen).toContain(tree.path("lib/AGENTS.md"));
  expect(seen).toContain("Begin with what broke.");
  expect(seen).toContain("skill_context_reminder");
  expect(seen).toContain("prefix");
}

/** The one session of the ledger, and its contexts. */
function contextsIn(tree: TempTree): unknown[] {
  const { sessions } = JSON.parse(tree.read(".codelia/session.json"));
  return Object.entries<{ contexts: object }>(sessions).flatMap(([name, { contexts }]) => [
    name,
    Object.keys(contexts),
  ]);
}

test.skipIf(CLAUDE.missing !== undefined)(
  "Claude Code: the model calls the tools and reads what they answer",
  async () => {
    using tree = tempTree(FILES);
    const config = JSON.stringify({ mcpServers: { codelia: { command: CODELIA, args: ["mcp"] } } });
    const toolUses = CALLS.map(([name, input]): ToolUse => ({ name: `mcp__codelia__${name}`, input: { ...input } }));
    const run = await runClaude({
      tree,
      prompt: "Go.",
      args: ["--mcp-config", config, "--strict-mcp-config"],
      script: { main: toolUses.map((use) => ({ toolUses: [use] })) },
    });
    expect({ exitCode: run.exitCode, leftBehind: run.leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
    expectResults(lastSeen(run), tree);
    // The client names its session to the server: it speaks for the same context as the session's shell.
    expect(contextsIn(tree)).toEqual([expect.not.stringMatching(/^mcp-/), ["shell"]]);
  },
  TEST_TIMEOUT_MS,
);

test.skipIf(CODEX.missing !== undefined)(
  "Codex: the model calls the tools and reads what they answer",
  async () => {
    using tree = tempTree(FILES);
    const toolUses = CALLS.map(([name, input]): ToolUse => ({ name, namespace: "mcp__codelia", input: { ...input } }));
    const run = await runCodex({
      tree,
      model: CODEX_MODELS[0],
      prompt: "Go.",
      config: { "mcp_servers.codelia.command": CODELIA, "mcp_servers.codelia.args": ["mcp"] },
      script: { main: toolUses.map((use) => ({ toolUses: [use] })) },
    });
    expect({ exitCode: run.exitCode, leftBehind: run.leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
    expectResults(lastSeen(run), tree);
    expect(contextsIn(tree)).toEqual([expect.stringMatching(/^mcp-/), ["main"]]);
  },
  TEST_TIMEOUT_MS,
);
