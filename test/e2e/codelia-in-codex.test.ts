import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { CODEX } from "./lib/clients.ts";
import { expectGoodEnds, installHooks, watchHooks, RULED_FILES, told } from "./lib/codelia-scene.ts";
import { CODEX_CONFIG, CODEX_MODELS, runCodex, type CodexOptions } from "./lib/codex.ts";
import { addFile, CODE_MODE_TOOLS, DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { LONG, notOnce } from "./lib/long-chain.ts";
import type { ModelRequest, ToolUse } from "./lib/script.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import { agentsOf, countSeen, lastSeen } from "./lib/seen.ts";

// What the model of the real Codex received, with codelia in its hooks.

type Play = (tree: TempTree, options: Omit<CodexOptions, "tree" | "hooks">) => Promise<ClientRun>;

/** In a home of its own or the given one, with the hooks that `codelia install` registers. */
const playBy =
  (channel: string): Play =>
  async (tree, options) => {
    using ownHome = tempTree();
    const home = options.home ?? ownHome;
    if (!existsSync(home.path(".codex/config.toml"))) home.write(".codex/config.toml", CODEX_CONFIG);
    const ends = watchHooks("codex", tree, home, channel);
    const run = await runCodex({ ...options, home, tree });
    expect({ exitCode: run.exitCode, leftBehind: run.leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
    expectGoodEnds(ends());
    for (const { seen } of run.seenByModel) for (const part of seen) expect(part.text).not.toBe("");
    return run;
  };

test.skipIf(CODEX.missing !== undefined)(
  "hooks with a command for Windows, as a project has them, are taken, and run here by the other one",
  async () => {
    using home = tempTree({ ".codex/config.toml": CODEX_CONFIG });
    using tree = tempTree(RULED_FILES);
    const ends = watchHooks("codex", tree, home);
    const hooks = home.read(".codex/hooks.json");
    home.write(".codex/hooks.json", hooks.replaceAll('"timeout":', '"commandWindows": "exit 1", "timeout":'));
    expect(home.read(".codex/hooks.json")).not.toBe(hooks);
    const run = await runCodex({ prompt: "Go.", script: { main: [] }, home, tree });
    expect([run.exitCode, run.leftBehind]).toEqual([0, []]);
    expectGoodEnds(ends());
  },
  TEST_TIMEOUT_MS,
);

test.skipIf(CODEX.missing !== undefined)(
  "by hooks of the user, which ask a server, and hooks of the project each is told once, a sub-agent included",
  async () => {
    using home = tempTree({ ".codex/config.toml": CODEX_CONFIG });
    using tree = tempTree(RULED_FILES);
    installHooks("codex", tree, home, "mcp");
    const args = ["install", "codex", "--scope", "project", "--yes", "--quiet"];
    expect(runCodelia(args, { cwd: tree.root, home: home.root }).exitCode).toBe(0);
    const { run: cat, spawn, wait } = DIRECT_TOOLS;
    const env = { PATH: `${dirname(CODELIA)}:${process.env["PATH"]}`, CODELIA_TRACE: home.path("trace") };
    const script = {
      main: [
        { toolUses: [cat("cat app/main.ts")] },
        { toolUses: [spawn("Look around.")] },
        ({ seen }: ModelRequest) => ({ toolUses: [wait(seen.at(-1)?.text ?? "")] }),
      ],
      agents: { "Look around.": [{ toolUses: [cat("cat app/main.ts")] }, { toolUses: [cat("ls app")] }] },
    };
    const run = await runCodex({ prompt: "Go.", script, home, tree, env });
    expect([run.exitCode, run.leftBehind]).toEqual([0, []]);
    expect(countSeen(run, "the user overrides all.")).toEqual([1, 1, 1, 1]);
    expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
    const [agent = ""] = agentsOf(run);
    expect(countSeen(run, "the user overrides all.", agent)).toEqual([1, 1, 1]);
    expect(countSeen(run, told(tree, "app/AGENTS.md"), agent)).toEqual([0, 1, 1]);
    // Both were asked: two servers, and a process for each call.
    const asked = home
      .read("trace")
      .split("\n")
      .filter((line) => line.includes('"PreToolUse"'));
    expect(new Set(asked.map((line) => JSON.parse(line).pid)).size).toBeGreaterThan(4);
  },
  TEST_TIMEOUT_MS,
);

const KEPT_BACK = "Nothing was done: the call is kept back once";

const configured = (resolver: object) => ({ ".codelia/config.json": JSON.stringify({ agents: { resolver } }) });

const SKILLED = {
  ".agents/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Does it\n---\nText of deploy.\n",
  ".agents/skills/publish/SKILL.md": "---\nname: publish\ndescription: Does it\n---\nText of publish.\n",
  ".codelia/config.json": JSON.stringify({
    permissions: {
      deny: [{ tool: "skill_load", skill_name: "deploy" }],
      confirm: [{ tool: "skill_load", skill_name: "publish" }],
    },
  }),
};

const MODELS = [
  { model: CODEX_MODELS[0], tools: DIRECT_TOOLS },
  { model: CODEX_MODELS[1], tools: CODE_MODE_TOOLS },
] as const;

describe.skipIf(CODEX.missing !== undefined).each(["command", "mcp"])("codelia in Codex, by %s", (channel) => {
  const play = playBy(channel);

  test(
    "of 134 KB of instructions what the client cuts comes from us, each line once",
    async () => {
      using tree = tempTree({ "AGENTS.md": LONG });
      const run = await play(tree, { prompt: "Go.", script: { main: [] } });
      // The line in which the client cuts comes whole once more.
      expect(notOnce(run).length).toBeLessThanOrEqual(1);
    },
    TEST_TIMEOUT_MS,
  );

  describe.each(MODELS)("with $model", ({ model, tools }) => {
    test(
      "its own files are not told by us, nested ones with the first touch, each once",
      async () => {
        using tree = tempTree(RULED_FILES);
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: {
            main: [
              { toolUses: [tools.run("cat app/main.ts")] },
              { toolUses: [tools.patch(addFile("lib/new.ts"))] },
              { toolUses: [tools.run("cat main.ts", tree.path("app"))] },
            ],
          },
        });
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "parallel commands below one new directory: one reminder",
      async () => {
        using tree = tempTree(RULED_FILES);
        const commands = Array.from({ length: 8 }, () => "cat lib/one.ts");
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: { main: [{ toolUses: tools.runAll(commands) }] },
        });
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "what a shell has shown is not told, what it has hidden is",
      async () => {
        using tree = tempTree(RULED_FILES);
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: {
            main: [
              { toolUses: [tools.run("cat app/AGENTS.md")] },
              { toolUses: [tools.run("cat lib/AGENTS.md >/dev/null")] },
              { toolUses: [tools.run("ls app")] },
              { toolUses: [tools.run("ls lib")] },
            ],
          },
        });
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "delivery: body: the text with the first touch, once",
      async () => {
        using tree = tempTree({ ...RULED_FILES, ...configured({ delivery: "body" }) });
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: { main: [{ toolUses: [tools.run("cat app/main.ts")] }, { toolUses: [tools.run("ls app")] }] },
        });
        expect(countSeen(run, "Rule of the app.")).toEqual([0, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "delivery: escalate: a model that ignores what it was told gets the text with its first patch there, once",
      async () => {
        using tree = tempTree({ ...RULED_FILES, ...configured({ delivery: "escalate" }) });
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: {
            main: [
              { toolUses: [tools.run("cat app/main.ts lib/one.ts")] },
              { toolUses: [tools.run("cat lib/AGENTS.md")] },
              { toolUses: [tools.patch(addFile("app/new.ts"))] },
              { toolUses: [tools.patch(addFile("lib/new.ts"))] },
              { toolUses: [tools.patch(addFile("app/newer.ts"))] },
            ],
          },
        });
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the app.")).toEqual([0, 0, 0, 1, 1, 1]);
        // Read by the model, so not given.
        expect(countSeen(run, "Rule of the lib.")).toEqual([0, 0, 1, 1, 1, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "gate: edit: the first patch in a scope is not made, the second is",
      async () => {
        using tree = tempTree({ ...RULED_FILES, ...configured({ gate: "edit" }) });
        const there: boolean[] = [];
        const look = (toolUse: ToolUse) => () => {
          there.push(existsSync(tree.path("lib/new.ts")));
          return { toolUses: [toolUse] };
        };
        const heredoc = `apply_patch <<'EOF'\n${addFile("app/new.ts")}EOF`;
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: {
            main: [
              look(tools.patch(addFile("lib/new.ts"))),
              look(tools.patch(addFile("lib/new.ts"))),
              look(tools.run(heredoc)),
              look(tools.run("cat app/AGENTS.md")),
            ],
          },
        });
        expect(there).toEqual([false, false, true, true]);
        expect(countSeen(run, KEPT_BACK)).toEqual([0, 1, 1, 2, 2]);
        expect(existsSync(tree.path("app/new.ts"))).toBe(false);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a skill that rules forbid, or would ask about, is not read",
      async () => {
        using tree = tempTree({ ...RULED_FILES, ...SKILLED });
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: {
            main: [
              { toolUses: [tools.run("cat .agents/skills/deploy/SKILL.md")] },
              { toolUses: [tools.run("cat SKILL.md", tree.path(".agents/skills/publish"))] },
            ],
          },
        });
        expect(countSeen(run, "Text of deploy.")).toEqual([0, 0, 0]);
        expect(countSeen(run, "Text of publish.")).toEqual([0, 0, 0]);
        expect(countSeen(run, "- decision: deny (permissions.deny[0] in ")).toEqual([0, 1, 1]);
        expect(countSeen(run, "- decision: confirm (permissions.confirm[0] in ")).toEqual([0, 0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a sub-agent is told for itself, and its parent not again",
      async () => {
        using tree = tempTree(RULED_FILES);
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: {
            main: [
              { toolUses: [tools.run("cat app/main.ts")] },
              { toolUses: [tools.spawn("Look around.")] },
              ({ seen }) => ({ toolUses: [tools.wait(seen.at(-1)?.text ?? "")] }),
              { toolUses: [tools.run("ls app")] },
            ],
            agents: {
              "Look around.": [{ toolUses: [tools.run("cat app/main.ts")] }, { toolUses: [tools.run("ls app")] }],
            },
          },
        });
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1]);
        const [agent = ""] = agentsOf(run);
        expect(countSeen(run, "Rule of the root.", agent)).toEqual([1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"), agent)).toEqual([0, 1, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "after a compaction everything once more",
      async () => {
        using tree = tempTree(RULED_FILES);
        const run = await play(tree, {
          model,
          prompt: "Go.",
          config: { model_auto_compact_token_limit: 100_000 },
          script: {
            main: [
              { toolUses: [tools.run("cat app/main.ts")], inputTokens: 200_000 },
              { toolUses: [tools.run("cat app/main.ts")] },
            ],
          },
        });
        expect(run.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
        expect(countSeen(run, "Rule of the root.").at(-1)).toBe(1);
        expect(countSeen(run, told(tree, "app/AGENTS.md")).at(-1)).toBe(1);
      },
      TEST_TIMEOUT_MS,
    );
  });

  test(
    "what was told in the call that it compacted after is told again, once",
    async () => {
      using tree = tempTree(RULED_FILES);
      const run = await play(tree, {
        prompt: "Go.",
        config: { model_auto_compact_token_limit: 100_000 },
        script: {
          main: [
            {
              toolUses: [DIRECT_TOOLS.run("cat lib/one.ts"), DIRECT_TOOLS.run("cat app/main.ts")],
              inputTokens: 200_000,
            },
            { toolUses: [DIRECT_TOOLS.run("ls")] },
            { toolUses: [DIRECT_TOOLS.run("cat app/main.ts")] },
          ],
        },
      });
      expect(run.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
      for (const name of ["app/AGENTS.md", "lib/AGENTS.md"]) {
        expect(countSeen(run, told(tree, name)).slice(-3)).toEqual([1, 1, 1]);
      }
      expect(countSeen(run, told(tree, "AGENTS.md")).at(-1)).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "what it cut, or gave no bytes of, is given from the line where it was cut, once",
    async () => {
      const long = `Rule of the root.\n${"One rule is not enough for anyone. ".repeat(900)}`;
      const files = { "AGENTS.md": long, "app/AGENTS.md": `Rule of the app.\n${"More. ".repeat(1000)}` };
      using tree = tempTree({ ...RULED_FILES, ...files, "app/sub/AGENTS.md": "Rule of sub.\n", "app/sub/x.ts": "" });
      const run = await play(tree, {
        cwd: tree.path("app/sub"),
        prompt: "Go.",
        script: { main: [{ toolUses: [DIRECT_TOOLS.run("cat x.ts")] }, { toolUses: [DIRECT_TOOLS.run("ls ..")] }] },
      });
      const cut = `Instructions from: ${tree.path("app/AGENTS.md")} (continued, lines 2–2 of 2)\nMore. `;
      expect(countSeen(run, cut)).toEqual([1, 1, 1]);
      for (const rule of ["Rule of the root.", "Rule of the app.", "Rule of sub."]) {
        expect(countSeen(run, rule)).toEqual([1, 1, 1]);
      }
      for (const name of ["AGENTS.md", "app/AGENTS.md", "app/sub/AGENTS.md"]) {
        expect(countSeen(run, told(tree, name))).toEqual([0, 0, 0]);
      }
    },
    TEST_TIMEOUT_MS,
  );

  test.each([
    ["its project's limit of bytes cuts", { ".codex/config.toml": "project_doc_max_bytes = 18\n" }, [1, 1], [0, 0]],
    [
      "its project's other names bring",
      {
        ".codex/config.toml": 'project_doc_fallback_filenames = ["RULES.md"]\n',
        ".codelia/config.json": '{ "agents": { "fallbackFilenames": ["RULES.md"] } }',
        "lib/RULES.md": "Rule of the lib.\n",
      },
      [1, 1],
      [0, 0],
    ],
    ["a blank override hides", { "AGENTS.override.md": " \n" }, [0, 1], [0, 0]],
    [
      "more blanks than there is room for bring",
      { "AGENTS.md": `${" ".repeat(33_000)}Rule of the root.\n` },
      [1, 1],
      [0, 0],
    ],
  ] as const)(
    "what %s: given once",
    async (what, files, given, named) => {
      using tree = tempTree({ ...RULED_FILES, ...files });
      if (what.includes("names")) tree.remove("lib/AGENTS.md");
      const run = await play(tree, {
        cwd: tree.path("lib"),
        prompt: "Go.",
        script: { main: [{ toolUses: [DIRECT_TOOLS.run("cat one.ts")] }] },
      });
      const rules = ["Rule of the root.", "Rule of the lib."];
      expect(rules.map((rule) => countSeen(run, rule))).toEqual(given.map((count) => [count, count]));
      const sizes = ["AGENTS.md", "lib/AGENTS.md"].map((name) => `- ${tree.path(name)} (`);
      expect(sizes.map((line) => countSeen(run, line))).toEqual(named.map((count) => [count, count]));
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "in a project that the user does not trust, all of it from us, once",
    async () => {
      using tree = tempTree(RULED_FILES);
      const script = { main: [{ toolUses: [DIRECT_TOOLS.run("cat lib/one.ts")] }] };
      const run = await play(tree, { trust: "untrusted", prompt: "Go.", script });
      expect(countSeen(run, "Rule of the root.")).toEqual([1, 1]);
      expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "after a resume only what changed",
    async () => {
      using tree = tempTree(RULED_FILES);
      using home = tempTree({});
      const script = { main: [{ toolUses: [DIRECT_TOOLS.run("cat app/main.ts")] }] };
      await play(tree, { home, prompt: "Go.", script });
      const same = await play(tree, { home, resume: true, prompt: "Go on.", script });
      expect(lastSeen(same)).not.toContain("Session resumed");
      expect(countSeen(same, told(tree, "app/AGENTS.md"))).toEqual([1, 1]);
      tree.write("app/AGENTS.md", "Rule of the app, and another one.\n");
      const changed = await play(tree, { home, resume: true, prompt: "Go on.", script });
      expect(countSeen(changed, "Session resumed")).toEqual([1, 1]);
      expect(countSeen(changed, told(tree, "app/AGENTS.md"))).toEqual([2, 2]);
      // What it loads itself it sends anew itself.
      tree.write("AGENTS.md", "Rule of the root, and another one.\n");
      const atRoot = await play(tree, { home, resume: true, prompt: "Go on.", script });
      expect(countSeen(atRoot, "Rule of the root, and another one.")).toEqual([1, 1]);
      expect(countSeen(atRoot, "Session resumed")).toEqual([1, 1]);
      expect(countSeen(atRoot, told(tree, "AGENTS.md"))).toEqual([0, 0]);
    },
    TEST_TIMEOUT_MS,
  );
});
