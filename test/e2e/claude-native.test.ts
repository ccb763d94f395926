import { describe, expect, test } from "bun:test";
import { matchesPath } from "../../src/lib/brace-glob.ts";
import { tempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { bash, edit, read, spawn, write } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { contextOutput } from "./lib/hook-recorder.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { playClaude, type ClaudeScene } from "./lib/play-claude.ts";
import { agentsOf, countSeen, whereSeen } from "./lib/seen.ts";

// What Claude Code reads by itself, each fact asserted on the real client.

const ROOT = { "AGENTS.md": "Rules of the root.\n" };
const NESTED = { "sub/AGENTS.md": "Rules of sub.\n", "sub/CLAUDE.md": "Memory of sub.\n" };
const PLUGIN = "cc-plugin-agents-md@builtin";

const excluding = (glob: string) => JSON.stringify({ claudeMdExcludes: [glob] });

type Told = readonly [text: string, counts: readonly number[]];
type Row = readonly [fact: string, scene: Partial<ClaudeScene>, ...told: Told[]];

const AT_START: Row[] = [
  ["AGENTS.md of the root", { files: ROOT }, ["Rules of the root.", [1]]],
  [".claude/AGENTS.md", { files: { ".claude/AGENTS.md": "Hidden rules.\n" } }, ["Hidden rules.", [1]]],
  [
    "what AGENTS.md imports",
    { files: { "AGENTS.md": "See @more.md\n", "more.md": "More rules.\n" } },
    ["More rules.", [1]],
  ],
  [
    "AGENTS.md of the directories above, started below",
    { files: { ...ROOT, "sub/AGENTS.md": "Rules of sub.\n" }, cwd: "sub" },
    ["Rules of the root.", [1]],
    ["Rules of sub.", [1]],
  ],
  [
    "no AGENTS.md beside a CLAUDE.md",
    { files: { ...ROOT, "CLAUDE.md": "Memory.\n" } },
    ["Rules of the root.", [0]],
    ["Memory.", [1]],
  ],
  [
    "no AGENTS.md beside a .claude/CLAUDE.md",
    { files: { ...ROOT, ".claude/CLAUDE.md": "Memory.\n" } },
    ["Rules of the root.", [0]],
    ["Memory.", [1]],
  ],
  [
    "no AGENTS.md beside a CLAUDE.local.md",
    { files: { ...ROOT, "CLAUDE.local.md": "Memory.\n" } },
    ["Rules of the root.", [0]],
    ["Memory.", [1]],
  ],
  ["AGENTS.md beside an empty CLAUDE.md", { files: { ...ROOT, "CLAUDE.md": "" } }, ["Rules of the root.", [1]]],
  [
    "no AGENTS.md with the plugin switched off",
    { files: { ...ROOT, ".claude/settings.json": JSON.stringify({ enabledPlugins: { [PLUGIN]: false } }) } },
    ["Rules of the root.", [0]],
  ],
  [
    "no AGENTS.md that is excluded",
    { files: { ...ROOT, ".claude/settings.json": JSON.stringify({ claudeMdExcludes: ["**/AGENTS.md"] }) } },
    ["Rules of the root.", [0]],
  ],
  [
    "AGENTS.md beside a CLAUDE.md that is excluded",
    { files: { ...ROOT, "CLAUDE.md": "Memory.\n", ".claude/settings.json": excluding("**/CLAUDE.md") } },
    ["Rules of the root.", [1]],
    ["Memory.", [0]],
  ],
  [
    "AGENTS.md that CLAUDE.md is a link to",
    { files: { ...ROOT, "CLAUDE.md": { link: "AGENTS.md" } } },
    ["Rules of the root.", [1]],
  ],
  [
    "AGENTS.md that CLAUDE.md imports, through another",
    { files: { ...ROOT, "CLAUDE.md": "@more.md\n", "more.md": "See @./AGENTS.md for more\n" } },
    ["Rules of the root.", [1]],
  ],
  [
    "no AGENTS.md that CLAUDE.md mentions in code, or with a mark behind it",
    { files: { ...ROOT, "CLAUDE.md": "`@AGENTS.md` (see @AGENTS.md) and @AGENTS.md.\n" } },
    ["Rules of the root.", [0]],
  ],
  [
    "no AGENTS.md above that a CLAUDE.md above imports",
    { files: { ...ROOT, "CLAUDE.md": "@AGENTS.md\n" }, cwd: "sub" },
    ["Rules of the root.", [0]],
  ],
  [
    "no AGENTS.md that is excluded and imported",
    { files: { ...ROOT, "CLAUDE.md": "@AGENTS.md\n", ".claude/settings.json": excluding("**/AGENTS.md") } },
    ["Rules of the root.", [0]],
  ],
  [
    "no AGENTS.override.md, no ~/AGENTS.md, no .agents/skills",
    {
      files: {
        "AGENTS.override.md": "Overriding rules.\n",
        ".agents/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets as agreed\n---\nHello.\n",
      },
      homeFiles: { "AGENTS.md": "Rules of home.\n" },
    },
    ["Overriding rules.", [0]],
    ["Greets as agreed", [0]],
    ["Rules of home.", [0]],
  ],
];

const READING: ClaudeScene["script"] = (path) => ({ main: [{ toolUses: [read(path("sub/c.txt"))] }] });

const ON_A_TOOL: Row[] = [
  [
    "on Read, nested AGENTS.md",
    {
      files: { "sub/AGENTS.md": "Rules of sub.\n" },
      script: (path) => ({ main: [{ toolUses: [read(path("sub/c.txt"))] }] }),
    },
    ["Rules of sub.", [0, 1]],
  ],
  [
    "on Read, CLAUDE.md in the place of an AGENTS.md beside it",
    { files: NESTED, script: (path) => ({ main: [{ toolUses: [read(path("sub/c.txt"))] }] }) },
    ["Rules of sub.", [0, 0]],
    ["Memory of sub.", [0, 1]],
  ],
  [
    "on Edit, nested CLAUDE.md",
    {
      files: { "sub/CLAUDE.md": "Memory of sub.\n" },
      script: (path) => ({ main: [{ toolUses: [edit(path("sub/c.txt"), "text", "words")] }] }),
    },
    ["Memory of sub.", [0, 1]],
  ],
  [
    "on Write, no nested AGENTS.md",
    {
      files: { "sub/AGENTS.md": "Rules of sub.\n" },
      script: (path) => ({ main: [{ toolUses: [write(path("sub/new.txt"))] }] }),
    },
    ["Rules of sub.", [0, 0]],
  ],
  [
    "on Write, nested CLAUDE.md",
    {
      files: { "sub/CLAUDE.md": "Memory of sub.\n" },
      script: (path) => ({ main: [{ toolUses: [write(path("sub/new.txt"))] }] }),
    },
    ["Memory of sub.", [0, 1]],
  ],
  [
    "on Edit, no nested AGENTS.md",
    {
      files: { "sub/AGENTS.md": "Rules of sub.\n" },
      script: (path) => ({
        main: [{ toolUses: [edit(path("sub/c.txt"), "text", "words")] }],
      }),
    },
    ["Rules of sub.", [0, 0]],
  ],
  [
    "on Read, what a nested CLAUDE.md imports, as far as the working directory reaches",
    {
      files: {
        "sub/CLAUDE.md": "See @y.md @../x.md @/etc/passwd\n",
        "sub/y.md": "From beside.\n",
        "x.md": "From above.\n",
      },
      script: READING,
    },
    ["From beside.", [0, 1]],
    ["From above.", [0, 1]],
    ["root:", [0, 0]],
  ],
  [
    "on Read, what a nested AGENTS.md imports",
    { files: { "sub/AGENTS.md": "See @y.md\n", "sub/y.md": "From beside.\n" }, script: READING },
    ["From beside.", [0, 1]],
  ],
  [
    "on Read, the whole family",
    {
      files: {
        "sub/CLAUDE.md": "Memory of sub.\n",
        "sub/.claude/CLAUDE.md": "Hidden memory.\n",
        "sub/CLAUDE.local.md": "My memory.\n",
        "sub/.claude/rules/r.md": "Rule of sub.\n",
        "sub/.claude/rules/w.md": "---\npaths: never/**\n---\nWaiting, @../../z.md\n",
        "sub/z.md": "Imported by what waits.\n",
      },
      script: READING,
    },
    ["Memory of sub.", [0, 1]],
    ["Hidden memory.", [0, 1]],
    ["My memory.", [0, 1]],
    ["Rule of sub.", [0, 1]],
    ["Waiting, ", [0, 0]],
    ["Imported by what waits.", [0, 1]],
  ],
  [
    "on Read, nested .claude/AGENTS.md",
    { files: { "sub/.claude/AGENTS.md": "Hidden rules.\n" }, script: READING },
    ["Hidden rules.", [0, 1]],
  ],
  [
    "on Read, AGENTS.md below a nested CLAUDE.md",
    {
      files: {
        "sub/CLAUDE.md": "Memory of sub.\n",
        "sub/deep/AGENTS.md": "Rules of deep.\n",
        "sub/deep/c.txt": "text\n",
      },
      script: (path) => ({ main: [{ toolUses: [read(path("sub/deep/c.txt"))] }] }),
    },
    ["Memory of sub.", [0, 1]],
    ["Rules of deep.", [0, 1]],
  ],
  [
    "on Read, AGENTS.md above a nested CLAUDE.md",
    {
      files: {
        "sub/AGENTS.md": "Rules of sub.\n",
        "sub/deep/CLAUDE.md": "Memory of deep.\n",
        "sub/deep/c.txt": "text\n",
      },
      script: (path) => ({ main: [{ toolUses: [read(path("sub/deep/c.txt"))] }] }),
    },
    ["Rules of sub.", [0, 1]],
    ["Memory of deep.", [0, 1]],
  ],
  [
    "on Read, nothing outside of the working directory",
    {
      files: { "sub/AGENTS.md": "Rules of sub.\n", "other/AGENTS.md": "Rules of other.\n", "other/c.txt": "text\n" },
      cwd: "sub",
      script: (path) => ({ main: [{ toolUses: [read(path("other/c.txt"))] }] }),
    },
    ["Rules of other.", [0, 0]],
  ],
  [
    "on Read, a file of the start not anew where it has changed",
    {
      files: ROOT,
      script: (path) => ({
        main: [
          { toolUses: [bash("echo 'Other rules.' > AGENTS.md")] },
          { toolUses: [read(path("sub/c.txt"))] },
          { toolUses: [bash("cat AGENTS.md; echo done")] },
        ],
      }),
    },
    ["Rules of the root.", [1, 1, 1, 1]],
    ["Other rules.\ndone", [0, 0, 0, 1]],
    ["Other rules.\n", [0, 0, 0, 1]],
  ],
  [
    "on Read, what came with one before not anew where it has changed",
    {
      files: { "sub/AGENTS.md": "Rules of sub.\n" },
      script: (path) => ({
        main: [
          { toolUses: [read(path("sub/c.txt"))] },
          { toolUses: [bash("echo 'Other rules.' > sub/AGENTS.md")] },
          { toolUses: [read(path("sub/c.txt"))] },
          { toolUses: [bash("cat sub/AGENTS.md; echo done")] },
        ],
      }),
    },
    ["Rules of sub.", [0, 1, 1, 1, 1]],
    ["Other rules.\n", [0, 0, 0, 0, 1]],
  ],
  [
    "on an @-mention, nested AGENTS.md",
    { files: { "sub/AGENTS.md": "Rules of sub.\n" }, prompt: "Look at @sub/c.txt" },
    ["Rules of sub.", [1]],
  ],
];

const GLOBS = [
  "!**/sub/**",
  "**/{AGENTS}.md",
  "**/AGENTS\\.md",
  "**\\AGENTS.md",
  "**/\\*.md",
  "**/{AGENTS,CLAUDE}.md",
  "**/sub/**",
  "sub/AGENTS.md",
  "/ROOT/sub/AGENTS.md",
  "/ROOT/**",
  "*/AGENTS.md",
  "**/sub",
  "**/agents.md",
  "**/AGENT?.md",
  "**/[A-Z]*.md",
  "**",
];

/** It looks through a command that is no more than the reading of one file. */
const COMMANDS: [command: string, loadsMemory: boolean][] = [
  ["cat DIR/c.txt", true],
  ["head -5 DIR/c.txt", true],
  ["sed -n 1,5p DIR/c.txt", true],
  ["grep text DIR/c.txt", true],
  ["true; cat DIR/c.txt", true],
  ["cat DIR/c.txt | wc -l", false],
  ["cat DIR/c.txt a.txt", false],
  ["sed -i s/t/u/ DIR/c.txt", false],
  ["ls DIR", false],
  ["cd DIR && cat c.txt", false],
];

/** The commands one after the other, each in a directory of its own that has an instruction file of this name. */
async function runCommands(name: string): Promise<[command: string, loads: boolean][]> {
  const numbered = COMMANDS.map(([command], index) => ({ command, dir: `dir-${index}` }));
  const files = numbered.flatMap(({ dir }) => [
    [`${dir}/c.txt`, "text\n"],
    [`${dir}/${name}`, `Instructions of ${dir}.\n`],
  ]);
  const script = () => ({
    main: numbered.map(({ command, dir }) => ({ toolUses: [bash(command.replace("DIR", dir))] })),
  });
  const { run } = await playClaude({ prompt: "Go.", files: Object.fromEntries(files), script });
  return numbered.map(({ command, dir }) => [command, countSeen(run, `Instructions of ${dir}.`).at(-1) === 1]);
}

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code reads by itself", () => {
  test.each([...AT_START, ...ON_A_TOOL])(
    "%s",
    async (_, scene, ...told) => {
      const { run } = await playClaude({ prompt: "Go.", ...scene });
      expect(told.map(([text]) => [text, countSeen(run, text)])).toEqual(
        told.map(([text, counts]) => [text, [...counts]]),
      );
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "on Bash, no nested AGENTS.md, but nested CLAUDE.md where the command only reads one file",
    async () => {
      expect(await runCommands("CLAUDE.md")).toEqual(COMMANDS);
      expect(await runCommands("AGENTS.md")).toEqual(COMMANDS.map(([command]) => [command, false]));
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "only what no pattern excludes: patterns mean absolute paths, and letter case counts",
    async () => {
      const root = "/ROOT/";
      const seen: [glob: string, root: boolean, below: boolean][] = [];
      for (const glob of GLOBS) {
        const files = { ...ROOT, "sub/AGENTS.md": "Rules of sub.\n" };
        using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", "sub/c.txt": "text\n", ...files });
        using home = tempTree();
        tree.write(".claude/settings.json", excluding(glob.replace(root, `${tree.root}/`)));
        const script = { main: [{ toolUses: [read(tree.path("sub/c.txt"))] }] };
        const run = await runClaude({ prompt: "Go.", tree, home, script });
        const isExcluded = (text: string) => countSeen(run, text).at(-1) === 0;
        seen.push([glob, isExcluded("Rules of the root."), isExcluded("Rules of sub.")]);
      }
      const means = (glob: string, path: string) => matchesPath(glob, path) === true;
      expect(seen).toEqual(
        GLOBS.map((glob) => [glob, means(glob, "/ROOT/AGENTS.md"), means(glob, "/ROOT/sub/AGENTS.md")]),
      );
    },
    3 * TEST_TIMEOUT_MS,
  );

  test.each([
    ["general-purpose", [1]],
    ["Explore", [0]],
    ["Plan", [0]],
  ])(
    "in a sub-agent of type %s, AGENTS.md of the root so often: %p",
    async (type, counts) => {
      const { run } = await playClaude({
        prompt: "Go.",
        files: ROOT,
        script: () => ({
          main: [{ toolUses: [spawn("Find it.", type)] }],
          agents: { "Find it.": [{ text: "Found." }] },
        }),
      });
      expect(agentsOf(run)).toEqual(["Find it."]);
      expect(countSeen(run, "Rules of the root.", "Find it.")).toEqual(counts);
    },
    TEST_TIMEOUT_MS,
  );

  test.each([
    ["settings.json", ".", 1],
    ["settings.json", "sub", 0],
    ["settings.local.json", ".", 1],
    ["settings.local.json", "sub", 1],
  ])(
    "hooks of the root's %s, started in '%s', so often: %p",
    async (name, cwd, times) => {
      const command = `echo '${contextOutput("SessionStart", "From the project.")}'`;
      const settings = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command }] }] } });
      const { run } = await playClaude({ prompt: "Go.", cwd, files: { [`.claude/${name}`]: settings } });
      expect(whereSeen(run, "From the project.")).toHaveLength(times);
    },
    TEST_TIMEOUT_MS,
  );
});
