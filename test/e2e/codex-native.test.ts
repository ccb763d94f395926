import { describe, expect, test } from "bun:test";
import { tempTree, type Entry } from "../support/temp-tree.ts";
import { CODEX } from "./lib/clients.ts";
import { CODEX_MODELS, codexPromptInput, runCodex } from "./lib/codex.ts";
import { CODE_MODE_TOOLS, DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { playCodex } from "./lib/play-codex.ts";
import { SCENE_FILES } from "./lib/play-claude.ts";
import type { ModelRequest } from "./lib/script.ts";
import { countSeen, turnsOf, whereSeen } from "./lib/seen.ts";

// What Codex reads by itself and which hooks it runs, asserted on the real client.

const dir = { dir: true } as const;
const LIMIT_BYTES = 32_768;

interface Row {
  readonly fact: string;
  readonly files: Readonly<Record<string, Entry>>;
  readonly home?: Readonly<Record<string, Entry>>;
  readonly cwd?: string;
  /** Between the tags; undefined: no message at all. */
  readonly told: string | undefined;
}

const ROWS: Row[] = [
  {
    fact: "root first, each as it is",
    files: { "AGENTS.md": " Root.\n", "sub/AGENTS.md": "Sub.\n\n" },
    cwd: "sub",
    told: " Root.\n\n\nSub.\n\n",
  },
  { fact: "nothing below cwd", files: { "AGENTS.md": "Root.", "sub/AGENTS.md": "Sub." }, told: "Root." },
  {
    fact: "the override instead",
    files: { "AGENTS.md": "Root.", "AGENTS.override.md": "Override." },
    told: "Override.",
  },
  {
    fact: "a blank override of the project, which hides AGENTS.md",
    files: { "AGENTS.md": "Root.", "AGENTS.override.md": " \n" },
    told: undefined,
  },
  {
    fact: "not a blank override of the home, which hides nothing",
    files: {},
    home: { ".codex/AGENTS.md": "Home.", ".codex/AGENTS.override.md": " \n" },
    told: "Home.",
  },
  {
    fact: "the next name where a directory has the first",
    files: { "AGENTS.override.md": dir, "AGENTS.md": "Root." },
    told: "Root.",
  },
  {
    fact: "the next name where a FIFO has the first",
    files: { "AGENTS.override.md": { fifo: true }, "AGENTS.md": "Root." },
    told: "Root.",
  },
  {
    fact: "the next name where a dangling link has the first",
    files: { "AGENTS.override.md": { link: "nowhere" }, "AGENTS.md": "Root." },
    told: "Root.",
  },
  {
    fact: "the home trimmed",
    files: { "AGENTS.md": "Root.\n" },
    home: { ".codex/AGENTS.md": "\n Home. \n\n" },
    told: "Home.\n\n--- project-doc ---\n\nRoot.\n",
  },
  {
    fact: "no more than 32,768 bytes of a project, cut in the middle of a character",
    files: { "AGENTS.md": "x".repeat(LIMIT_BYTES - 1), "sub/AGENTS.md": "éSub." },
    cwd: "sub",
    told: `${"x".repeat(LIMIT_BYTES - 1)}\n\n\u{FFFD}`,
  },
  {
    fact: "the home beside those bytes, and all of it",
    files: { "AGENTS.md": "x".repeat(LIMIT_BYTES) },
    home: { ".codex/AGENTS.md": "y".repeat(40_000) },
    told: `${"y".repeat(40_000)}\n\n--- project-doc ---\n\n${"x".repeat(LIMIT_BYTES)}`,
  },
];

describe.skipIf(CODEX.missing !== undefined)("Codex reads by itself", () => {
  test.each(ROWS.map((row) => [row.fact, row] as const))(
    "%s",
    async (_, { files, home: homeFiles, cwd = ".", told }) => {
      using tree = tempTree({ ...SCENE_FILES, ...files });
      using home = tempTree(homeFiles);
      const { agentsMd } = await codexPromptInput({ tree, home, cwd: tree.path(cwd) }, "Go.");
      expect(/<INSTRUCTIONS>\n(.*)\n<\/INSTRUCTIONS>$/s.exec(agentsMd ?? "")?.[1]).toBe(told as string);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "an AGENTS.md that was edited, once more on resume",
    async () => {
      using tree = tempTree({ ...SCENE_FILES, "AGENTS.md": "Old rules.\n" });
      using home = tempTree();
      await runCodex({ tree, home, prompt: "Go." });
      tree.write("AGENTS.md", "New rules.\n");
      const run = await runCodex({ tree, home, prompt: "Go on.", resume: true });
      expect([countSeen(run, "Old rules."), countSeen(run, "New rules.")]).toEqual([[1], [1]]);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(CODEX.missing !== undefined)("Codex and a project's hooks", () => {
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "echo From the project." }] }] };
  test.each([
    ["runs them, taken as trusted", { hooks }, true, 1],
    ["skips those that nobody has approved", { hooks }, false, 0],
    ["rejects a file with an unknown key", { hooks, more: 1 }, true, 0],
    [
      "rejects a file with an unknown type of handler",
      { hooks: { ...hooks, Stop: [{ hooks: [{ type: "wish", command: "true" }] }] } },
      true,
      0,
    ],
  ])(
    "%s",
    async (_, file, trustHooks, times) => {
      const { run } = await playCodex({
        prompt: "Go.",
        trustHooks,
        files: { ".codex/hooks.json": JSON.stringify(file) },
      });
      expect(whereSeen(run, "From the project.")).toHaveLength(times);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "takes the reason of a Stop that blocks for a prompt",
    async () => {
      const once = `grep -q '"stop_hook_active":true' || echo '{"decision":"block","reason":"Not yet."}'`;
      const files = {
        ".codex/hooks.json": JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: once }] }] } }),
      };
      const { run } = await playCodex({ prompt: "Go.", files });
      expect(turnsOf(run)).toHaveLength(2);
      expect(countSeen(run, "Not yet.")).toEqual([0, 1]);
      expect(whereSeen(run, "Not yet.")).toEqual(["user text"]);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(CODEX.missing !== undefined)("Codex's commands", () => {
  const lastResult = ({ seen }: ModelRequest) => seen.findLast(({ kind }) => kind === "tool_result")?.text ?? "";

  test.each([
    [CODEX_MODELS[0], DIRECT_TOOLS],
    [CODEX_MODELS[1], CODE_MODE_TOOLS],
  ])(
    "have the session's id and the thread's: %s",
    async (model, tools) => {
      const show = tools.run('echo "session $CODEX_SESSION_ID thread $CODEX_THREAD_ID."');
      const { run, calls } = await playCodex({
        model,
        prompt: "Go.",
        answers: { SubagentStart: "" },
        script: {
          main: [
            { toolUses: [show] },
            { toolUses: [tools.spawn("Find it.")] },
            (request) => ({ toolUses: [tools.wait(lastResult(request))] }),
          ],
          agents: { "Find it.": [{ toolUses: [show] }] },
        },
      });
      const { session_id, agent_id } = calls[0]!;
      expect(whereSeen(run, `session ${session_id} thread ${session_id}.`)).toEqual(["tool tool_result"]);
      expect(whereSeen(run, `session ${session_id} thread ${String(agent_id)}.`, "Find it.")).toEqual([
        "tool tool_result",
      ]);
    },
    TEST_TIMEOUT_MS,
  );
});
