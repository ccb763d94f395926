import { describe, expect, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { CLAUDE_MODELS, runClaude } from "./lib/claude.ts";
import { bash, read, spawn, write } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { contextOutput, recordHooks } from "./lib/hook-recorder.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { playClaude as play, SCENE_FILES } from "./lib/play-claude.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import { countSeen, findSeen, lastSeen, turnsOf, whereSeen } from "./lib/seen.ts";

// What we rely on in Claude Code, each fact asserted on the real client.

/** How hook context comes to each model: as whose words, and whether the client puts its own tag around it. */
const FORMS = [
  { model: CLAUDE_MODELS[0], place: "system text", tagged: false },
  { model: CLAUDE_MODELS[1], place: "system text", tagged: true },
  { model: CLAUDE_MODELS[2], place: "user text", tagged: true },
] as const;

function expectToldOnce(
  run: ClientRun,
  text: string,
  { place, tagged }: Pick<(typeof FORMS)[number], "place" | "tagged">,
) {
  expect(whereSeen(run, text)).toEqual([place]);
  const said = findSeen(run, text)[0]?.text ?? "";
  expect(/<system-reminder>\n[^<]*$/.test(said.slice(0, said.indexOf(text)))).toBe(tagged);
}

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code", () => {
  test(
    "is asked a question and answers it, with one request and no other traffic",
    async () => {
      const { run } = await play({ prompt: "What is it?", script: () => ({ main: [{ text: "It is this." }] }) });
      expect(JSON.parse(run.stdout)).toMatchObject({ type: "result", is_error: false, result: "It is this." });
      expect(run.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/messages"]);
      expect(run.seenByModel.map(({ thread, purpose }) => `${thread} ${purpose}`)).toEqual(["main turn"]);
      expect(findSeen(run, "What is it?")).toEqual([{ role: "user", kind: "text", text: "What is it?" }]);
    },
    TEST_TIMEOUT_MS,
  );

  describe.each(FORMS)("with $model", (form) => {
    test(
      "PreToolUse context of Read, Bash and Write comes once each, with the tool's result",
      async () => {
        const { run, calls } = await play({
          model: form.model,
          prompt: "Go.",
          answers: { PreToolUse: contextOutput("PreToolUse", "Mind this.") },
          script: (path) => ({
            main: [
              { toolUses: [read(path("a.txt"))] },
              { toolUses: [bash("cat b.txt")] },
              { toolUses: [write(path("new.txt"))] },
            ],
          }),
        });
        expect(countSeen(run, "Mind this.")).toEqual([0, 1, 2, 3]);
        const parts = turnsOf(run)
          .at(-1)
          ?.seen.filter(({ kind, text }) => kind === "tool_result" || text.includes("Mind"));
        expect(parts?.map(({ role, kind }) => `${role} ${kind}`)).toEqual(
          [1, 2, 3].flatMap(() => ["tool tool_result", form.place]),
        );
        expect(calls.map(({ tool_name }) => tool_name as string)).toEqual(["Read", "Bash", "Write"]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "context comes from SessionStart, UserPromptSubmit, PreToolUse and PostToolUse, once each and in its form",
      async () => {
        const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];
        const { run } = await play({
          model: form.model,
          prompt: "Go.",
          answers: Object.fromEntries(events.map((event) => [event, contextOutput(event, `From ${event}.`)])),
          script: (path) => ({ main: [{ toolUses: [read(path("a.txt"))] }] }),
        });
        for (const event of events) expectToldOnce(run, `From ${event}.`, form);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "'<system-reminder' in context is defused, in either case of letters, and other tags are not",
      async () => {
        const { run } = await play({
          model: form.model,
          prompt: "Go.",
          answers: {
            SessionStart: contextOutput(
              "SessionStart",
              '<System-Reminder x><codelia-reminder type="a">&</codelia-reminder>',
            ),
          },
        });
        expect(countSeen(run, '&lt;System-Reminder x><codelia-reminder type="a">&</codelia-reminder>')).toEqual([1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a compaction drops the context of tools and prompts, and starts the session once more",
      async () => {
        const contextEvents = ["SessionStart", "UserPromptSubmit", "PreToolUse"];
        const silent = ["PreCompact", "SubagentStop", "PostCompact"].map((event) => [event, ""]);
        const context = contextEvents.map((event) => [event, contextOutput(event, `From ${event}.`)]);
        const { run, calls } = await play({
          model: form.model,
          prompt: ["Go.", "/compact", "Go on."],
          answers: Object.fromEntries([...context, ...silent]) as Record<string, string>,
          script: (path) => ({ main: [{ toolUses: [read(path("a.txt"))] }], summary: "We read." }),
        });
        expect(run.seenByModel.map(({ purpose }) => purpose)).toEqual(["turn", "turn", "compaction", "turn"]);
        expect(calls.map(({ hook_event_name, source }) => [hook_event_name, source].filter(Boolean).join(" "))).toEqual(
          [
            "SessionStart startup",
            "UserPromptSubmit",
            "PreToolUse",
            "PreCompact",
            "SubagentStop",
            "SessionStart compact",
            "PostCompact",
            "UserPromptSubmit",
          ],
        );
        expect(countSeen(run, "From SessionStart.")).toEqual([1, 1, 1]);
        expect(countSeen(run, "From UserPromptSubmit.")).toEqual([1, 1, 1]);
        expect(countSeen(run, "From PreToolUse.")).toEqual([0, 1, 0]);
        expect(countSeen(run, "We read.")).toEqual([0, 0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a sub-agent has the session's id and its own, and of our context only its own SubagentStart",
      async () => {
        const events = ["SessionStart", "UserPromptSubmit", "SubagentStart", "PreToolUse"];
        const { run, calls } = await play({
          model: form.model,
          prompt: "Go.",
          answers: Object.fromEntries(events.map((event) => [event, contextOutput(event, `From ${event}.`)])),
          script: () => ({
            main: [{ toolUses: [spawn("Find the thing.")] }],
            agents: { "Find the thing.": [{ toolUses: [bash("cat a.txt")] }, { text: "Found." }] },
          }),
        });
        const agent = "Find the thing.";
        expect(turnsOf(run, agent).map(({ seen }) => seen.some(({ text }) => text === agent))).toEqual([true, true]);
        expect(countSeen(run, "From SubagentStart.", agent)).toEqual([1, 1]);
        expect(countSeen(run, "From PreToolUse.", agent)).toEqual([0, 1]);
        expect(countSeen(run, "From SessionStart.", agent)).toEqual([0, 0]);
        expect(countSeen(run, "From UserPromptSubmit.", agent)).toEqual([0, 0]);
        expect(countSeen(run, "From SubagentStart.")).toEqual([0, 0]);
        expect(new Set(calls.map(({ session_id }) => session_id)).size).toBe(1);
        const agentIds = calls
          .filter(({ hook_event_name }) => hook_event_name === "SubagentStart")
          .map(({ agent_id }) => agent_id);
        expect(agentIds).toEqual([expect.any(String)]);
        expect(
          calls.filter(({ agent_id }) => agent_id === agentIds[0]).map(({ hook_event_name }) => hook_event_name),
        ).toEqual(["SubagentStart", "PreToolUse"]);
      },
      TEST_TIMEOUT_MS,
    );
  });

  test(
    "a resume keeps the context and the id, and doesn't repeat a SessionStart context that says the same",
    async () => {
      using tree = tempTree(SCENE_FILES);
      using home = tempTree();
      const first = recordHooks(home, { SessionStart: contextOutput("SessionStart", "The same.") });
      await runClaude({ tree, home, hooks: first.hooks, prompt: "Go." });
      const resumed = await runClaude({ tree, home, hooks: first.hooks, prompt: "Go on.", resume: true });
      const other = recordHooks(home, { SessionStart: contextOutput("SessionStart", "Another.") });
      const again = await runClaude({ tree, home, hooks: other.hooks, prompt: "And on.", resume: true });
      expect([countSeen(resumed, "The same."), countSeen(again, "The same."), countSeen(again, "Another.")]).toEqual([
        [1],
        [1],
        [1],
      ]);
      expect(other.calls().map(({ source }) => source)).toEqual(["startup", "resume", "resume"]);
      expect(new Set(other.calls().map(({ session_id }) => session_id)).size).toBe(1);
    },
    TEST_TIMEOUT_MS,
  );

  test.each(CLAUDE_MODELS)(
    "%s compacts in the middle of a turn when a request was too long",
    async (model) => {
      const { run, calls } = await play({
        model,
        prompt: "Go.",
        env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
        answers: { SessionStart: contextOutput("SessionStart", "From the start."), PreCompact: "", PostCompact: "" },
        script: () => ({ main: [{ toolUses: [bash("cat a.txt")], inputTokens: 990_000 }] }),
      });
      expect(run.seenByModel.map(({ purpose }) => purpose)).toEqual(["turn", "compaction", "turn"]);
      expect(calls.map(({ hook_event_name, source, trigger }) => [hook_event_name, source ?? trigger])).toEqual([
        ["SessionStart", "startup"],
        ["PreCompact", "auto"],
        ["SessionStart", "compact"],
        ["PostCompact", "auto"],
      ]);
      expect(countSeen(run, "From the start.")).toEqual([1, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "the commands of PreCompact and PostCompact hooks and what they print come to the model after /compact",
    async () => {
      const { run } = await play({
        prompt: ["Go.", "/compact", "Go on."],
        answers: { PreCompact: "Printed before.", PostCompact: "" },
      });
      expect(whereSeen(run, "Printed before.")).toEqual(["user text"]);
      expect(countSeen(run, "record-hook.ts")).toEqual([0, 2]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "parallel tool calls run their hooks at the same time, and each hook's context comes",
    async () => {
      const { run } = await play({
        prompt: "Go.",
        answers: { PreToolUse: { stdout: contextOutput("PreToolUse", "Mind this."), together: 3 } },
        script: (path) => ({ main: [{ toolUses: ["a.txt", "b.txt", "sub/c.txt"].map((name) => read(path(name))) }] }),
      });
      expect(countSeen(run, "Mind this.")).toEqual([0, 3]);
      expect(countSeen(run, "alone for too long")).toEqual([0, 0]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "two agents at once are two threads",
    async () => {
      const { run } = await play({
        prompt: "Go.",
        answers: { SubagentStart: contextOutput("SubagentStart", "Welcome.") },
        script: () => ({
          main: [{ toolUses: [spawn("Look left."), spawn("Look right.")] }],
          agents: { "Look left.": [{ text: "Left." }], "Look right.": [{ text: "Right." }] },
        }),
      });
      expect([countSeen(run, "Welcome.", "Look left."), countSeen(run, "Welcome.", "Look right.")]).toEqual([[1], [1]]);
      expect([countSeen(run, "Look right.", "Look left."), countSeen(run, "Look left.", "Look right.")]).toEqual([
        [0],
        [0],
      ]);
      expect(lastSeen(run)).toContain("Left.");
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "a fork inherits its parent's history, our context included",
    async () => {
      const { run } = await play({
        prompt: "Go.",
        answers: {
          SessionStart: contextOutput("SessionStart", "From the start."),
          SubagentStart: contextOutput("SubagentStart", "Welcome."),
        },
        script: () => ({
          main: [{ toolUses: [spawn("Look left.", "fork")] }],
          agents: { "Look left.": [{ text: "Left." }] },
        }),
      });
      expect(countSeen(run, "From the start.", "Look left.")).toEqual([1]);
      expect(countSeen(run, "Welcome.", "Look left.")).toEqual([1]);
    },
    TEST_TIMEOUT_MS,
  );

  test.each([
    ["10,000 UTF-16 units of context come whole", `${"é".repeat(9997)}END`, [1]],
    ["of one more the model gets a preview and the path of a file", `${"é".repeat(9998)}END`, [0]],
    ["a pair of surrogates counts as two", `${"😀".repeat(4999)}END`, [0]],
  ])(
    "%s",
    async (_, context, whole) => {
      const { run } = await play({ prompt: "Go.", answers: { SessionStart: contextOutput("SessionStart", context) } });
      expect(countSeen(run, "END")).toEqual(whole);
      expect(countSeen(run, "<persisted-output>")).toEqual(whole.map((times) => 1 - times));
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "several hooks of one event have 10,000 units each",
    async () => {
      const answers = ["A", "B", "C"].map((letter) => contextOutput("SessionStart", `${letter.repeat(9998)}!!`));
      const { run } = await play({ prompt: "Go.", answers: { SessionStart: answers } });
      expect(["A!!", "B!!", "C!!"].map((end) => countSeen(run, end))).toEqual([[1], [1], [1]]);
      expect(countSeen(run, "<persisted-output>")).toEqual([0]);
    },
    TEST_TIMEOUT_MS,
  );

  test.each([
    ["plain stdout of PreToolUse never comes", "PreToolUse", "Mind this.", 0],
    ["context under another event's name is dropped", "PreToolUse", contextOutput("PostToolUse", "Mind this."), 0],
    [
      "unknown fields are passed over",
      "PreToolUse",
      JSON.stringify({
        a: 1,
        hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "Mind this.", b: 2 },
      }),
      1,
    ],
    ["plain stdout of UserPromptSubmit comes", "UserPromptSubmit", "Mind this.", 1],
    ["plain stdout of SessionStart comes", "SessionStart", "Mind this.", 1],
  ])(
    "%s",
    async (_, event, stdout, times) => {
      const { run } = await play({
        prompt: "Go.",
        answers: { [event]: stdout },
        script: (path) => ({ main: [{ toolUses: [read(path("a.txt"))] }] }),
      });
      expect(countSeen(run, "Mind this.").at(-1)).toBe(times);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "exit code 2 of PreToolUse keeps the tool from running and tells why; another failure lets it run",
    async () => {
      const outcomes = [2, 1].map(async (exitCode) => {
        const { run } = await play({
          prompt: "Go.",
          answers: { PreToolUse: { exitCode, stderr: "Not now." } },
          script: (path) => ({ main: [{ toolUses: [read(path("a.txt"))] }] }),
        });
        return { ran: lastSeen(run).includes("text of a"), told: whereSeen(run, "Not now.") };
      });
      expect(await Promise.all(outcomes)).toEqual([
        { ran: false, told: ["tool tool_result"] },
        { ran: true, told: [] },
      ]);
    },
    TEST_TIMEOUT_MS,
  );
});
