import { describe, expect, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { CODEX } from "./lib/clients.ts";
import { CODEX_MODELS, codexPromptInput, runCodex } from "./lib/codex.ts";
import { addFile, CODE_MODE_TOOLS, DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { contextOutput, recordHooks } from "./lib/hook-recorder.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { SCENE_FILES } from "./lib/play-claude.ts";
import { playCodex } from "./lib/play-codex.ts";
import type { ModelRequest } from "./lib/script.ts";
import { countSeen, findSeen, lastSeen, turnsOf, whereSeen } from "./lib/seen.ts";

// What we rely on in Codex, each fact asserted on the real client.

const MODELS = [
  { model: CODEX_MODELS[0], tools: DIRECT_TOOLS, spawnTool: "spawn_agent", promptsAgents: true },
  { model: CODEX_MODELS[1], tools: CODE_MODE_TOOLS, spawnTool: "collaborationspawn_agent", promptsAgents: false },
] as const;

const contexts = (...events: string[]) =>
  Object.fromEntries(events.map((event) => [event, contextOutput(event, `From ${event}.`)]));

const lastResult = ({ seen }: ModelRequest): string => seen.findLast(({ kind }) => kind === "tool_result")?.text ?? "";

describe.skipIf(CODEX.missing !== undefined)("Codex", () => {
  describe.each(MODELS)("with $model", ({ model, tools, spawnTool, promptsAgents }) => {
    test(
      "is asked a question and answers it, with one request and no other traffic",
      async () => {
        const { run } = await playCodex({ model, prompt: "What is it?", script: { main: [{ text: "It is this." }] } });
        const events = run.stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
        expect(events.find(({ item }) => item?.type === "agent_message").item.text).toBe("It is this.");
        expect(run.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/responses"]);
        expect(findSeen(run, "What is it?")).toEqual([{ role: "user", kind: "text", text: "What is it?" }]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "context comes as it is, once each, as a developer's words",
      async () => {
        const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];
        const text = '<system-reminder x><codelia-reminder type="a">&';
        const answers = Object.fromEntries(events.map((event) => [event, contextOutput(event, `${event} ${text}`)]));
        const { run } = await playCodex({
          model,
          prompt: "Go.",
          answers,
          script: { main: [{ toolUses: [tools.run("cat a.txt")] }] },
        });
        for (const event of events) {
          expect(findSeen(run, `${event} ${text}`)).toEqual([
            { role: "developer", kind: "text", text: `${event} ${text}` },
          ]);
        }
        expect(countSeen(run, `PreToolUse ${text}`)).toEqual([0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a command and a patch run hooks as Bash and apply_patch, and their context stands before the result",
      async () => {
        const { run, calls } = await playCodex({
          model,
          prompt: "Go.",
          answers: contexts("PreToolUse", "PostToolUse"),
          script: { main: [{ toolUses: [tools.run("cat a.txt")] }, { toolUses: [tools.patch(addFile("new.txt"))] }] },
        });
        const before = calls.filter(({ hook_event_name }) => hook_event_name === "PreToolUse");
        expect(before.map(({ tool_name, tool_input }) => [tool_name, tool_input])).toEqual([
          ["Bash", { command: "cat a.txt" }],
          ["apply_patch", { command: addFile("new.txt") }],
        ]);
        const parts = turnsOf(run)
          .at(-1)
          ?.seen.filter(({ kind, text }) => kind.startsWith("tool") || text.startsWith("From "));
        const once = ["tool_use", "From PreToolUse.", "From PostToolUse.", "tool_result"];
        expect(parts?.map(({ kind, text }) => (kind === "text" ? text : kind))).toEqual([...once, ...once]);
        expect(lastSeen(run)).toContain("text of a");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "'cwd' on stdin is the call's workdir",
      async () => {
        using tree = tempTree(SCENE_FILES);
        using home = tempTree();
        const { hooks, calls } = recordHooks(home, { PreToolUse: "" });
        const main = [{ toolUses: [tools.run("cat c.txt", tree.path("sub"))] }];
        const run = await runCodex({ tree, home, hooks, model, prompt: "Go.", script: { main } });
        expect(lastSeen(run)).toContain("text of c");
        expect(calls().map(({ cwd, tool_input }) => ({ cwd, tool_input }))).toEqual([
          { cwd: tree.path("sub"), tool_input: { command: "cat c.txt" } },
        ]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "parallel commands run their hooks at the same time, and each hook's context comes",
      async () => {
        const { run } = await playCodex({
          model,
          prompt: "Go.",
          answers: { PreToolUse: { stdout: contextOutput("PreToolUse", "Mind this."), together: 3 } },
          script: { main: [{ toolUses: tools.runAll(["cat a.txt", "cat b.txt", "cat sub/c.txt"]) }] },
        });
        expect(countSeen(run, "Mind this.")).toEqual([0, 3]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a compaction drops the context of tools and prompts, and starts the session once more",
      async () => {
        const silent = ["PreCompact", "PostCompact"].map((event) => [event, ""]);
        const { run, calls } = await playCodex({
          model,
          prompt: "Go.",
          config: { model_auto_compact_token_limit: 20_000 },
          answers: { ...contexts("SessionStart", "UserPromptSubmit", "PreToolUse"), ...Object.fromEntries(silent) },
          files: { "AGENTS.md": "Rules of the root.\n" },
          script: { main: [{ toolUses: [tools.run("cat a.txt")], inputTokens: 500_000 }], summary: "We read." },
        });
        expect(run.seenByModel.map(({ purpose }) => purpose)).toEqual(["turn", "compaction", "turn"]);
        expect(calls.map(({ hook_event_name, source }) => [hook_event_name, source].filter(Boolean).join(" "))).toEqual(
          [
            "SessionStart startup",
            "UserPromptSubmit",
            "PreToolUse",
            "PreCompact",
            "PostCompact",
            "SessionStart compact",
          ],
        );
        expect(countSeen(run, "From SessionStart.")).toEqual([1, 1]);
        expect(countSeen(run, "From UserPromptSubmit.")).toEqual([1, 0]);
        expect(countSeen(run, "From PreToolUse.")).toEqual([0, 0]);
        expect(countSeen(run, "Rules of the root.")).toEqual([1, 1]);
        expect(countSeen(run, "We read.")).toEqual([0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a resume keeps the context and the id, and repeats what SessionStart says",
      async () => {
        using tree = tempTree(SCENE_FILES);
        using home = tempTree();
        const { hooks, calls } = recordHooks(home, contexts("SessionStart", "UserPromptSubmit"));
        await runCodex({ tree, home, hooks, model, prompt: "Go." });
        const run = await runCodex({ tree, home, hooks, model, prompt: "Go on.", resume: true });
        expect(countSeen(run, "From SessionStart.")).toEqual([2]);
        expect(countSeen(run, "From UserPromptSubmit.")).toEqual([2]);
        const started = calls("SessionStart");
        expect(started.map(({ source }) => source)).toEqual(["startup", "resume"]);
        expect(new Set(started.map(({ session_id }) => session_id)).size).toBe(1);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a sub-agent has the session's id and its own, and its own start",
      async () => {
        const agent = "Find the thing.";
        const { run, calls } = await playCodex({
          model,
          prompt: "Go.",
          answers: { ...contexts("SessionStart", "UserPromptSubmit", "SubagentStart", "PreToolUse"), SubagentStop: "" },
          files: { "AGENTS.md": "Rules of the root.\n" },
          script: {
            main: [{ toolUses: [tools.spawn(agent)] }, (request) => ({ toolUses: [tools.wait(lastResult(request))] })],
            agents: { [agent]: [{ toolUses: [tools.run("cat a.txt")] }, { text: "Found." }] },
          },
        });
        expect(countSeen(run, "From SubagentStart.", agent)).toEqual([1, 1]);
        expect(countSeen(run, "From PreToolUse.", agent)).toEqual([0, 1]);
        expect(countSeen(run, "From SessionStart.", agent)).toEqual([0, 0]);
        expect(countSeen(run, "From UserPromptSubmit.", agent)).toEqual(promptsAgents ? [1, 1] : [0, 0]);
        expect(countSeen(run, "Rules of the root.", agent)).toEqual([1, 1]);
        expect(countSeen(run, "From SubagentStart.").at(-1)).toBe(0);
        expect(lastSeen(run)).toContain("Found.");
        expect(new Set(calls.map(({ session_id }) => session_id)).size).toBe(1);
        const mine = calls.filter(({ agent_id }) => agent_id !== undefined);
        expect(new Set(mine.map(({ agent_id }) => agent_id)).size).toBe(1);
        expect(mine.map(({ hook_event_name }) => hook_event_name)).toEqual([
          "SubagentStart",
          ...(promptsAgents ? ["UserPromptSubmit"] : []),
          "PreToolUse",
          "SubagentStop",
        ]);
        expect(calls.map(({ tool_name }) => tool_name as string)).toContain(spawnTool);
      },
      TEST_TIMEOUT_MS,
    );
  });

  test.each([
    ["10,000 bytes of context come whole", `${"é".repeat(4998)}!END`, true],
    ["of one more the middle is cut out, and the whole is in a file", `${"é".repeat(4998)}!!END`, false],
  ])(
    "%s",
    async (_, context, whole) => {
      const { run } = await playCodex({
        prompt: "Go.",
        answers: { SessionStart: contextOutput("SessionStart", context) },
      });
      expect(lastSeen(run).includes(context)).toBe(whole);
      expect(countSeen(run, "END")).toEqual([1]);
      expect(countSeen(run, "Full hook output saved to:")).toEqual([whole ? 0 : 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "'additionalContextLimit: 0' on the handler lifts the cap",
    async () => {
      using tree = tempTree(SCENE_FILES);
      using home = tempTree();
      const context = `${"x".repeat(30_000)}END`;
      const { hooks } = recordHooks(home, { SessionStart: contextOutput("SessionStart", context) });
      const [
        {
          hooks: [handler],
        },
      ] = hooks["SessionStart"] as [{ hooks: [object] }];
      const unlimited = { SessionStart: [{ hooks: [{ ...handler, additionalContextLimit: 0 }] }] };
      const run = await runCodex({ tree, home, hooks: unlimited, prompt: "Go." });
      expect(lastSeen(run)).toContain(context);
    },
    TEST_TIMEOUT_MS,
  );

  const portable = { hookEventName: "PreToolUse", additionalContext: "Mind this." };
  test.each<[string, string, string, number]>([
    ["plain stdout of PreToolUse never comes", "PreToolUse", "Mind this.", 0],
    ["plain stdout of SessionStart comes", "SessionStart", "Mind this.", 1],
    ["plain stdout of UserPromptSubmit comes", "UserPromptSubmit", "Mind this.", 1],
    ["an unknown field drops the output", "PreToolUse", JSON.stringify({ a: 1, hookSpecificOutput: portable }), 0],
    [
      "an unknown field further in drops it",
      "PreToolUse",
      JSON.stringify({ hookSpecificOutput: { ...portable, a: 1 } }),
      0,
    ],
    [
      "'suppressOutput' drops it",
      "PreToolUse",
      JSON.stringify({ suppressOutput: true, hookSpecificOutput: portable }),
      0,
    ],
    ["'continue: false' drops it", "PreToolUse", JSON.stringify({ continue: false, hookSpecificOutput: portable }), 0],
    [
      "'permissionDecision: allow' without an input drops it",
      "PreToolUse",
      JSON.stringify({ hookSpecificOutput: { ...portable, permissionDecision: "allow" } }),
      0,
    ],
    ["another event's name is taken all the same", "PostToolUse", JSON.stringify({ hookSpecificOutput: portable }), 1],
  ])(
    "%s",
    async (_, event, stdout, times) => {
      const script = { main: [{ toolUses: [DIRECT_TOOLS.run("cat a.txt")] }] };
      const { run } = await playCodex({ prompt: "Go.", answers: { [event]: stdout }, script });
      expect(countSeen(run, "Mind this.").at(-1)).toBe(times);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "an empty context comes as an empty message",
    async () => {
      const { run } = await playCodex({ prompt: "Go.", answers: { SessionStart: contextOutput("SessionStart", "") } });
      expect(
        turnsOf(run)
          .at(-1)
          ?.seen.filter(({ text }) => text === ""),
      ).toEqual([{ role: "developer", kind: "text", text: "" }]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "exit code 2 of PreToolUse keeps the tool from running and tells why; another failure lets it run",
    async () => {
      const outcomes = [2, 1].map(async (exitCode) => {
        const { run } = await playCodex({
          prompt: "Go.",
          answers: { PreToolUse: { exitCode, stderr: "Not now." } },
          script: { main: [{ toolUses: [DIRECT_TOOLS.run("cat a.txt")] }] },
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

  test(
    "a patch in a heredoc comes to PreToolUse as Bash, and not to PostToolUse",
    async () => {
      const { run, calls } = await playCodex({
        prompt: "Go.",
        answers: { PreToolUse: "", PostToolUse: "" },
        script: { main: [{ toolUses: [DIRECT_TOOLS.run(`apply_patch <<'EOF'\n${addFile("new.txt")}EOF\n`)] }] },
      });
      expect(lastSeen(run)).toContain("Success. Updated the following files:\nA new.txt");
      expect(calls.map(({ hook_event_name, tool_name }) => [hook_event_name, tool_name])).toEqual([
        ["PreToolUse", "Bash"],
      ]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "'turn_id' is in every event but the session's own",
    async () => {
      const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];
      const { calls } = await playCodex({
        prompt: "Go.",
        answers: Object.fromEntries(events.map((event) => [event, ""])),
        script: { main: [{ toolUses: [DIRECT_TOOLS.run("cat a.txt")] }] },
      });
      expect(calls.map(({ hook_event_name }) => hook_event_name)).toEqual(events);
      const without = calls
        .filter(({ turn_id }) => turn_id === undefined)
        .map(({ hook_event_name }) => hook_event_name);
      expect(without).toEqual(["SessionStart", "SessionEnd"]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "codexPromptInput() tells what the instruction files become; those of a project that is untrusted are left out",
    async () => {
      const files = { "AGENTS.md": "Rules of the root.\n", "sub/AGENTS.md": "Rules of sub.\n" };
      using tree = tempTree({ ...SCENE_FILES, ...files });
      using home = tempTree({ ".codex/AGENTS.md": "\nRules of home.\n\n" });
      const { agentsMd } = await codexPromptInput({ tree, home, cwd: tree.path("sub") }, "Go.");
      expect(agentsMd).toBe(
        `# AGENTS.md instructions for ${tree.path("sub")}\n\n<INSTRUCTIONS>\nRules of home.\n\n` +
          "--- project-doc ---\n\nRules of the root.\n\n\nRules of sub.\n\n</INSTRUCTIONS>",
      );
      const ask = async (trust: "untrusted" | undefined) => {
        using itsHome = tempTree({ ".codex/AGENTS.md": "\nRules of home.\n\n" });
        return await codexPromptInput({ tree, home: itsHome, cwd: tree.path("sub"), trust }, "Go.");
      };
      expect((await ask(undefined)).agentsMd).toBe(agentsMd);
      const untrusted = await ask("untrusted");
      expect(untrusted.agentsMd).toBe("# AGENTS.md instructions\n\n<INSTRUCTIONS>\nRules of home.\n</INSTRUCTIONS>");
      const { run } = await playCodex({ prompt: "Go.", files, cwd: "sub" });
      expect(whereSeen(run, "Rules of the root.\n\n\nRules of sub.")).toEqual(["user text"]);
      using bare = tempTree(SCENE_FILES);
      expect((await codexPromptInput({ tree: bare }, "Go.")).agentsMd).toBeUndefined();
    },
    TEST_TIMEOUT_MS,
  );
});
