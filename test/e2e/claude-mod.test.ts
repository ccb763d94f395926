import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CODELIA, REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { runClaude, runClaudeCommand, type ClaudeOptions } from "./lib/claude.ts";
import { bash, read, spawn } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { installHooks, RULED_FILES, told } from "./lib/codelia-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import { agentsOf, countSeen } from "./lib/seen.ts";

// The module in the real Claude Code: what it starts, and what happens where something is missing or has changed.

const MOD = join(REPOSITORY, "hooks/plugin/mod");
const PATH = `${dirname(CODELIA)}:${process.env["PATH"]}`;
const FILES = { ...RULED_FILES, "CLAUDE.md": "Be brief.\n" };

interface Called {
  readonly pid: number;
  readonly name: string;
}

interface Played extends ClientRun {
  /** The events that reached codelia, and in which process. */
  readonly called: readonly Called[];
}

async function play(
  tree: TempTree,
  home: TempTree,
  script: NonNullable<ClaudeOptions["script"]>,
  { path = PATH, resume = false } = {},
): Promise<Played> {
  // A copy: some versions of the client write typings beside a module.
  const mod = home.path("mod");
  if (!existsSync(mod)) cpSync(MOD, mod, { recursive: true });
  const trace = home.path("trace");
  const args = ["--plugin-dir", mod];
  const env = { PATH: path, CODELIA_TRACE: trace };
  const run = await runClaude({ tree, home, prompt: "Go.", args, env, script, ...(resume && { resume }) });
  const { exitCode, stderr, leftBehind } = run;
  expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 0, stderr: "", leftBehind: [] });
  return { ...run, called: calledIn(trace) };
}

function calledIn(trace: string): Called[] {
  if (!existsSync(trace)) return [];
  const lines = readFileSync(trace, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter(({ stage }) => stage === "event");
}

const TOUCHES = (tree: TempTree) => ({
  main: [{ toolUses: [bash("cat app/main.ts")] }, { toolUses: [read(tree.path("lib/one.ts"))] }, { toolUses: [bash("ls app")] }],
}); // prettier-ignore

/** With a touch of each of two directories: the root's text once, each of the others named once. */
function expectToldOnce(run: ClientRun, tree: TempTree): void {
  expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
  expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
  expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
  expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
}

describe.skipIf(CLAUDE.missing !== undefined)("the module", () => {
  test(
    "has no fault that the client finds",
    async () => {
      using home = tempTree();
      const { stdout, exitCode } = await runClaudeCommand(["plugin", "validate", MOD], home, home.root);
      expect([exitCode, stdout.includes("Validation passed")]).toEqual([0, true]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "starts no process for a tool call: all of them reach one server, and a prompt and the end of a turn too",
    async () => {
      using tree = tempTree(FILES);
      using home = tempTree();
      const run = await play(tree, home, TOUCHES(tree));
      expectToldOnce(run, tree);
      const byServer = run.called.filter(({ name }) => name.endsWith("ToolUse") || name === "UserPromptSubmit");
      expect(byServer).toHaveLength(7);
      const [server] = new Set(byServer.map(({ pid }) => pid));
      expect(byServer.filter(({ pid }) => pid !== server)).toEqual([]);
      // The module's, and the hook's for a client that refuses the module, which ends before it has read the project.
      expect(run.called.filter(({ pid }) => pid !== server).map(({ name }) => name)).toEqual([
        "SessionStart",
        "SessionEnd",
      ]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "installed for one project it works there, and in no other",
    async () => {
      using tree = tempTree(FILES);
      using other = tempTree(FILES);
      using home = tempTree();
      const args = ["install", "claude", "--scope", "local", "--channel", "mod", "--yes", "--quiet"];
      expect(runCodelia(args, { cwd: tree.root, home: home.root }).exitCode).toBe(0);
      const toldIn = async (place: TempTree) => {
        const run = await runClaude({ tree: place, home, prompt: "Go.", script: TOUCHES(place) });
        return countSeen(run, told(place, "app/AGENTS.md"));
      };
      expect([await toldIn(tree), await toldIn(other)]).toEqual([
        [0, 1, 1, 1],
        [0, 0, 0, 0],
      ]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "without the program nothing happens, and nothing is blocked",
    async () => {
      using tree = tempTree(FILES);
      using home = tempTree();
      const run = await play(tree, home, TOUCHES(tree), { path: "/usr/bin:/bin" });
      expect(countSeen(run, "codelia-reminder")).toEqual([0, 0, 0, 0]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "beside hooks that were left behind, each is told once",
    async () => {
      using tree = tempTree(FILES);
      using home = tempTree();
      installHooks("claude", tree, home);
      const run = await play(tree, home, TOUCHES(tree));
      expectToldOnce(run, tree);
      expect(new Set(run.called.filter(({ name }) => name.endsWith("ToolUse")).map(({ pid }) => pid)).size).toBe(1);
    },
    TEST_TIMEOUT_MS,
  );

  test.each(["command", "mcp"])(
    "a session that it began goes on by %s: the client keeps what the module gave, and changes are told",
    async (channel) => {
      using tree = tempTree(FILES);
      using home = tempTree();
      installHooks("claude", tree, home, "mod");
      await runClaude({ tree, home, prompt: "Go.", script: { main: [{ toolUses: [bash("ls app")] }] } });
      const where = { cwd: tree.root, home: home.root };
      expect(runCodelia(["uninstall", "claude", "--scope", "user", "--yes"], where).exitCode).toBe(0);
      installHooks("claude", tree, home, channel);
      const resume = () => runClaude({ tree, home, resume: true, prompt: "Go on.", script: { main: [] } });
      const resumed = await resume();
      expect(countSeen(resumed, "Rule of the root.")).toEqual([1]);
      expect(countSeen(resumed, "<agents_usage>")).toEqual([1]);
      expect(countSeen(resumed, 'session.resume.diff">')).toEqual([0]);
      tree.write("AGENTS.md", "Other rule of the root.\n");
      expect(countSeen(await resume(), told(tree, "AGENTS.md"))).toEqual([1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "beside the same module of another plugin, and hooks of the user and of the project, each is told once",
    async () => {
      using tree = tempTree(FILES);
      using home = tempTree();
      const install = (scope: string, channel: string) => {
        const args = ["install", "claude", "--scope", scope, "--channel", channel, "--yes", "--quiet"];
        expect(runCodelia(args, { cwd: tree.root, home: home.root, env: { PATH } }).exitCode).toBe(0);
      };
      install("user", "mod");
      install("local", "command");
      install("project", "command");
      const main = [...TOUCHES(tree).main, { toolUses: [spawn("Look around.")] }];
      const run = await play(tree, home, { main, agents: { "Look around.": [{ toolUses: [bash("ls lib")] }] } });
      expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1, 1]);
      expect(countSeen(run, "the user overrides all.")).toEqual([1, 1, 1, 1, 1]);
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1, 1]);
      const [agent = ""] = agentsOf(run);
      expect(countSeen(run, "Rule of the root.", agent)).toEqual([1, 1]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"), agent)).toEqual([0, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "after its server was killed the client starts another, and what one call was not told comes with the next",
    async () => {
      using tree = tempTree(FILES);
      using home = tempTree();
      const kill = () => {
        const server = calledIn(home.path("trace")).find(({ name }) => name === "PreToolUse");
        process.kill(server?.pid ?? 0, "SIGKILL");
        return { toolUses: [bash("ls")] };
      };
      const main = [{ toolUses: [bash("cat app/main.ts")] }, kill, ...TOUCHES(tree).main];
      const run = await play(tree, home, { main });
      expect(countSeen(run, "Rule of the root.").at(-1)).toBe(1);
      expect(countSeen(run, told(tree, "app/AGENTS.md")).at(-1)).toBe(1);
      expect(countSeen(run, told(tree, "lib/AGENTS.md")).at(-1)).toBe(1);
      const servers = run.called.filter(({ name }) => name.endsWith("ToolUse")).map(({ pid }) => pid);
      expect(new Set(servers).size).toBe(2);
    },
    TEST_TIMEOUT_MS,
  );

  // The client's interface for modules is early access: what it refuses, and what answers otherwise.
  const CHANGES: [what: string, from: RegExp | string, to: string, isRefused: boolean][] = [
    ["an event that the client does not know", '"prompt.context"', '"prompt.gone"', true],
    ["a module that is no program", "export const register", "export const register = = ", true],
    ["another way to begin", "export const register", "export const begin", true],
    ["a module that throws when it begins", "on: On): void => {", 'on: On): void => { throw new Error("x");', true],
    ["a method that is gone", "$.process.run(", "$.process.gone(", true],
    ["a method that fails", "await $.process.run(", "await nothing(", false],
    ["a method that answers otherwise", "{ exitCode, stdout }", "{ exitCode, output: stdout }", false],
    ["another process that fails", '"--mod"]', '"--gone"]', false],
    ["a variable that can't be set", 'await $.env.set("CODELIA_ANSWERED", ', "await nothing(", false],
    ["instruction files under another name", /\["instructionFiles"\]/g, '["gone"]', false],
    ["a context that the client never asks for", '"prompt.context"', '"session.stop"', false],
    ["a start that is not announced", '"classic.SessionStart"', '"session.stop"', false],
  ];
  test.each(CHANGES)(
    "with %s everything is told once all the same, by the module or by the next channel",
    async (_, from, to, isRefused) => {
      using tree = tempTree(FILES);
      using home = tempTree();
      cpSync(MOD, home.path("mod"), { recursive: true });
      const text = home.read("mod/hooks/register.ts");
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      home.write(
        "mod/hooks/register.ts",
        `${changed}\nfunction nothing(..._: unknown[]): Promise<never> { return Promise.reject(new Error("gone")); }\n`,
      );
      const main = [...TOUCHES(tree).main, { toolUses: [spawn("Look around.")] }];
      const agents = { "Look around.": [{ toolUses: [bash("cat lib/two.ts")] }, { toolUses: [bash("ls lib")] }] };
      const run = await play(tree, home, { main, agents });
      expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1, 1]);
      expect(countSeen(run, "the user overrides all.")).toEqual([1, 1, 1, 1, 1]);
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1, 1]);
      const [agent = ""] = agentsOf(run);
      expect(countSeen(run, "Rule of the root.", agent)).toEqual([1, 1, 1]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"), agent)).toEqual([0, 1, 1]);
      const ofTools = run.called.filter(({ name }) => name.endsWith("ToolUse"));
      expect(new Set(ofTools.map(({ pid }) => pid)).size).toBe(1);
      if (isRefused) expect(JSON.parse(home.read(".local/state/codelia/heard/claude.json")).channel).toBe("command");
    },
    TEST_TIMEOUT_MS,
  );

  test.each([
    ["beside the hook for a start", true],
    ["alone", false],
  ])(
    "loaded after a session had begun it says everything once, and after a resume what changed: %s",
    async (_, hasHook) => {
      using tree = tempTree(FILES);
      using home = tempTree();
      cpSync(MOD, home.path("mod"), { recursive: true });
      const text = home.read("mod/hooks/register.ts");
      const late = text.replace(/on\("classic.SessionStart".*\n/, "$&return next(event);\n");
      expect(late).not.toBe(text);
      home.write("mod/hooks/register.ts", late);
      const { modules, hooks } = JSON.parse(home.read("mod/hooks/hooks.json"));
      if (!hasHook) delete hooks.SessionStart;
      home.write("mod/hooks/hooks.json", JSON.stringify({ modules, hooks }));
      const begun = await play(tree, home, TOUCHES(tree));
      expectToldOnce(begun, tree);
      expect(countSeen(begun, "<agents_usage>")).toEqual([1, 1, 1, 1]);
      tree.write("app/AGENTS.md", "Rule of the app, and another one.\n");
      const main = [{ toolUses: [read(tree.path("app/main.ts"))] }];
      const resumed = await play(tree, home, { main }, { resume: true });
      expect(countSeen(resumed, "(changed: read it again)")).toEqual([1, 1]);
      expect(countSeen(resumed, "Rule of the root.")).toEqual([1, 1]);
    },
    TEST_TIMEOUT_MS,
  );
});
