import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CODELIA, REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { runAtTerminal } from "../support/run-at-terminal.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// How a client asks codelia, chosen by `install` or by the user: through a running server, or a process for each event.

const HOOKS = "home/.codex/hooks.json";
const CONFIG = "home/.codex/config.toml";
const CONFIGS: readonly string[] = [
  "",
  "\n",
  "model = 'x'",
  "model = 'x'\n",
  "# mine\nmodel = 'x' # too\n\n[mcp_servers.other]\ncommand = 'other'\n",
  '[a]\nb = """\n[c]\n"""\n\n\n',
];

const program = (version: string): Entry => ({ text: `#!/bin/sh\necho "codex-cli ${version}"\n`, mode: 0o755 });

function project(files: Readonly<Record<string, Entry>> = {}): TempTree {
  return tempTree({ "home/": dir, "repo/.git/": dir, ...files });
}

function run(tree: TempTree, args: string) {
  const env = { PATH: `${tree.path("bin")}:/usr/bin:/bin` };
  return runCodelia(args.split(" "), { cwd: tree.path("repo"), home: tree.path("home"), env });
}

function quietly(tree: TempTree, args: string): void {
  expect(run(tree, `${args} --yes --quiet`)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
}

/** Each event with the types of its handlers. */
function typesIn(text: string): object {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: { type: string }[] }[]> };
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      groups.flatMap((group) => group.hooks.map(({ type }) => type)).join(),
    ]),
  );
}

const BY_SERVER = {
  SessionStart: "command",
  SubagentStart: "command",
  PostCompact: "mcp_tool",
  UserPromptSubmit: "mcp_tool",
  PreToolUse: "mcp_tool",
  PostToolUse: "mcp_tool",
  Stop: "mcp_tool",
  SubagentStop: "mcp_tool",
  SessionEnd: "command",
};
const BY_COMMAND = Object.fromEntries(Object.keys(BY_SERVER).map((event) => [event, "command"]));

describe("the best channel of the installed client", () => {
  const CASES: [what: string, files: Record<string, Entry>, scope: string, types: object, said: string][] = [
    ["a Codex that has it", { "bin/codex": program("0.169.0") }, "user", BY_SERVER, "hooks ask a running 'codelia mcp'"],
    ["a newer one", { "bin/codex": program("0.170.0-alpha.1") }, "user", BY_SERVER, "Codex 0.170.0: hooks ask a running 'codelia mcp'"],
    ["an older one", { "bin/codex": program("0.168.9") }, "user", BY_COMMAND, "'codex' 0.168.9 is older than 0.169.0"],
    ["none", {}, "user", BY_COMMAND, "'codex' was not found on PATH"],
    ["one that comes with the clone", { "repo/bin/codex": program("9.9.9"), bin: { link: "repo/bin" } }, "user", BY_COMMAND, "not found"],
    ["a file that a team shares", { "bin/codex": program("0.169.0") }, "project", BY_COMMAND, "Codex 0.169.0: each event starts codelia"],
  ]; // prettier-ignore
  test.each(CASES)("with %s", (_, files, scope, types, said) => {
    using tree = project(files);
    const { stderr, exitCode } = run(tree, `install codex --scope ${scope} --yes`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(said);
    expect(stderr).toContain("codelia: start a new session of Codex: one that is running goes on without them\n");
    expect(stderr).toContain(`codelia: 'codelia uninstall codex --scope ${scope}' undoes it\n`);
    const file = scope === "user" ? HOOKS : "repo/.codex/hooks.json";
    expect(typesIn(tree.read(file))).toEqual(types);
    expect(existsSync(tree.path(CONFIG))).toBe(types === BY_SERVER);
  });

  test("`--channel` overrides it, and a client that can't is told", () => {
    using tree = project({ "bin/codex": program("0.169.0") });
    quietly(tree, "install codex --scope user --channel command");
    expect(typesIn(tree.read(HOOKS))).toEqual(BY_COMMAND);
    const { stderr, exitCode } = run(tree, "install gemini --channel mcp --yes");
    expect({ stderr, exitCode }).toEqual({
      stderr: "codelia: '--channel' can't be 'mcp' for gemini; command\n",
      exitCode: 64,
    });
  });
});

describe("the server in Codex's config.toml", () => {
  test("is this program, and gets the variables that codelia reads", () => {
    using tree = project();
    quietly(tree, "install codex --scope user --channel mcp");
    const config = tree.read(CONFIG);
    expect(config).toContain(`[mcp_servers.codelia-hooks]\ncommand = ${JSON.stringify(CODELIA)}\n`);
    expect(config).toContain('args = ["mcp", "--hooks"]\n');
    for (const name of ["XDG_STATE_HOME", "CODELIA_HOME", "CODEX_HOME"]) expect(config).toContain(`"${name}"`);
  });

  test.each(CONFIGS)("uninstall gives back the bytes of %j", (before) => {
    using tree = project({ [CONFIG]: before, [HOOKS]: '{ "hooks": {} }' });
    quietly(tree, "install codex --scope user --channel mcp");
    expect(tree.read(CONFIG)).toStartWith(before);
    const after = tree.read(CONFIG);
    quietly(tree, "install codex --scope user --channel mcp");
    expect(tree.read(CONFIG)).toBe(after);
    quietly(tree, "uninstall codex --scope user");
    expect([tree.read(CONFIG), tree.read(HOOKS)]).toEqual([before, '{ "hooks": {} }']);
  });

  test("where there was no file, none is left", () => {
    using tree = project();
    quietly(tree, "install codex --scope user --channel mcp");
    quietly(tree, "uninstall codex --scope user");
    expect([existsSync(tree.path(CONFIG)), existsSync(tree.path(HOOKS))]).toEqual([false, false]);
  });

  test("what was added behind it stays, with its comments", () => {
    using tree = project({ [CONFIG]: "a = 1\n" });
    quietly(tree, "install codex --scope user --channel mcp");
    tree.write(CONFIG, `${tree.read(CONFIG)}\n# about b\n[b]\nc = 1\n`);
    quietly(tree, "uninstall codex --scope user");
    expect(tree.read(CONFIG)).toBe("a = 1\n\n# about b\n[b]\nc = 1\n");
  });

  test("from commands to the server and back", () => {
    using tree = project({ [CONFIG]: "a = 1\n" });
    quietly(tree, "install codex --scope user --channel command");
    quietly(tree, "install codex --scope user --channel mcp");
    expect(typesIn(tree.read(HOOKS))).toEqual(BY_SERVER);
    quietly(tree, "install codex --scope user --channel command");
    expect([typesIn(tree.read(HOOKS)), tree.read(CONFIG)]).toEqual([BY_COMMAND, "a = 1\n"]);
  });

  const FOREIGN: [what: string, config: string, problem: string][] = [
    ["is no TOML", "a = [", "config.toml' can't be used: line 1: "],
    ["holds something of the user's in our table", "[mcp_servers.codelia-hooks]\ncommand = 'x'\n\n[mcp_servers.codelia-hooks.env]\nA = '1'\n", "written in a way that only you can change"],
    ["writes it inline", "mcp_servers = { codelia-hooks = { command = 'x' } }\n", "written in a way that only you can change"],
  ]; // prettier-ignore
  test.each(FOREIGN)("a file that %s stays as it is", (_, config, problem) => {
    using tree = project({ [CONFIG]: config });
    const { stderr, exitCode } = run(tree, "install codex --scope user --channel mcp --yes");
    expect(stderr).toContain(problem);
    expect([exitCode, tree.read(CONFIG), existsSync(tree.path(HOOKS))]).toEqual([3, config, false]);
  });
});

describe("doctor", () => {
  const doctor = (tree: TempTree) => run(tree, "doctor codex").stdout;

  test("names the channel, and that the server is there", () => {
    using tree = project();
    quietly(tree, "install codex --scope user --channel mcp");
    expect(doctor(tree)).toContain("user     current   ");
    expect(doctor(tree)).toContain(
      "  hooks ask the running server 'codelia-hooks': no process is started for a tool call\n",
    );
    expect(doctor(tree)).toContain(`  program '${CODELIA}' exists\n`);
    expect(doctor(tree)).toMatch(/^ {2}500 events in a running server: \d+\.\d ms each$/m);
    expect(run(tree, "doctor codex --calls 0").stdout).not.toContain("events in a running server");
  });

  test("marks hooks whose server is gone", () => {
    using tree = project();
    quietly(tree, "install codex --scope user --channel mcp");
    tree.remove(CONFIG);
    expect(doctor(tree)).toContain(
      `! hooks call the server 'codelia-hooks', which '${tree.path(CONFIG)}' does not name\n`,
    );
    tree.write(CONFIG, '[mcp_servers.codelia-hooks]\ncommand = "/gone/codelia"\n');
    expect(doctor(tree)).toContain("! program '/gone/codelia' is missing or not executable\n");
  });

  test("marks a call that was changed by hand", () => {
    using tree = project();
    quietly(tree, "install codex --scope user --channel mcp");
    tree.write(HOOKS, tree.read(HOOKS).replace('"tool_name": "${tool_name}",', ""));
    expect(doctor(tree)).toContain("! user     stale     ");
  });
});

const CLAUDE = (version: string): Entry => ({ text: `#!/bin/sh\necho "${version} (Claude Code)"\n`, mode: 0o755 });
const SETTINGS = "home/.claude/settings.json";
const LOCAL = "repo/.claude/settings.local.json";
const PLUGIN = "home/.local/state/codelia/claude";

describe("Claude Code's plugin", () => {
  const BEST: [what: string, files: Record<string, Entry>, scope: string, expected: string][] = [
    ["has modules", { "bin/claude": CLAUDE("2.1.326") }, "user", "a module in the client gives starts"],
    ["has just got them", { "bin/claude": CLAUDE("2.1.287") }, "local", "a module in the client gives starts"],
    ["has none yet", { "bin/claude": CLAUDE("2.1.286") }, "user", "'claude' 2.1.286 is older than 2.1.287"],
    ["is not there", {}, "user", "'claude' was not found on PATH"],
    [
      "is others' too",
      { "bin/claude": CLAUDE("2.1.326") },
      "project",
      "Claude Code 2.1.326: each event starts codelia",
    ],
  ];
  test.each(BEST)("for a client that %s", (_, files, scope, expected) => {
    using tree = project(files);
    const { stderr, exitCode } = run(tree, `install claude --scope ${scope} --yes`);
    expect([exitCode, stderr.includes(expected)]).toEqual([0, true]);
  });

  test("is named in the settings, and in a directory of the user's own", () => {
    using tree = project();
    quietly(tree, "install claude --scope user --channel mod");
    expect(JSON.parse(tree.read(SETTINGS))).toEqual({
      extraKnownMarketplaces: { "codelia-local": { source: { source: "directory", path: tree.path(PLUGIN) } } },
      enabledPlugins: { "codelia@codelia-local": true },
    });
    const { modules, hooks } = JSON.parse(tree.read(`${PLUGIN}/codelia/hooks/hooks.json`));
    expect(modules).toEqual(["./register.ts"]);
    // What remains for a client that refuses the module.
    const types = Object.entries(typesIn(JSON.stringify({ hooks })));
    const commands = types.filter(([, type]) => type !== "mcp_tool");
    expect([commands, types.length]).toEqual([
      [
        ["SessionStart", "command"],
        ["SessionEnd", "command"],
      ],
      9,
    ]);
    expect(tree.read(`${PLUGIN}/codelia/hooks/register.ts`)).toContain(`const PROGRAM = ["${CODELIA}"];\n`);
    const server = { command: CODELIA, args: ["mcp", "--hooks"] };
    expect(JSON.parse(tree.read(`${PLUGIN}/codelia/.mcp.json`))).toEqual({ mcpServers: { hooks: server } });
    quietly(tree, "uninstall claude --scope user");
    expect([existsSync(tree.path(SETTINGS)), existsSync(tree.path(`${PLUGIN}/codelia/.mcp.json`))]).toEqual([
      false,
      false,
    ]);
  });

  const BEFORE: readonly string[] = [
    "{}",
    "{}\n",
    '{ "model": "x" }\n',
    '{\n    "model": "x", // mine\n    "enabledPlugins": { "other@there": true }\n}\n',
    '{"extraKnownMarketplaces":{"there":{"source":{"source":"github","repo":"a/b"}}},"hooks":{"Stop":[]}}',
    '{\n  "enabledPlugins": {}\n}\n',
  ];
  test.each(BEFORE)("uninstall gives back the bytes of %j", (before) => {
    using tree = project({ [SETTINGS]: before, [LOCAL]: before });
    for (const [scope, file] of [
      ["user", SETTINGS],
      ["local", LOCAL],
    ] as const) {
      quietly(tree, `install claude --scope ${scope} --channel mod`);
      expect(tree.read(file)).toContain('"codelia@codelia-local"');
      const installed = tree.read(file);
      quietly(tree, `install claude --scope ${scope} --channel mod`);
      expect(tree.read(file)).toBe(installed);
      quietly(tree, `uninstall claude --scope ${scope}`);
      expect(tree.read(file)).toBe(before);
    }
  });

  test("from commands to the module, to the server and back", () => {
    const before = '{ "model": "x" }\n';
    using tree = project({ [SETTINGS]: before });
    quietly(tree, "install claude --scope user --channel command");
    quietly(tree, "install claude --scope user --channel mod");
    expect(Object.keys(JSON.parse(tree.read(SETTINGS)))).toEqual(["model", "extraKnownMarketplaces", "enabledPlugins"]);
    quietly(tree, "install claude --scope user --channel mcp");
    expect(existsSync(tree.path(`${PLUGIN}/codelia/hooks/register.ts`))).toBe(false);
    const { hooks } = JSON.parse(tree.read(`${PLUGIN}/codelia/hooks/hooks.json`));
    expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({
      type: "mcp_tool",
      server: "plugin:codelia:hooks",
      tool: "hook_event",
    });
    expect([hooks.SessionStart[0].hooks.length, hooks.SubagentStart[0].hooks[7].input.part]).toEqual([16, "8/8"]);
    quietly(tree, "install claude --scope user --channel command");
    expect(Object.keys(JSON.parse(tree.read(SETTINGS)))).toEqual(["model", "hooks"]);
    quietly(tree, "uninstall claude --scope user");
    expect(tree.read(SETTINGS)).toBe(before);
  });

  test("a file that a team shares can't name it", () => {
    using tree = project();
    const { stderr, exitCode } = run(tree, "install claude --scope project --channel mod --yes");
    expect([exitCode, stderr]).toEqual([
      64,
      "codelia: '--channel mod' needs files of your own: use '--scope local' or '--scope user'\n",
    ]);
  });

  test("doctor knows it current, and marks one that is off, changed, or too new for the client", () => {
    using tree = project({ "bin/claude": CLAUDE("2.1.326") });
    quietly(tree, "install claude --scope user");
    const shown = () => run(tree, "doctor claude").stdout;
    expect(shown()).toContain("  user     current   ");
    expect(shown()).toContain(
      "  a module in the client gives starts, hooks ask a running 'codelia mcp': no process is started for a tool call\n",
    );
    tree.write(`${PLUGIN}/codelia/hooks/register.ts`, "export const register = () => {};\n");
    expect(shown()).toContain("! user     stale     ");
    quietly(tree, "install claude --scope user");
    tree.write(
      SETTINGS,
      tree.read(SETTINGS).replace('"codelia@codelia-local": true', '"codelia@codelia-local": false'),
    );
    expect(shown()).toContain("its plugin is off, or another one");
    quietly(tree, "install claude --scope user");
    tree.write("bin/claude", "#!/bin/sh\necho 2.1.200\n");
    expect(shown()).toContain("! 'claude' 2.1.200 is older than 2.1.287: run 'codelia install claude' again\n");
  });

  test("the module in the program is that of the plugin's folder", () => {
    using tree = project();
    quietly(tree, "install claude --scope user --channel mod");
    const source = readFileSync(join(REPOSITORY, "hooks/plugin/mod/hooks/register.ts"), "utf8");
    const written = tree.read(`${PLUGIN}/codelia/hooks/register.ts`);
    expect(written).toBe(source.replace('["codelia"]', `["${CODELIA}"]`));
  });
});

test("doctor says when a session last began and how, and marks a module that was passed over", () => {
  using tree = project({ "repo/AGENTS.md": "Rules.\n" });
  quietly(tree, "install claude --scope user --channel mod");
  const shown = () => run(tree, "doctor claude").stdout;
  expect(shown()).toContain("  no session has begun with it yet\n");
  const event = { session_id: "s", cwd: tree.path("repo"), hook_event_name: "SessionStart", source: "startup" };
  const begin = (...flags: readonly string[]) => {
    const stdin = JSON.stringify(event);
    runCodelia(["hook", "claude", ...flags], { cwd: tree.path("repo"), home: tree.path("home"), stdin });
  };
  begin("--mod");
  expect(shown()).toMatch(/^ {2}a session last began with it \d{4}-\d\d-\d\d \d\d:\d\d UTC, by 'mod'$/m);
  expect(shown()).not.toContain("!");
  begin("--part", "1/2");
  expect(shown()).toContain("! Claude Code did not run its module then: hooks gave the start in its place");
});

describe("a settings file that the client itself refuses", () => {
  const HOOK = (type: string) => JSON.stringify({ hooks: { Stop: [{ hooks: [{ type, url: "http://127.0.0.1/" }] }] } });
  const REFUSED: [client: string, text: string, why: string][] = [
    ["claude", '{\n  // mine\n  "model": "x"\n}\n', "Claude Code ignores a settings file with a comment or a trailing comma"],
    ["claude", '{ "model": "x", }\n', "Claude Code ignores a settings file with a comment or a trailing comma"],
    ["codex", '\uFEFF{ "hooks": {} }\n', "Codex rejects a settings file with a byte order mark"],
    ["codex", '{ "$schema": "x", "hooks": {} }\n', "Codex rejects a settings file with '$schema'"],
    ["codex", HOOK("http"), "Codex rejects a settings file with a hook of type 'http'"],
  ]; // prettier-ignore
  const CASES = REFUSED.flatMap(([client, text, why]) =>
    (client === "claude" ? ["command", "mod"] : ["command", "mcp"]).map((channel) => ({ client, text, why, channel })),
  );
  test.each(CASES)("$client by $channel: $text", ({ client, text, why, channel }) => {
    const file = client === "claude" ? SETTINGS : HOOKS;
    const isOurs = why.includes("of type");
    using tree = project({ [file]: text });
    const { stderr } = run(tree, `install ${client} --scope user --channel ${channel} --yes`);
    const way = "'--mend' takes it out of the file, 'codelia uninstall' puts it back";
    const said = isOurs ? `remove it from '${tree.path(file)}'` : way;
    expect(stderr).toContain(`none of this works yet: ${why}; ${said}\n`);
    const { stdout, exitCode } = run(tree, `doctor ${client} --calls 0`);
    const mend = isOurs ? "" : `: 'codelia install ${client} --scope user --mend' takes it out`;
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(`! '${tree.path(file)}': ${why}${mend}\n`)]);
    quietly(tree, `uninstall ${client} --scope user`);
    expect(tree.read(file)).toBe(text);
  });

  const MENDABLE = CASES.filter(({ why }) => !why.includes("of type"));
  test.each(MENDABLE)(
    "$client by $channel: $text is mended on request, and uninstall gives the bytes back",
    (given) => {
      const { client, text, channel } = given;
      const file = client === "claude" ? SETTINGS : HOOKS;
      using tree = project({ [file]: text });
      for (const flags of ["", " --mend", " --mend"]) {
        run(tree, `install ${client} --scope user --channel ${channel} --yes${flags}`);
      }
      expect(run(tree, `doctor ${client} --calls 0`).stdout).not.toContain(`! '${tree.path(file)}'`);
      expect(() => JSON.parse(tree.read(file))).not.toThrow();
      expect(JSON.parse(tree.read(file))).not.toHaveProperty("$schema");
      quietly(tree, `uninstall ${client} --scope user`);
      expect(tree.read(file)).toBe(text);
      expect(readdirSync(tree.path("home/.local/state/codelia/mended"))).toEqual([]);
    },
  );

  test("one that was mended and then edited stays as it was edited", () => {
    using tree = project({ [SETTINGS]: '{\n  "model": "x", // mine\n}\n' });
    run(tree, "install claude --scope user --channel command --yes --mend");
    tree.write(SETTINGS, tree.read(SETTINGS).replace('"x"', '"y"'));
    quietly(tree, "uninstall claude --scope user");
    expect(tree.read(SETTINGS)).toBe('{\n  "model": "y"\n}\n');
  });

  test("at a terminal it asks first, and a no leaves the file to the user", async () => {
    const text = '{ "model": "x", }\n';
    using tree = project({ [SETTINGS]: text });
    const args = ["install", "claude", "--scope", "user", "--channel", "command"];
    const ask = (typed: string[]) => runAtTerminal(args, { cwd: tree.path("repo"), home: tree.path("home"), typed });
    const refused = await ask(["n\n", "n\n"]);
    expect(refused.shown).toContain(`Take that out of ${tree.path(SETTINGS)}? 'codelia uninstall' puts it back. [y]es, [N]o n\n`);
    expect([refused.exitCode, tree.read(SETTINGS)]).toEqual([1, text]);
    const { exitCode, shown } = await ask(["y\n", "d\n", "y\n"]);
    expect([exitCode, shown]).toEqual([0, expect.stringContaining('\n-{ "model": "x", }\n')]);
    expect(JSON.parse(tree.read(SETTINGS))).toMatchObject({ model: "x", hooks: {} });
    quietly(tree, "uninstall claude --scope user");
    expect(tree.read(SETTINGS)).toBe(text);
  }); // prettier-ignore

  test("one that it takes is called fine", () => {
    using tree = project({ [SETTINGS]: '{ "model": "x" }\n', [HOOKS]: HOOK("prompt") });
    for (const client of ["claude", "codex"]) {
      expect(run(tree, `install ${client} --scope user --yes`).stderr).not.toContain("none of this works");
    }
  });
});
