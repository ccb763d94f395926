import { describe, expect, test } from "bun:test";
import { relative } from "node:path";
import { AuditSchema } from "../../../src/report/schema.ts";
import { runCodelia } from "../../support/run-codelia.ts";
import { tempTree } from "../../support/temp-tree.ts";
import { bash, edit, read } from "./claude-tools.ts";
import { CLAUDE } from "./clients.ts";
import { told } from "./codelia-scene.ts";
import { playBy } from "./in-claude-scenes.ts";
import { TEST_TIMEOUT_MS } from "./limits.ts";
import { countSeen } from "./seen.ts";

// Claude Code's own instruction files below the start of a session, which it loads with its tools for files and with the
// simplest of shell commands: for others codelia names them.

const rule = (paths: string, text: string) => `---\npaths: "${paths}"\n---\n${text}\n`;

const skill = (name: string, paths: string) =>
  `---\nname: ${name}\ndescription: Keeps the ${name}\npaths: "${paths}"\n---\nText of ${name}.\n`;

const OWN_FILES = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "CLAUDE.md": "Be brief.\n",
  ".claude/rules/always.md": "Rule for all.\n",
  ".claude/rules/types.md": rule("**/*.ts", "Rule for types."),
  ".claude/rules/pages.md": rule("{docs,pages}/**", "Rule for pages."),
  ".claude/skills/index/SKILL.md": skill("index", "docs/**"),
  ".claude/skills/types/SKILL.md": skill("types", "**/*.ts"),
  "app/CLAUDE.md": "Memory of the app.\n",
  "app/main.ts": "export {};\n",
  "lib/CLAUDE.md": "Memory of the lib.\n",
  "lib/one.ts": "export {};\n",
  "docs/index.md": "Index.\n",
  "docs/.claude/CLAUDE.md": "Memory of the docs.\n",
  "both/CLAUDE.md": "@AGENTS.md\n",
  "both/AGENTS.md": "Rule of both.\n",
  "both/a.txt": "a\n",
};

const packageSkill = (name: string) => `---\nname: ${name}\ndescription: Keeps the ${name}\n---\nText of ${name}.\n`;

const PACKAGE_SKILLS = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "CLAUDE.md": "Be brief.\n",
  "pkg/x.ts": "export {};\n",
  "pkg/.agents/skills/plain/SKILL.md": packageSkill("plain"),
  "pkg/.agents/skills/linked/SKILL.md": packageSkill("linked"),
  "pkg/.claude/skills/linked": { link: "../../.agents/skills/linked" },
  "pkg/.claude/skills/own/SKILL.md": packageSkill("own"),
};

/** The same by each channel, in the test file of its scenes. */
export function playOwnFiles(channel: "command" | "mod" | "mcp"): void {
  describe.skipIf(CLAUDE.missing !== undefined)(`Claude Code's own files, by ${channel}`, () => {
    const play = playBy(channel);

    test(
      "are named with the shell command for which the client does not load them, each once",
      async () => {
        using tree = tempTree(OWN_FILES);
        const run = await play(tree, {
          prompt: "Go.",
          script: () => ({
            main: [
              { toolUses: [bash("ls app")] },
              { toolUses: [bash("sed -i s/export/import/ lib/one.ts")] },
              { toolUses: [bash("wc -l lib/one.ts && wc -l app/main.ts")] },
              { toolUses: [bash("wc -l docs/index.md | sort")] },
              { toolUses: [bash("ls both app lib docs")] },
            ],
          }),
        });
        const named = (name: string) => countSeen(run, told(tree, name));
        expect(named("app/CLAUDE.md")).toEqual([0, 1, 1, 1, 1, 1]);
        expect(named("lib/CLAUDE.md")).toEqual([0, 0, 1, 1, 1, 1]);
        expect(named(".claude/rules/types.md")).toEqual([0, 0, 1, 1, 1, 1]);
        expect(named(".claude/rules/pages.md")).toEqual([0, 0, 0, 0, 1, 1]);
        expect(named("docs/.claude/CLAUDE.md")).toEqual([0, 0, 0, 0, 1, 1]);
        expect(named(".claude/skills/types/SKILL.md")).toEqual([0, 0, 1, 1, 1, 1]);
        expect(named(".claude/skills/index/SKILL.md")).toEqual([0, 0, 0, 0, 1, 1]);
        expect(Math.max(...countSeen(run, "Keeps the "))).toBe(0);
        expect(named("both/AGENTS.md")).toEqual([0, 0, 0, 0, 0, 1]);
        for (const name of ["CLAUDE.md", ".claude/rules/always.md", "both/CLAUDE.md"]) {
          expect(Math.max(...named(name)), name).toBe(0);
        }
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "are not named where the client loads them, nor afterwards",
      async () => {
        using tree = tempTree(OWN_FILES);
        const run = await play(tree, {
          prompt: "Look at @docs/index.md",
          script: (path) => ({
            main: [
              { toolUses: [read(path("app/main.ts"))] },
              { toolUses: [bash("cat lib/one.ts")] },
              { toolUses: [edit(path("both/a.txt"), "a", "b")] },
              { toolUses: [bash("ls app lib docs both && wc -l app/main.ts docs/index.md")] },
            ],
          }),
        });
        expect(countSeen(run, "Memory of the docs.")).toEqual([1, 1, 1, 1, 1]);
        expect(countSeen(run, "Rule for pages.")).toEqual([1, 1, 1, 1, 1]);
        expect(countSeen(run, "Memory of the app.")).toEqual([0, 1, 1, 1, 1]);
        expect(countSeen(run, "Rule for types.")).toEqual([0, 1, 1, 1, 1]);
        expect(countSeen(run, "Memory of the lib.")).toEqual([0, 0, 1, 1, 1]);
        expect(countSeen(run, "Rule of both.")).toEqual([0, 0, 0, 1, 1]);
        expect(countSeen(run, "Keeps the index")).toEqual([1, 1, 1, 1, 1]);
        expect(countSeen(run, "Keeps the types")).toEqual([0, 1, 1, 1, 1]);
        for (const name of Object.keys(OWN_FILES)) expect(Math.max(...countSeen(run, told(tree, name))), name).toBe(0);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "and skills of packages are each described once, by whoever lists them",
      async () => {
        for (const first of ["ls pkg", undefined]) {
          using tree = tempTree(PACKAGE_SKILLS);
          const run = await play(tree, {
            prompt: "Go.",
            script: (path) => ({
              main: [
                ...(first === undefined ? [] : [{ toolUses: [bash(first)] }]),
                { toolUses: [read(path("pkg/x.ts"))] },
                { toolUses: [bash("ls pkg && wc -l pkg/x.ts")] },
              ],
            }),
          });
          const shell = first === undefined ? [] : [0];
          expect(countSeen(run, "Keeps the own"), first).toEqual([...shell, 0, 1, 1]);
          expect(countSeen(run, "Keeps the linked"), first).toEqual([...shell, 0, 1, 1]);
          expect(countSeen(run, "Keeps the plain"), first).toEqual(first === undefined ? [0, 1, 1] : [0, 1, 1, 1]);
          const names = countSeen(run, ">linked, own</skill_names>");
          expect(names, first).toEqual(first === undefined ? [0, 0, 0] : [0, 1, 1, 1]);
        }
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "are in an audit of the session, with what its model had of them",
      async () => {
        using tree = tempTree(OWN_FILES);
        using home = tempTree();
        await play(tree, {
          home,
          prompt: "Go.",
          script: (path) => ({
            main: [
              { toolUses: [bash("ls app")] },
              { toolUses: [bash("sed -i s/export/import/ app/main.ts")] },
              { toolUses: [read(path("lib/one.ts"))] },
              { toolUses: [edit(path("lib/one.ts"), "export", "import")] },
              { toolUses: [edit(path("both/a.txt"), "a", "b")] },
            ],
          }),
        });
        const [record = ""] = new Bun.Glob(".claude/projects/*/*.jsonl").scanSync({ cwd: home.root, dot: true });
        const options = { cwd: tree.root, home: home.root };
        const { stdout } = runCodelia(["audit", home.path(record), "--json", "--quiet"], options);
        const { writes } = AuditSchema.parse(JSON.parse(stdout)).sessions[0]!.contexts[0]!;
        const known = writes.map(({ files }) =>
          Object.fromEntries(files.map(({ path, extent, by }) => [relative(tree.root, path), `${extent} ${by ?? ""}`])),
        );
        expect(known).toEqual([
          { "app/CLAUDE.md": "named codelia", ".claude/rules/types.md": "none " },
          { "lib/CLAUDE.md": "whole client", ".claude/rules/types.md": "whole client" },
          { "both/AGENTS.md": "none " },
        ]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "are loaded by the client for files below the start of its session, wherever its shell has gone",
      async () => {
        using tree = tempTree({ ...OWN_FILES, "app/deep/a.txt": "a\n" });
        const run = await play(tree, {
          prompt: "Go.",
          script: (path) => ({
            main: [
              { toolUses: [bash("cd app")] },
              { toolUses: [read(path("app/deep/a.txt"))] },
              { toolUses: [bash("ls deep ../lib")] },
            ],
          }),
        });
        const [text, name] = ["Memory of the app.", told(tree, "app/CLAUDE.md")].map((part) =>
          countSeen(run, part).at(-1),
        );
        expect(text).toBe(1);
        expect(name).toBeLessThanOrEqual(1);
        expect(countSeen(run, told(tree, "lib/CLAUDE.md"))).toEqual([0, 0, 0, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "are named again when they change or go, and after a compaction",
      async () => {
        using tree = tempTree({
          ...OWN_FILES,
          "change.sh": "echo 'Other memory.' >app/CLAUDE.md; rm lib/CLAUDE.md\n",
        });
        const run = await play(tree, {
          prompt: ["Go.", "/compact", "Go on."],
          script: () => ({
            main: [
              { toolUses: [bash("ls app lib")] },
              { toolUses: [bash("sh change.sh")] },
              { toolUses: [bash("ls app lib")] },
              { text: "Done." },
              { toolUses: [bash("ls app lib")] },
            ],
          }),
        });
        expect(countSeen(run, told(tree, "app/CLAUDE.md"))).toEqual([0, 1, 1, 2, 0, 1]);
        expect(countSeen(run, "(changed: read it again)")).toEqual([0, 0, 0, 1, 0, 0]);
        expect(countSeen(run, "No longer in force")).toEqual([0, 0, 0, 1, 0, 0]);
        expect(countSeen(run, told(tree, "lib/CLAUDE.md"))).toEqual([0, 1, 1, 1, 0, 0]);
      },
      TEST_TIMEOUT_MS,
    );
  });
}
