import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import { CLAUDE_MODELS, runClaude, type ClaudeOptions } from "./claude.ts";
import { bash, edit, read, spawn, write } from "./claude-tools.ts";
import { CLAUDE } from "./clients.ts";
import { expectGoodEnds, installHooks, watchHooks, RULED_FILES, told } from "./codelia-scene.ts";
import { TEST_TIMEOUT_MS } from "./limits.ts";
import { LONG, notOnce } from "./long-chain.ts";
import type { Answer } from "./script.ts";
import type { ClientRun } from "./run-with-model.ts";
import { agentsOf, countSeen } from "./seen.ts";

// What the model of the real Claude Code received, with codelia in its hooks.

/** With one of these the client leaves every AGENTS.md to us. */
const WITH_CLAUDE_MD = { ...RULED_FILES, "CLAUDE.md": "Be brief.\n" };

export interface Scene extends Omit<ClaudeOptions, "tree" | "script" | "hooks"> {
  readonly script: (path: (name: string) => string) => ClaudeOptions["script"];
}

export type Play = (tree: TempTree, scene: Scene) => Promise<ClientRun>;

/** In a home of its own or the given one, with what `codelia install` registers. */
export const playBy =
  (channel: string): Play =>
  async (tree, { script, ...options }) => {
    using ownHome = tempTree();
    const home = options.home ?? ownHome;
    if (channel !== "command") installHooks("claude", tree, home, channel);
    const ends = channel === "command" ? watchHooks("claude", tree, home) : undefined;
    const run = await runClaude({ ...options, home, tree, script: script((name) => tree.path(name)) ?? {} });
    const { exitCode, stderr, leftBehind } = run;
    expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 0, stderr: "", leftBehind: [] });
    if (ends !== undefined) expectGoodEnds(ends());
    for (const { seen } of run.seenByModel) {
      for (const part of seen) {
        for (const trace of ["&lt;system-reminder", "<persisted-output>"]) expect(part.text).not.toContain(trace);
        if (part.role !== "assistant") expect(part.text).not.toBe("");
      }
    }
    return run;
  };

const KEPT_BACK = "Nothing was done: the call is kept back once";

const configured = (resolver: object) => ({ ".codelia/config.json": JSON.stringify({ agents: { resolver } }) });

const skill = (name: string) => `---\nname: ${name}\ndescription: Does it\n---\nText of ${name}.\n`;

const SKILLED = {
  ".claude/skills/deploy/SKILL.md": skill("deploy"),
  ".claude/skills/publish/SKILL.md": skill("publish"),
  ".claude/skills/greet/SKILL.md": skill("greet"),
  ".codelia/config.json": JSON.stringify({
    permissions: {
      deny: [{ tool: "skill_load", skill_name: "deploy" }],
      confirm: [{ tool: "skill_load", skill_name: "publish" }],
    },
  }),
};

const RESUMED = '<codelia-reminder type="session.resume.diff">\nSession resumed';

/** The scenes by one channel: each has a test file, so that they are played side by side. */
export function playScenes(channel: "command" | "mod" | "mcp"): void {
  describe.skipIf(CLAUDE.missing !== undefined)(`codelia in Claude Code, by ${channel}`, () => {
    const play = playBy(channel);

    test(
      "134 KB of instructions are there with the first prompt, each line once",
      async () => {
        using tree = tempTree({ "AGENTS.md": LONG, "CLAUDE.md": "Be brief.\n" });
        const run = await play(tree, { prompt: "Go.", script: () => ({ main: [] }) });
        expect(notOnce(run)).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    describe.each(CLAUDE_MODELS)("with %s", (model) => {
      test(
        "with a CLAUDE.md: the root's text at the start, a nested file with the first touch, each once",
        async () => {
          using tree = tempTree(WITH_CLAUDE_MD);
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => ({
              main: [
                { toolUses: [read(path("app/main.ts"))] },
                { toolUses: [bash("cat lib/one.ts && cat app/main.ts")] },
                { toolUses: [write(path("lib/new.ts"))] },
                { toolUses: [read(path("lib/two.ts"))] },
              ],
            }),
          });
          expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1, 1]);
          expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1]);
          expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1, 1]);
          expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0, 0]);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "without one: what the client loads itself is not told by us, what it does not is",
        async () => {
          using tree = tempTree(RULED_FILES);
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => ({
              main: [
                { toolUses: [read(path("app/main.ts"))] },
                { toolUses: [bash("cat app/main.ts")] },
                { toolUses: [bash("cat lib/one.ts")] },
              ],
            }),
          });
          expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
          expect(countSeen(run, "Rule of the app.")).toEqual([0, 1, 1, 1]);
          expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 0, 0, 0]);
          expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 1]);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "after a compaction everything once more",
        async () => {
          using tree = tempTree(WITH_CLAUDE_MD);
          const run = await play(tree, {
            model,
            prompt: ["Go.", "/compact", "Go on."],
            script: (path) => ({
              main: [
                { toolUses: [read(path("app/main.ts"))] },
                { text: "Read." },
                { toolUses: [read(path("app/main.ts"))] },
              ],
            }),
          });
          // Two requests before it, two after it.
          expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
          expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 0, 1]);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "delivery: body: the text with the first touch, once",
        async () => {
          using tree = tempTree({ ...WITH_CLAUDE_MD, ...configured({ delivery: "body" }) });
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => ({
              main: [
                { toolUses: [bash("cat app/main.ts")] },
                { toolUses: [read(path("app/main.ts")), write(path("lib/new.ts"))] },
              ],
            }),
          });
          expect(countSeen(run, "Rule of the app.")).toEqual([0, 1, 1]);
          expect(countSeen(run, "Rule of the lib.")).toEqual([0, 0, 1]);
          expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1]);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "delivery: escalate: a model that ignores what it was told gets the text with its first write there, once",
        async () => {
          using tree = tempTree({ ...WITH_CLAUDE_MD, ...configured({ delivery: "escalate" }) });
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => ({
              main: [
                { toolUses: [bash("cat app/main.ts"), bash("cat lib/one.ts")] },
                { toolUses: [read(path("lib/AGENTS.md"))] },
                { toolUses: [edit(path("app/main.ts"), "export", "import")] },
                { toolUses: [write(path("lib/new.ts"))] },
                { toolUses: [write(path("app/new.ts"))] },
              ],
            }),
          });
          expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1, 1]);
          expect(countSeen(run, "Rule of the app.")).toEqual([0, 0, 0, 1, 1, 1]);
          // Read by the model, so not given.
          expect(countSeen(run, "Rule of the lib.")).toEqual([0, 0, 1, 1, 1, 1]);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "gate: edit: parallel edits in a scope are all kept back until its file is read",
        async () => {
          using tree = tempTree({ ...WITH_CLAUDE_MD, ...configured({ gate: "edit" }) });
          const there: boolean[] = [];
          const look = (answer: Answer) => () => {
            there.push(existsSync(tree.path("lib/new.ts")) || existsSync(tree.path("lib/newer.ts")));
            return answer;
          };
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => {
              const both = { toolUses: [write(path("lib/new.ts")), write(path("lib/newer.ts"))] };
              return {
                main: [
                  look(both),
                  look({ toolUses: [read(path("lib/AGENTS.md"))] }),
                  look(both),
                  look({ text: "Done." }),
                ],
              };
            },
          });
          expect(there).toEqual([false, false, false, true]);
          expect([existsSync(tree.path("lib/new.ts")), existsSync(tree.path("lib/newer.ts"))]).toEqual([true, true]);
          expect(countSeen(run, KEPT_BACK)).toEqual([0, 2, 2, 2]);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "gate: edit: the first edit in a scope is not made, the second is",
        async () => {
          using tree = tempTree({ ...WITH_CLAUDE_MD, ...configured({ gate: "edit" }) });
          const there: boolean[] = [];
          const look = (answer: Answer) => () => {
            there.push(existsSync(tree.path("lib/new.ts")));
            return answer;
          };
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => ({
              main: [
                look({ toolUses: [write(path("lib/new.ts"))] }),
                look({ toolUses: [write(path("lib/new.ts"))] }),
                look({ toolUses: [bash("echo 1 > app/new.ts")] }),
                look({ toolUses: [read(path("app/AGENTS.md"))] }),
                look({ toolUses: [edit(path("app/main.ts"), "export", "import")] }),
              ],
            }),
          });
          expect(there).toEqual([false, false, true, true, true]);
          expect(countSeen(run, KEPT_BACK)).toEqual([0, 1, 1, 2, 2, 2]);
          expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 1, 1, 1, 1, 1]);
          expect(existsSync(tree.path("app/new.ts"))).toBe(false);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "what a shell has shown is not told, what it has hidden is",
        async () => {
          using tree = tempTree(WITH_CLAUDE_MD);
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => ({
              main: [
                { toolUses: [bash("cat app/AGENTS.md"), bash("cat lib/AGENTS.md >/dev/null")] },
                { toolUses: [bash("ls app"), read(path("lib/one.ts"))] },
              ],
            }),
          });
          expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 0, 0]);
          expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1]);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "what came by other ways is not told again: a command that failed, a mention, a plain reading, a compaction",
        async () => {
          const memory = (name: string) => ({
            [`${name}/CLAUDE.md`]: { link: "AGENTS.md" },
            [`${name}/AGENTS.md`]: `Rule of ${name}.\n`,
          });
          using tree = tempTree({
            ...WITH_CLAUDE_MD,
            ...memory("mentioned"),
            ...memory("read"),
            ...memory("listed"),
            "mentioned/a.txt": "a\n",
            "read/b.txt": "b\n",
          });
          const run = await play(tree, {
            model,
            prompt: ["Look at @mentioned/a.txt", "/compact", "Go on."],
            script: (path) => ({
              main: [
                { toolUses: [bash("cat app/AGENTS.md missing")] },
                { toolUses: [bash("cat read/b.txt")] },
                { toolUses: [bash("ls listed mentioned read app")] },
                { toolUses: [read(path("listed/CLAUDE.md")), read(path("app/AGENTS.md"))] },
                { text: "Done." },
                { toolUses: [bash("ls listed app")] },
                { toolUses: [bash("ls listed app")] },
              ],
            }),
          });
          const isNamed = (name: string) => countSeen(run, told(tree, name)).map((count) => count > 0);
          for (const name of ["mentioned/AGENTS.md", "read/AGENTS.md", "listed/AGENTS.md"]) {
            expect(isNamed(name)).not.toContain(true);
          }
          // The client restores five files at most: this one is named behind the compaction if it is not among them.
          const isRestored = countSeen(run, "Rule of the app.").at(5) === 1;
          expect(isNamed("app/AGENTS.md").slice(0, 6)).not.toContain(true);
          expect(isNamed("app/AGENTS.md").slice(6)).toEqual([!isRestored, !isRestored]);
          const named = countSeen(run, told(tree, "listed/CLAUDE.md"));
          // By the client's name, once, and not again behind a compaction that brings its text.
          const isListed = countSeen(run, "Rule of listed.").at(5) === 1;
          expect([Math.max(...named), named.at(-1)]).toEqual([1, isListed ? 0 : 1]);
          expect(countSeen(run, "Rule of mentioned.")[0]).toBe(1);
          expect(countSeen(run, "Rule of read.").slice(0, 5)).toEqual([0, 0, 1, 1, 1]);
          expect(countSeen(run, "Rule of listed.").slice(3, 5)).toEqual([0, 1]);
          expect(countSeen(run, "Rule of listed.").at(-1)).toBe(isListed ? 1 : 0);
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "a skill that rules forbid is neither loaded nor read",
        async () => {
          using tree = tempTree({ ...WITH_CLAUDE_MD, ...SKILLED });
          const run = await play(tree, {
            model,
            prompt: "Go.",
            script: (path) => ({
              main: [
                { toolUses: [{ name: "Skill", input: { skill: "deploy" } }] },
                { toolUses: [read(path(".claude/skills/deploy/SKILL.md"))] },
                { toolUses: [bash("cat .claude/skills/*/SKILL.md")] },
                { toolUses: [{ name: "Skill", input: { skill: "publish" } }] },
                { toolUses: [{ name: "Skill", input: { skill: "greet" } }] },
              ],
            }),
          });
          expect(countSeen(run, "Text of deploy.")).toEqual([0, 0, 0, 0, 0, 0]);
          expect(countSeen(run, "- decision: deny (permissions.deny[0] in ")).toEqual([0, 1, 2, 3, 3, 3]);
          // Nobody is there to be asked.
          expect(countSeen(run, "Text of publish.")).toEqual([0, 0, 0, 0, 0, 0]);
          expect(countSeen(run, "load skill 'publish'").at(-1)).toBe(1);
          expect(countSeen(run, "Text of greet.")).toEqual([0, 0, 0, 0, 0, 1]);
        },
        TEST_TIMEOUT_MS,
      );
    });

    test(
      "twenty parallel reads below one new directory: one reminder",
      async () => {
        const many = Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [`lib/file-${index}.ts`, "export {};\n"]),
        );
        using tree = tempTree({ ...WITH_CLAUDE_MD, ...many });
        const run = await play(tree, {
          prompt: "Go.",
          script: (path) => ({ main: [{ toolUses: Object.keys(many).map((name) => read(path(name))) }] }),
        });
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "a sub-agent is told for itself, and its parent not again",
      async () => {
        using tree = tempTree(WITH_CLAUDE_MD);
        const run = await play(tree, {
          prompt: "Go.",
          script: (path) => ({
            main: [
              { toolUses: [read(path("app/main.ts"))] },
              { toolUses: [spawn("Look around.")] },
              { toolUses: [read(path("app/main.ts"))] },
            ],
            agents: {
              "Look around.": [{ toolUses: [read(path("app/main.ts"))] }, { toolUses: [bash("cat app/main.ts")] }],
            },
          }),
        });
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        const [agent = ""] = agentsOf(run);
        expect(countSeen(run, "Rule of the root.", agent)).toEqual([1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"), agent)).toEqual([0, 1, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test.each(["Explore", "Plan"])(
      "a sub-agent of type %s, to which the client gives no instructions, has them from us",
      async (type) => {
        using tree = tempTree(RULED_FILES);
        const run = await play(tree, {
          prompt: "Go.",
          script: (path) => ({
            main: [{ toolUses: [spawn("Look around.", type)] }],
            agents: { "Look around.": [{ toolUses: [read(path("app/main.ts"))] }, { toolUses: [bash("ls app")] }] },
          }),
        });
        const [agent = ""] = agentsOf(run);
        expect(countSeen(run, "Rule of the root.", agent)).toEqual([1, 1, 1]);
        // Those below come with what it reads, as in any other.
        expect(countSeen(run, "Rule of the app.", agent)).toEqual([0, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"), agent)).toEqual([0, 0, 0]);
      },
      TEST_TIMEOUT_MS,
    );

    test.each([
      ["is a link to AGENTS.md", { link: "AGENTS.md" }],
      ["imports AGENTS.md", "@AGENTS.md\n"],
    ])(
      "where CLAUDE.md %s its text is there once, and not named again",
      async (_, memory) => {
        using tree = tempTree({ ...RULED_FILES, "CLAUDE.md": memory, "app/CLAUDE.md": memory });
        const run = await play(tree, {
          prompt: "Go.",
          script: (path) => ({
            main: [
              { toolUses: [read(path("app/main.ts"))] },
              { toolUses: [bash("ls app")] },
              { toolUses: [read(path("lib/one.ts"))] },
            ],
          }),
        });
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, "Rule of the app.")).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test.each([
      ["only in a comment", "Be brief.\n<!-- @AGENTS.md -->\n"],
      ["only in indented code", "Be brief.\n\n    @AGENTS.md\n"],
      ["with emphasis", "See **@AGENTS.md**\n"],
      ["beside nothing but a comment", "<!-- Nothing. -->\n"],
    ])(
      "where CLAUDE.md names AGENTS.md %s, its text is there once, whoever gives it",
      async (_, memory) => {
        using tree = tempTree({ ...RULED_FILES, "CLAUDE.md": memory, "app/CLAUDE.md": memory });
        const run = await play(tree, {
          prompt: "Go.",
          script: (path) => ({ main: [{ toolUses: [read(path("app/main.ts"))] }, { toolUses: [bash("ls app")] }] }),
        });
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1]);
        const [text, name] = ["Rule of the app.", told(tree, "app/AGENTS.md")].map((part) => countSeen(run, part));
        expect(text!.map((count, index) => count + name![index]!)).toEqual([0, 1, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "what has changed since the client brought it is told, once",
      async () => {
        const change = "echo 'Other rule of the app.' >app/AGENTS.md; echo 'Other rule.' >AGENTS.md\n";
        using tree = tempTree({ ...RULED_FILES, "change.sh": change });
        const run = await play(tree, {
          prompt: "Go.",
          script: (path) => ({
            main: [
              { toolUses: [read(path("app/main.ts"))] },
              // What a command writes itself counts as known; of a script nobody sees what it writes.
              { toolUses: [bash("sh change.sh")] },
              { toolUses: [read(path("app/main.ts"))] },
              { toolUses: [read(path("app/main.ts"))] },
            ],
          }),
        });
        expect(countSeen(run, "Rule of the app.")).toEqual([0, 1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md")).at(-1)).toBe(1);
        expect(countSeen(run, told(tree, "AGENTS.md")).at(-1)).toBe(1);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "after a resume only what changed",
      async () => {
        using tree = tempTree(WITH_CLAUDE_MD);
        using home = tempTree({});
        const script: Scene["script"] = (path) => ({ main: [{ toolUses: [read(path("app/main.ts"))] }] });
        await play(tree, { home, prompt: "Go.", script });
        const same = await play(tree, { home, resume: true, prompt: "Go on.", script });
        expect(countSeen(same, RESUMED)).toEqual([0, 0]);
        expect(countSeen(same, told(tree, "app/AGENTS.md"))).toEqual([1, 1]);
        tree.write("app/AGENTS.md", "Rule of the app, and another one.\n");
        const changed = await play(tree, { home, resume: true, prompt: "Go on.", script });
        expect(countSeen(changed, RESUMED)).toEqual([1, 1]);
        expect(countSeen(changed, told(tree, "app/AGENTS.md"))).toEqual([2, 2]);
        tree.write("AGENTS.md", "Rule of the root, and another one.\n");
        const atRoot = await play(tree, { home, resume: true, prompt: "Go on.", script });
        // The module gives the file anew; hooks name it.
        const [texts, names] = channel === "mod" ? [1, 0] : [0, 1];
        expect(countSeen(atRoot, "Rule of the root, and another one.")).toEqual([texts, texts]);
        expect(countSeen(atRoot, told(tree, "AGENTS.md"))).toEqual([names, names]);
        expect(countSeen(atRoot, RESUMED)).toEqual([1 + names, 1 + names]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "after a resume not what the client itself has read anew",
      async () => {
        using tree = tempTree(RULED_FILES);
        using home = tempTree({});
        const script: Scene["script"] = () => ({ main: [{ toolUses: [bash("ls")] }] });
        await play(tree, { home, prompt: "Go.", script });
        tree.write("AGENTS.md", "Rule of the root, and another one.\n");
        const run = await play(tree, { home, resume: true, prompt: "Go on.", script });
        expect(countSeen(run, "Rule of the root, and another one.")).toEqual([1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0]);
        expect(countSeen(run, RESUMED)).toEqual([0, 0]);
      },
      TEST_TIMEOUT_MS,
    );
  });
}
