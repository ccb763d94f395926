import { describe, expect, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { runClaude, runClaudeCommand } from "./lib/claude.ts";
import { bash } from "./lib/claude-tools.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { runClient } from "./lib/client-process.ts";
import { runCodex, runCodexCommand } from "./lib/codex.ts";
import { DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { startFakeAnthropic } from "./lib/fake-anthropic.ts";
import { startFakeResponses } from "./lib/fake-responses.ts";
import { recordHooks } from "./lib/hook-recorder.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { lastSeen } from "./lib/seen.ts";

// The harness itself: what it promises to every test that uses it.

async function ask(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body), headers });
  return { status: response.status, text: await response.text() };
}

const MESSAGE = { model: "m", tools: [{ name: "Read" }], messages: [{ role: "user", content: "Go." }] };

describe("the fake Messages API", () => {
  test("answers without a stream when it is asked so", async () => {
    const use = { name: "Read", input: { file_path: "/a" } };
    await using server = await startFakeAnthropic({ main: [{ text: "Look.", toolUses: [use] }] });
    const { status, text } = await ask(`${server.url}/v1/messages?beta=true`, MESSAGE);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      role: "assistant",
      model: "m",
      content: [
        { type: "text", text: "Look." },
        { type: "tool_use", ...use },
      ],
      stop_reason: "tool_use",
    });
  });

  test("streams the same as events", async () => {
    await using server = await startFakeAnthropic({ main: [{ text: "Look." }] });
    const { text } = await ask(`${server.url}/v1/messages`, { ...MESSAGE, stream: true });
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  test("keeps the turns for those who have tools, and tells agents apart", async () => {
    const agents = { "Look left.": [{ text: "Left." }], "Look right.": [{ text: "Right." }] };
    await using server = await startFakeAnthropic({ main: [{ text: "Main." }], agents });
    const say = async (content: string, agent?: string, tools: readonly object[] = MESSAGE.tools) => {
      const headers: Record<string, string> = agent === undefined ? {} : { "x-claude-code-agent-id": agent };
      const messages = [{ role: "user", content }];
      const { text } = await ask(`${server.url}/v1/messages`, { ...MESSAGE, messages, tools }, headers);
      return JSON.parse(text).content[0].text;
    };
    expect(await say("A title?", undefined, [])).toBe("Done.");
    expect(await say("Look right.", "2")).toBe("Right.");
    expect(await say("Look left. Look right.", "1")).toBe("Left.");
    expect(await say("Anything.", "3")).toBe("Done.");
    expect(await say("Go.")).toBe("Main.");
    expect(await say("Your task is to create a detailed summary of it")).toBe("<summary>A summary.</summary>");
    expect(server.seenByModel.map(({ thread, purpose }) => `${thread} ${purpose}`)).toEqual([
      "main side",
      "Look right. turn",
      "Look left. turn",
      "3 turn",
      "main turn",
      "main compaction",
    ]);
  });

  test("counts tokens, and has nothing else", async () => {
    await using server = await startFakeAnthropic({});
    expect(await ask(`${server.url}/v1/messages/count_tokens`, MESSAGE)).toEqual({
      status: 200,
      text: '{"input_tokens":1000}',
    });
    expect((await ask(`${server.url}/v1/other`, {})).status).toBe(404);
    expect(server.seenByModel).toEqual([]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/messages/count_tokens", "/v1/other"]);
  });
});

describe("the fake Responses API", () => {
  test("streams messages, function calls and custom tool calls", async () => {
    const toolUses = [DIRECT_TOOLS.run("ls"), DIRECT_TOOLS.patch("*** Begin Patch"), DIRECT_TOOLS.spawn("Help.")];
    await using server = await startFakeResponses({ main: [{ text: "Look.", toolUses }] });
    const headers = { "x-codex-turn-metadata": JSON.stringify({ request_kind: "turn" }) };
    const { text } = await ask(`${server.url}/v1/responses`, { model: "m", input: [] }, headers);
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
    expect(
      events.map(({ type, item }) => [type, item?.type, item?.namespace, item?.name].filter(Boolean).join(" ")),
    ).toEqual([
      "response.created",
      "response.output_item.done message",
      "response.output_item.done function_call exec_command",
      "response.output_item.done custom_tool_call apply_patch",
      "response.output_item.done function_call multi_agent_v1 spawn_agent",
      "response.completed",
    ]);
  });
});

test("a client that doesn't end is ended with all that it has started, and the run fails", async () => {
  using home = tempTree();
  const script = "setsid sh -c 'echo $$ > pid; exec sleep 300' & sleep 300";
  const run = runClient({ program: "/bin/sh", args: ["-c", script], cwd: home.root, home, timeoutMs: 500 });
  expect(await run.catch((error: Error) => error.message)).toStartWith("no end after 500 ms");
  // Gone, or dead and not yet buried: not every container has an init that does that.
  const { stdout } = Bun.spawnSync(["ps", "-o", "stat=", "-p", home.read("pid").trim()]);
  expect(stdout.toString().trim()).toMatch(/^(?:Z.*)?$/);
});

test("what a client leaves behind in a session of its own is ended and named", async () => {
  using home = tempTree();
  const args = ["-c", "setsid sleep 300 & echo started"];
  const { stdout, exitCode, leftBehind } = await runClient({ program: "/bin/sh", args, cwd: home.root, home });
  expect({ stdout, exitCode, leftBehind }).toEqual({ stdout: "started\n", exitCode: 0, leftBehind: ["sleep 300"] });
});

const CLIENTS = [
  { client: CLAUDE, run: runClaude, command: runClaudeCommand, showEnvironment: bash("env") },
  { client: CODEX, run: runCodex, command: runCodexCommand, showEnvironment: DIRECT_TOOLS.run("env") },
];

for (const { client, run, command, showEnvironment } of CLIENTS) {
  describe.skipIf(client.missing !== undefined)(`a run of ${client.name}`, () => {
    test(
      "has nothing of the caller's environment but PATH",
      async () => {
        process.env["E2E_OF_THE_CALLER"] = "1";
        using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
        const { exitCode, ...seen } = await run({
          tree,
          prompt: "Go.",
          script: { main: [{ toolUses: [showEnvironment] }] },
        });
        delete process.env["E2E_OF_THE_CALLER"];
        expect(exitCode).toBe(0);
        expect(lastSeen(seen)).toContain("E2E_RUN_MARKER=");
        expect(lastSeen(seen)).not.toContain("E2E_OF_THE_CALLER");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "may be a command that asks no model",
      async () => {
        using tree = tempTree();
        using home = tempTree();
        const { stdout, stderr, exitCode } = await command(["--version"], home, tree.root);
        expect({ stdout, stderr, exitCode }).toEqual({
          stdout: expect.stringMatching(/\d+\.\d+/),
          stderr: "",
          exitCode: 0,
        });
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "keeps its records in the home it is given",
      async () => {
        using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
        using home = tempTree();
        const { hooks, calls } = recordHooks(home, { SessionStart: "" });
        await run({ tree, home, hooks, prompt: "Go." });
        expect(calls().map(({ transcript_path }) => String(transcript_path))).toEqual([
          expect.stringContaining(home.root),
        ]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "fails with the script's own error",
      async () => {
        using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
        const turn = () => {
          throw new Error("not what I expected");
        };
        const outcome = run({ tree, prompt: "Go.", script: { main: [turn] } }).catch((error: Error) => error.message);
        expect(await outcome).toContain("not what I expected");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "ends what a hook has left behind",
      async () => {
        using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
        const leave = "setsid sleep 300 >/dev/null 2>&1 </dev/null &";
        const hooks = { SessionStart: [{ hooks: [{ type: "command", command: leave }] }] };
        const { leftBehind } = await run({ tree, hooks, prompt: "Go." });
        expect(leftBehind).toEqual(["sleep 300"]);
      },
      TEST_TIMEOUT_MS,
    );
  });
}
