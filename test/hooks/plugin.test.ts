import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VERBS } from "../../src/cli/guide.ts";
import { expected as expectedHooks } from "../clients/settings/samples.ts";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree } from "../support/temp-tree.ts";

const PLUGIN = join(REPOSITORY, "hooks/plugin");
const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));
const { hooks } = json(PLUGIN, "hooks/hooks.json");

test("the marketplace names the plugins' folders, and each plugin has the version of the program", () => {
  const { name, plugins } = json(REPOSITORY, ".claude-plugin/marketplace.json");
  const folders = ["./hooks/plugin", "./hooks/plugin/mod"];
  expect([name, plugins.map(({ source }: { source: string }) => source)]).toEqual(["codelia", folders]);
  for (const [index, folder] of folders.entries()) {
    const manifest = json(REPOSITORY, folder, ".claude-plugin/plugin.json");
    expect(plugins[index]).toMatchObject({ name: manifest.name, description: manifest.description });
    expect(manifest.version).toBe(json(REPOSITORY, "package.json").version);
  }
});

test("it registers what install registers, in words that do for both clients", () => {
  const said = (call: string, part: string) =>
    `command -v codelia >/dev/null 2>&1 || exit 0; test "$PLUGIN_ROOT" = "$CLAUDE_PLUGIN_ROOT" && exec codelia hook codex${part}; exec codelia hook ${call}${part}`;
  // What only one of the clients sends costs the other nothing.
  const [codex, claude] = ["codex", "claude"].map((client) => expectedHooks(client, "project").groups);
  const groups = new Map([...codex!, ...claude!]);
  // Codex has no word for all but some.
  for (const event of ["PreToolUse", "PostToolUse"]) groups.set(event, { ...claude!.get(event)!, matcher: "*" });
  const expected = [...groups].map(([event, group]) => {
    const handlers = group.hooks.map((each) => {
      // One line has to do for both clients, on every system.
      const { commandWindows: _, ...handler } = { commandWindows: undefined, ...each };
      const [, part = ""] =
        /codelia hook \w+( --part .*)?$/.exec(handler.type === "command" ? handler.command : "") ?? [];
      return { ...handler, command: said("claude", part) };
    });
    return [event, [{ ...group, hooks: handlers }]];
  });
  expect(hooks).toEqual(Object.fromEntries(expected));
  // Codex rejects a file with any other key.
  expect(Object.keys(json(PLUGIN, "hooks/hooks.json"))).toEqual(["hooks"]);
});

const ROOT = "/plugins/codelia";
const CLIENTS: [client: string, env: Record<string, string>, called: string][] = [
  ["Claude Code", { CLAUDE_PLUGIN_ROOT: ROOT }, "hook claude|"],
  ["Codex", { CLAUDE_PLUGIN_ROOT: ROOT, PLUGIN_ROOT: ROOT }, "hook codex|"],
  ["Claude Code where another program uses that name", { CLAUDE_PLUGIN_ROOT: ROOT, PLUGIN_ROOT: "/x" }, "hook claude|"],
];
test.each(CLIENTS)("under %s the command calls its hook, and ends well without the program", (_, env, called) => {
  using tree = tempTree({ "bin/codelia": { text: '#!/bin/sh\necho "$*|"\n', mode: 0o755 } });
  const command: string = hooks.PreToolUse[0].hooks[0].command;
  const run = (path: string) => {
    const { stdout, stderr, status } = spawnSync("/bin/sh", ["-c", command], {
      env: { ...env, PATH: path },
      encoding: "utf8",
    });
    return [stdout, stderr, status];
  };
  expect(run(tree.path("bin"))).toEqual([`${called}\n`, "", 0]);
  expect(run("/nowhere")).toEqual(["", "", 0]);
});

test("the skill is a valid one, and every command in it is a command", () => {
  const skill = readFileSync(join(PLUGIN, "skills/codelia/SKILL.md"), "utf8");
  using tree = tempTree({ ".git/": dir, ".agents/skills/codelia/SKILL.md": skill });
  expect(runCodelia(["skills", "check"], { cwd: tree.root, home: tree.root })).toEqual({
    stdout: "",
    stderr: "codelia: nothing found (1 skill checked)\n",
    exitCode: 0,
  });
  const mentioned = [...skill.matchAll(/`codelia ([a-z-]+)(?: ([a-z]+))?/g)];
  expect(mentioned.length).toBeGreaterThan(4);
  for (const [, verb = "", second = ""] of mentioned) {
    const entry = VERBS[verb];
    expect(entry).toBeDefined();
    if (typeof entry === "object") expect(Object.keys(entry.verbs)).toContain(second);
  }
});
