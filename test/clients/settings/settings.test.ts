import { describe, expect, test } from "bun:test";
import { loadClient } from "../../../src/clients/registry.ts";
import { expectedHooks } from "../../../src/clients/settings/expected.ts";
import type { Channel, SettingsEnvironment, InstalledAt } from "../../../src/clients/settings/model.ts";
import { factsOf, type Thing } from "../../support/table-facts.ts";
import { SETTINGS } from "./samples.ts";

const claudeSettings = SETTINGS.find(({ name }) => name === "claude")!;
const codexSettings = SETTINGS.find(({ name }) => name === "codex")!;

const PLACES: SettingsEnvironment = { cwd: "/repo/sub", root: "/repo", home: "/home/u", env: {} };

for (const client of [claudeSettings, codexSettings]) {
  test(`${client.name}: what is registered`, () => {
    const { groups } = expectedHooks(client, "user", ["/opt/it's/codelia"]);
    const call = String.raw`'/opt/it'\''s/codelia' hook ` + client.name;
    const one = (timeout: number) => [{ type: "command", command: call, timeout }];
    const parts = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        return { type: "command", command: `${call} --part ${index + 1}/${count}`, timeout: 10 };
      });
    const whole = [{ type: "command", command: `${call} --part whole`, timeout: 10, additionalContextLimit: 0 }];
    const isCodex = client === codexSettings;
    expect(Object.fromEntries(groups)).toEqual({
      SessionStart: { hooks: isCodex ? whole : parts(16) },
      SubagentStart: { hooks: isCodex ? whole : parts(8) },
      ...(isCodex && { PostCompact: { hooks: one(10) } }),
      UserPromptSubmit: { hooks: one(10) },
      PreToolUse: { matcher: isCodex ? "*" : expect.stringMatching(/^\^\(\?!/), hooks: one(10) },
      PostToolUse: { matcher: isCodex ? "*" : expect.stringMatching(/^\^\(\?!/), hooks: one(10) },
      ...(!isCodex && { PostToolUseFailure: { matcher: "Bash", hooks: one(10) } }),
      Stop: { hooks: one(600) },
      SubagentStop: { hooks: one(10) },
      SessionEnd: { hooks: one(1) },
    } as never);
  });
}

const POLICIES: [policy: object, restricted: string, byMcp: boolean][] = [
  [{ strictKnownMarketplaces: [] }, "plugins or hooks", false],
  [{ allowManagedHooksOnly: true }, "plugins or hooks", false],
  [{ pluginConfigs: { "sec-default@builtin": { options: { allowManagedModsOnly: true } } } }, "modules", true],
];
test.each(POLICIES)("Claude Code: no module where an organization says %j", (policy, restricted, byMcp) => {
  const path = "/etc/claude-code/managed-settings.json";
  const why = (data: object, channel: Channel = "mod") =>
    claudeSettings.blocked?.(channel, factsOf({ [path]: { data } }));
  expect(why(policy)).toBe(`'${path}' restricts ${restricted}`);
  expect(why(policy, "mcp") === undefined).toBe(byMcp);
  expect(why({ model: "x" })).toBeUndefined();
});

test("Claude Code: no process for a tool that touches no file, one for every other", () => {
  const matcher = new RegExp(
    expectedHooks(claudeSettings, "user", ["codelia"]).groups.get("PreToolUse")?.matcher ?? "",
  );
  const isAsked = (tool: string) => matcher.test(tool);
  const pathless = ["TodoWrite", "WebFetch", "WebSearch", "Agent", "Task", "AskUserQuestion", "ExitPlanMode"];
  expect(pathless.filter(isAsked)).toEqual([]);
  const touching = [
    "Read",
    "Edit",
    "Write",
    "Bash",
    "Grep",
    "Glob",
    "Skill",
    "NotebookEdit",
    "mcp__files__read",
    "TaskX",
    "X",
  ];
  expect(touching.filter((tool) => !isAsked(tool))).toEqual([]);
});

for (const client of SETTINGS) {
  test(`${client.name}: what a team shares names no place`, () => {
    const { groups } = expectedHooks(client, "project", ["/opt/codelia"]);
    const command = `command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook ${client.name}`;
    expect(groups.get(client.sampled)?.hooks[0]).toMatchObject({ type: "command", command });
  });

  test(`${client.name}: what doctor calls it with is an event of its own`, async () => {
    const sample = client.sampleEvent("/r", "/r/AGENTS.md") as Readonly<Record<string, unknown>>;
    const event = (await loadClient(client.name))?.readEvent(sample);
    expect(event).toMatchObject({ cwd: "/r", session: "codelia-doctor", context: "main" });
    expect(["before-tool", "tool"]).toContain(event?.what.kind ?? "");
    if (client.layout.kind !== "scripts") expect(event?.name).toBe(client.sampled);
  });
}

test("where the settings are", () => {
  const files = (client: typeof claudeSettings, env: SettingsEnvironment["env"]) =>
    client.scopes.map((scope) => `${scope} ${client.settingsFile(scope, { ...PLACES, env })}`);
  expect(files(claudeSettings, {})).toEqual([
    "local /repo/.claude/settings.local.json",
    "project /repo/.claude/settings.json",
    "user /home/u/.claude/settings.json",
  ]);
  expect(files(claudeSettings, { CLAUDE_CONFIG_DIR: "/c" })[2]).toBe("user /c/settings.json");
  expect(files(codexSettings, {})).toEqual(["project /repo/.codex/hooks.json", "user /home/u/.codex/hooks.json"]);
  expect(files(codexSettings, { CODEX_HOME: "/c" })[1]).toBe("user /c/hooks.json");
  expect(files(codexSettings, { CODEX_HOME: "relative" })[1]).toBe("user /home/u/.codex/hooks.json");
});

describe("claude: its own loader of AGENTS.md", () => {
  const off = { enabledPlugins: { "cc-plugin-agents-md@builtin": false } };
  const on = { enabledPlugins: { "cc-plugin-agents-md@builtin": true } };
  const local = "/repo/.claude/settings.local.json";
  const user = "/home/u/.claude/settings.json";
  const data = (value: unknown): Thing => ({ data: value });
  const CASES: [what: string, tree: Readonly<Record<string, Thing>>, says: string][] = [
    ["nothing", {}, "is on: no CLAUDE.md and no setting"],
    ["a plugin switched off", { [user]: data(off) }, `is off: '${user}' switches its plugin off`],
    ["one that the nearer file switches on", { [user]: data(off), [local]: data(on) }, "is on: "],
    ["an exclusion", { [local]: data({ claudeMdExcludes: ["x", "**/AGENTS.md"] }) }, "is off: 'claudeMdExcludes' in"],
    ["another exclusion", { [local]: data({ claudeMdExcludes: ["**/CLAUDE.md"] }) }, "is on: "],
    ["a CLAUDE.md above", { "/CLAUDE.md": "C." }, "is off: '/CLAUDE.md' is there"],
    ["a hidden one", { "/repo/.claude/CLAUDE.md": "C." }, "is off: '/repo/.claude/CLAUDE.md' is there"],
    ["a local one", { "/repo/sub/CLAUDE.local.md": "C." }, "is off: '/repo/sub/CLAUDE.local.md' is there"],
    ["one that says nothing", { "/repo/CLAUDE.md": "<!-- nothing -->\n" }, "is on: "],
    ["one in another directory", { "/repo/other/CLAUDE.md": "C." }, "is on: "],
    ["settings that are none", { [local]: data(3) }, "is on: "],
  ];
  for (const [what, tree, says] of CASES) {
    test(what, () => {
      const remarks = claudeSettings.remarks!(PLACES, factsOf(tree), []);
      expect(remarks.map(({ text }) => text).join()).toContain(`its own loader of AGENTS.md ${says}`);
      expect(remarks.map(({ kind }) => kind)).not.toContain("attention");
    });
  }
});

test("claude: hooks that are switched off altogether need attention", () => {
  const facts = factsOf({ "/repo/.claude/settings.json": { data: { disableAllHooks: true } } });
  expect(claudeSettings.remarks!(PLACES, facts, [])[0]).toEqual({
    kind: "attention",
    text: "'disableAllHooks' in '/repo/.claude/settings.json' disables all hooks",
  });
});

test("claude: a project's settings are not read in a sub-directory", () => {
  const at: InstalledAt = {
    scope: "project",
    path: "/repo/.claude/settings.json",
    realPath: "/repo/.claude/settings.json",
    handlers: [{ event: "UserPromptSubmit", group: 0, index: 0 }],
  };
  const remarks = (cwd: string, installed: InstalledAt[]) =>
    claudeSettings.remarks!({ ...PLACES, cwd }, factsOf({}), installed)
      .filter(({ text }) => text.includes("sub-directory"))
      .map(({ kind }) => kind);
  expect(remarks("/repo/sub", [at])).toEqual(["attention"]);
  expect(remarks("/repo", [at])).toEqual(["note"]);
  expect(remarks("/repo/sub", [at, { ...at, scope: "local" }])).toEqual([]);
  expect(remarks("/repo/sub", [{ ...at, handlers: [] }])).toEqual([]);
});

describe("codex: trust and approval", () => {
  const path = "/repo/.codex/hooks.json";
  const realPath = "/real/.codex/hooks.json";
  const handlers = [
    { event: "SessionStart", group: 0, index: 1 },
    { event: "PreToolUse", group: 2, index: 0 },
  ];
  const keys = [`${path}:session_start:0:1`, `${path}:pre_tool_use:2:0`];
  const approved = { trusted_hash: "sha256:x" };
  const states = (...values: object[]) => ({ state: Object.fromEntries(values.map((value, at) => [keys[at], value])) });
  const trusted = { "/repo": { trust_level: "trusted" } };
  const CASES: [what: string, config: object | undefined, attention: string[], fine: string[]][] = [
    ["no config", undefined, ["codex does not trust '/repo' yet", "approval not found: run codex"], []],
    ["a trusted project", { projects: trusted }, ["approval not found"], ["codex trusts '/repo'"]],
    [
      "a distrusted one",
      { projects: { "/repo": { trust_level: "untrusted" } } },
      ["codex does not trust '/repo' ('trust_level' in", "approval not found"],
      [],
    ],
    [
      "the directory before the root",
      { projects: { ...trusted, "/repo/sub": { trust_level: "untrusted" } } },
      ["codex does not trust '/repo/sub' (", "approval not found"],
      [],
    ],
    [
      "all approved",
      { projects: trusted, hooks: states(approved, approved) },
      [],
      ["codex trusts '/repo'", "an approval is recorded for 2 hooks"],
    ],
    [
      "all approved, by the name without links",
      {
        projects: { "/real": { trust_level: "trusted" } },
        hooks: { state: Object.fromEntries(keys.map((key) => [key.replace("/repo", "/real"), approved])) },
      },
      [],
      ["codex trusts '/real'", "an approval is recorded"],
    ],
    [
      "some approved",
      { projects: trusted, hooks: states(approved) },
      [`approval not found for 1 of 2 hooks in '${path}': run codex`],
      ["codex trusts"],
    ],
    [
      "one switched off",
      { projects: trusted, hooks: states(approved, { ...approved, enabled: false }) },
      [`1 of 2 hooks in '${path}' are disabled`],
      ["codex trusts"],
    ],
    [
      "all switched off",
      { projects: trusted, hooks: states(approved, approved), features: { hooks: false } },
      ["'features.hooks' in '/home/u/.codex/config.toml'"],
      ["codex trusts", "an approval"],
    ],
  ];
  for (const [what, config, attention, fine] of CASES) {
    test(what, () => {
      const facts = factsOf({ "/home/u/.codex/config.toml": { data: config } });
      const remarks = codexSettings.remarks!(PLACES, facts, [{ scope: "project", path, realPath, handlers }]);
      const of = (kind: string) => remarks.filter((remark) => remark.kind === kind).map(({ text }) => text);
      expect(of("attention").map((text, at) => text.slice(0, attention[at]?.length))).toEqual(attention);
      expect(of("fine").map((text, at) => text.slice(0, fine[at]?.length))).toEqual(fine);
    });
  }
  test("nothing is said of what is not installed", () => {
    const installed: InstalledAt[] = [{ scope: "project", path, realPath, handlers: [] }];
    expect(codexSettings.remarks!(PLACES, factsOf({}), installed)).toEqual([]);
  });
});
