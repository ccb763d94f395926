import { describe, expect, test } from "bun:test";
import {
  after,
  answerOf,
  bash,
  before,
  eventText,
  hook,
  read,
  start,
  SUB,
  type Fields,
} from "../support/hook-calls.ts";
import { startHookServer } from "../support/hook-server.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { playEvents } from "../reliability/lib/hook-events.ts";

// Hooks that call a tool of a running `codelia mcp`: each answer is the same as that of a new process.

const WRITTEN_AT = 1_700_000_000_000;
const file = (text: string): Entry => ({ text, mtimeMs: WRITTEN_AT });
const TREE: Readonly<Record<string, Entry>> = {
  "home/": { dir: true },
  "repo/.git/": { dir: true },
  "repo/CLAUDE.md": file("Be brief.\n"),
  "repo/AGENTS.md": file("Root rules.\n"),
  "repo/app/AGENTS.md": file("App rules.\n"),
  "repo/app/main.ts": file(""),
  "repo/lib/AGENTS.md": file("Lib rules.\n"),
  "repo/lib/deep/AGENTS.md": file("Deep rules.\n"),
  "repo/lib/deep/x.ts": file(""),
  "repo/.agents/skills/release-notes/SKILL.md": file(
    "---\nname: release-notes\ndescription: Draft notes\n---\nBody.\n",
  ),
  "repo/lib/.agents/skills/publish/SKILL.md": file("---\nname: publish\ndescription: Publishes\n---\nBody.\n"),
  "repo/.claude/skills/deploy/SKILL.md": file("---\nname: deploy\ndescription: Deploys\n---\nBody.\n"),
};

const prompt = (text: string): Fields => ({ hook_event_name: "UserPromptSubmit", prompt: text });
const other = (fields: Fields): Fields => ({ ...fields, session_id: "other" });
const config = (tree: TempTree, data: object) => tree.write("repo/.codelia/config.json", JSON.stringify(data));

type Step = ((tree: TempTree) => Fields) | ((tree: TempTree) => void);

/** What sessions and sub-agents do, one after the other, and how their files change meanwhile. */
const STEPS: readonly (readonly [what: string, step: Step])[] = [
  ["a start", () => start()],
  ["a touch", (tree) => read(tree.path("repo/app/main.ts"))],
  ["the same touch", (tree) => read(tree.path("repo/app/main.ts"))],
  ["a touch in another session", (tree) => other(read(tree.path("repo/app/main.ts")))],
  ["a sub-agent's start", () => ({ hook_event_name: "SubagentStart", ...SUB })],
  ["a sub-agent's touch", (tree) => read(tree.path("repo/lib/deep/x.ts"), SUB)],
  ["a touch by a shell command", () => bash("cat lib/deep/x.ts")],
  ["a pipeline that bash has to read", () => bash("for f in lib/*; do cat \"$f\"; done | sort")],
  ["(a file changes)", (tree) => tree.write("repo/app/AGENTS.md", "New app rules.\n")],
  ["(at that time)", (tree) => tree.touch("repo/app/AGENTS.md", WRITTEN_AT + 5000)],
  ["a touch after it", (tree) => read(tree.path("repo/app/main.ts"))],
  ["what a tool has shown", (tree) => after("Read", { file_path: tree.path("repo/lib/AGENTS.md") })],
  ["a prompt with a file and a skill", () => prompt("look at @lib/deep/x.ts with $release-notes")],
  ["(resolver off)", (tree) => config(tree, { agents: { resolver: { enabled: false } } })],
  ["a touch without a resolver", (tree) => other(read(tree.path("repo/lib/deep/x.ts")))],
  ["(a gate, bodies)", (tree) => config(tree, { agents: { resolver: { gate: "edit", delivery: "body" } } })],
  ["an edit at the gate", (tree) => other(before("Write", { file_path: tree.path("repo/lib/deep/new.ts"), content: "" }))],
  ["the edit again", (tree) => other(before("Write", { file_path: tree.path("repo/lib/deep/new.ts"), content: "" }))],
  ["(a config that can't be used)", (tree) => tree.write("repo/.codelia/config.json", "{")],
  ["a touch under it", (tree) => ({ ...read(tree.path("repo/lib/deep/x.ts")), session_id: "third" })],
  ["(a rule of the user's)", (tree) =>
    tree.write("home/.codelia/config.json", JSON.stringify({ permissions: { deny: [{ tool: "skill_load", skill_name: "deploy" }] } }))],
  ["a skill that it denies", () => before("Skill", { skill: "deploy" })],
  ["(a file vanishes)", (tree) => tree.remove("repo/lib/AGENTS.md")],
  ["a touch beside it", (tree) => read(tree.path("repo/lib/deep/x.ts"))],
  ["a compaction", () => start("compact")],
  ["a touch after a compaction", (tree) => read(tree.path("repo/app/main.ts"))],
  ["the end of a sub-agent", () => ({ hook_event_name: "SubagentStop", ...SUB })],
  ["a resume", () => start("resume")],
  ["an event that is nothing to us", () => ({ hook_event_name: "Notification", message: "x" })],
  ["the end", () => ({ hook_event_name: "SessionEnd", reason: "other" })],
]; // prettier-ignore

test.each(["claude", "codex"])("the answers of one server are those of a process for each event, for %s", async (client) => {
  using served = tempTree(TREE);
  using called = tempTree(TREE);
  using server = startHookServer(served);
  for (const [what, step] of STEPS) {
    const there = step(served);
    const here = step(called);
    if (there === undefined || here === undefined) continue;
    const answer = await server.ask({ client, ...JSON.parse(eventText(served, there)) });
    const { stdout } = hook(called, here, [client]);
    const expected = stdout.replaceAll(called.root, served.root);
    expect([what, withoutTimes(answer)]).toEqual([what, withoutTimes(expected)]);
  }
  expect(await server.end()).toBe(0);
}); // prettier-ignore

/** The times of files that were written in only one of the trees. */
function withoutTimes(text: string): string {
  return text.replaceAll(/was \d{13}/g, "was {time}");
}

describe("the tool", () => {
  test("is in no list", async () => {
    using tree = tempTree(TREE);
    using server = startHookServer(tree);
    const { result } = await server.request("tools/list");
    expect(result?.tools).toHaveLength(3);
    expect(JSON.stringify(result)).not.toContain("hook_event");
  });

  test.each([[{}], [{ client: 3 }], [[]]])("called with %j is an error of the protocol", async (given) => {
    using tree = tempTree(TREE);
    using server = startHookServer(tree);
    const { error } = await server.request("tools/call", { name: "hook_event", arguments: given });
    expect(error?.code).toBe(-32_602);
  });

  test.each([
    [{ client: "nobody", hook_event_name: "PreToolUse" }],
    [{ client: "claude" }],
    [{ client: "claude", part: "9/1" }],
    [{ client: "claude", hook_event_name: "PreToolUse", session_id: "s", cwd: "/nowhere/at/all", tool_name: 3 }],
  ])("is silent for %j", async (given) => {
    using tree = tempTree(TREE);
    using server = startHookServer(tree);
    expect(await server.ask(given)).toBe("");
    expect(await server.ask({ client: "claude", ...JSON.parse(eventText(tree, start())) })).toContain("Root rules.");
  });

  test("is silent where CODELIA_DISABLE is 1", async () => {
    using tree = tempTree(TREE);
    using server = startHookServer(tree, { CODELIA_DISABLE: "1" });
    expect(await server.ask({ client: "claude", ...JSON.parse(eventText(tree, start())) })).toBe("");
  });
});

describe("templates", () => {
  test("Claude Code sends every value as text, and what is missing as nothing", async () => {
    using tree = tempTree(TREE);
    using server = startHookServer(tree);
    const fields = JSON.parse(eventText(tree, read(tree.path("repo/app/main.ts"))));
    const asText = { ...fields, tool_input: JSON.stringify(fields.tool_input), tool_response: "", agent_id: "" };
    const { context } = answerOf(await server.ask({ client: "claude", ...asText }));
    expect(context).toContain(`- ${tree.path("repo/app/AGENTS.md")} (mtime: `);
    // The main context is told: an empty `agent_id` counts as none.
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toBe("");
  });

  test("Codex names a sub-agent by the thread that calls", async () => {
    using tree = tempTree(TREE);
    using server = startHookServer(tree);
    const fields = { client: "codex", ...JSON.parse(eventText(tree, bash("cat app/main.ts"))) };
    expect(await server.ask(fields, { threadId: "s" })).toContain("app/AGENTS.md");
    expect(await server.ask(fields, { threadId: "s" })).toBe("");
    expect(await server.ask(fields, { threadId: "agent-1" })).toContain("app/AGENTS.md");
    expect(hook(tree, { ...bash("cat app/main.ts"), agent_id: "agent-1" }, ["codex"]).context).toBe("");
  });
});

test("two that ask at once about one start begin it once, in one server as in two processes", async () => {
  using tree = tempTree(TREE);
  using server = startHookServer(tree);
  const fields = { client: "claude", ...JSON.parse(eventText(tree, start())) };
  const answers = await server.askAll([fields, fields]);
  expect(answers.filter((text) => text.includes("Root rules."))).toHaveLength(1);
});

test("of a server and a process beside it, one tells", async () => {
  using tree = tempTree(TREE);
  using server = startHookServer(tree);
  const touch = read(tree.path("repo/app/main.ts"));
  expect(hook(tree, touch).context).toContain("app/AGENTS.md");
  expect(await server.ask({ client: "claude", ...JSON.parse(eventText(tree, touch)) })).toBe("");
});

test("it goes on in a directory that is gone, and ends with its client", async () => {
  using tree = tempTree({ ...TREE, "repo/gone/": { dir: true } });
  using server = startHookServer(tree);
  const there = { client: "claude", ...JSON.parse(eventText(tree, read("x.ts"))), cwd: tree.path("repo/gone") };
  await server.ask(there);
  tree.remove("repo/gone");
  await server.ask(there);
  const again = JSON.parse(eventText(tree, read(tree.path("repo/lib/deep/x.ts"))));
  expect(await server.ask({ client: "claude", ...again })).toContain("lib/deep/AGENTS.md");
  expect(runCodelia(["session", "list", "--json"], { cwd: tree.path("repo"), home: tree.path("home") }).exitCode).toBe(0);
  expect(await server.end()).toBe(0);
}); // prettier-ignore

// The short form; `npm run reliability -- --only server` sends 100,000.
test("three hundred events of several sessions: each answer is that of a new process", async () => {
  const { faults, compared, told, mostKB } = await playEvents({ events: 300, everyProcess: 10 });
  expect(faults).toEqual([]);
  expect(compared).toBe(30);
  expect(told).toBeGreaterThan(50);
  expect(mostKB).toBeLessThan(200 * 1024);
}, 30_000);
