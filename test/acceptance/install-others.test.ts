import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Our hooks in the files of clients that are known from their documentation.

const GUARDED = "command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook";
const OWN = `'${CODELIA}' hook`;

function project(files: Readonly<Record<string, Entry>> = {}): TempTree {
  return tempTree({ "home/": dir, "repo/.git/": dir, "repo/sub/": dir, ...files });
}

function run(tree: TempTree, args: string) {
  return runCodelia(args.split(" "), { cwd: tree.path("repo/sub"), home: tree.path("home") });
}

function quietly(tree: TempTree, args: string): void {
  expect(run(tree, `${args} --yes --quiet`)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
}

const group = (call: string, timeout: number, matcher?: string) => [
  { ...(matcher && { matcher }), hooks: [{ type: "command", command: call, timeout }] },
];
const typed = (command: string) => [{ type: "command", command, timeout: 10 }];
const plain = (command: string) => [{ command, timeout: 10 }];

/** Such a file as each client's documentation shows it. */
const FILES: [client: string, project: string, user: string, content: (call: string) => object][] = [
  [
    "gemini",
    ".gemini/settings.json",
    ".gemini/settings.json",
    (call) => ({
      hooks: {
        SessionStart: group(call, 10_000),
        BeforeAgent: group(call, 10_000),
        AfterTool: group(call, 10_000, "*"),
        SessionEnd: group(call, 10_000),
      },
    }),
  ],
  [
    "qwen",
    ".qwen/settings.json",
    ".qwen/settings.json",
    (call) => ({
      hooks: {
        SessionStart: group(call, 10_000),
        SubagentStart: group(call, 10_000),
        PostCompact: group(call, 10_000),
        UserPromptSubmit: group(call, 10_000),
        PostToolUse: group(call, 10_000, "*"),
        SubagentStop: group(call, 10_000),
        SessionEnd: group(call, 1000),
      },
    }),
  ],
  [
    "vscode",
    ".github/hooks/codelia.json",
    ".copilot/hooks/codelia.json",
    (call) => ({
      hooks: {
        SessionStart: typed(call),
        SubagentStart: typed(call),
        PreCompact: typed(call),
        PreToolUse: typed(call),
        PostToolUse: typed(call),
        SubagentStop: typed(call),
      },
    }),
  ],
  [
    "copilot",
    ".github/hooks/codelia-copilot.json",
    ".copilot/hooks/codelia-copilot.json",
    (call) => ({
      version: 1,
      hooks: {
        sessionStart: typed(`${call} --part whole`),
        subagentStart: typed(`${call} --part whole`),
        userPromptSubmitted: typed(call),
        postToolUse: typed(call),
        preCompact: typed(call),
        subagentStop: typed(call),
        sessionEnd: typed(call),
      },
    }),
  ],
  [
    "cursor",
    ".cursor/hooks.json",
    ".cursor/hooks.json",
    (call) => ({
      version: 1,
      hooks: {
        sessionStart: plain(call),
        postToolUse: plain(call),
        preCompact: plain(call),
        sessionEnd: plain(call),
      },
    }),
  ],
];

describe.each(FILES)("%s", (client, inProject, ofUser, content) => {
  const PLACES: [scope: string, path: string, call: string][] = [
    ["project", `repo/${inProject}`, `${GUARDED} ${client}`],
    ["user", `home/${ofUser}`, `${OWN} ${client}`],
  ];
  test.each(PLACES)("at %s level: written as documented, twice is once, and gone again", (scope, path, call) => {
    using tree = project();
    const before = readdirSync(tree.path("repo"));
    quietly(tree, `install ${client} --scope ${scope}`);
    const text = tree.read(path);
    expect(JSON.parse(text)).toEqual(content(call));
    tree.touch(path, 1_700_000_000_000);
    expect(run(tree, `install ${client} --scope ${scope}`).exitCode).toBe(0);
    expect(Math.floor(statSync(tree.path(path)).mtimeMs)).toBe(1_700_000_000_000);
    quietly(tree, `uninstall ${client} --scope ${scope}`);
    expect(existsSync(tree.path(path))).toBe(false);
    expect(readdirSync(tree.path("repo"))).toEqual(before);
  });

  test("comments, order and other hooks stay, and uninstalling gives back the bytes", () => {
    const other = ["vscode", "cursor", "copilot"].includes(client) ? '{ "command": "./x.sh" }' : '{ "hooks": [] }';
    const event = client === "cursor" || client === "copilot" ? "sessionStart" : "SessionStart";
    const text = `{\n    // mine\n    "version": 1, "theme": "dark",\n    "hooks": {\n        "${event}": [${other}], // one\n    }\n}`;
    using tree = project({ [`repo/${inProject}`]: text });
    quietly(tree, `install ${client}`);
    const installed = tree.read(`repo/${inProject}`);
    expect(installed).toStartWith(
      `{\n    // mine\n    "version": 1, "theme": "dark",\n    "hooks": {\n        "${event}": [`,
    );
    expect(installed).toContain(other);
    quietly(tree, `install ${client}`);
    expect(tree.read(`repo/${inProject}`)).toBe(installed);
    quietly(tree, `uninstall ${client}`);
    expect(tree.read(`repo/${inProject}`)).toBe(text);
  });

  test("doctor knows it current, edited and stale, and calls it", () => {
    using tree = project();
    quietly(tree, `install ${client} --scope user`);
    const states = () => {
      const { hosts } = JSON.parse(run(tree, `doctor ${client} --calls 1 --json`).stdout);
      return [hosts[0].scopes.map(({ state }: { state: string }) => state), hosts[0].calls.length];
    };
    const path = `home/${ofUser}`;
    const text = tree.read(path);
    expect(states()).toEqual([["absent", "current"], 1]);
    expect(run(tree, `doctor ${client} --calls 1`).exitCode).toBe(0);
    tree.write(path, text.replaceAll(CODELIA, "/elsewhere/codelia"));
    expect(states()).toEqual([["absent", "stale"], 0]);
    quietly(tree, `install ${client} --scope user`);
    expect(tree.read(path)).toBe(text);
    tree.write(path, text.replace(/"timeout": \d+/, '"timeout": 7'));
    expect(states()[0]).toEqual(["absent", "edited"]);
    expect(run(tree, `install ${client} --scope user --yes`).stderr).toContain(
      "was edited by hand (timeout 7 instead of ",
    );
    quietly(tree, `install ${client} --scope user --force`);
    expect(tree.read(path)).toBe(text);
  });
});

const SCRIPTS: [client: string, project: string, user: string, names: string[]][] = [
  ["opencode", ".opencode/plugins", ".config/opencode/plugins", ["codelia.ts"]],
  ["kilo", ".kilo/plugins", ".config/kilo/plugins", ["codelia.ts"]],
  ["pi", ".pi/extensions", ".pi/agent/extensions", ["codelia.ts"]],
  ["cline", ".clinerules/hooks", "Documents/Cline/Hooks", ["PostToolUse", "PreCompact", "PreToolUse", "TaskStart"]],
];

/** A plugin starts the program without a shell. */
function callOf(client: string, program: string, inShell: string): string {
  return client === "cline" ? `${inShell} cline` : `[${JSON.stringify(program)}, "hook", "${client}"]`;
}

describe.each(SCRIPTS)("%s", (client, inProject, ofUser, names) => {
  const PLACES: [scope: string, path: string, call: string][] = [
    ["project", `repo/${inProject}`, callOf(client, "codelia", GUARDED)],
    ["user", `home/${ofUser}`, callOf(client, CODELIA, OWN)],
  ];
  test.each(PLACES)("at %s level: scripts of ours, twice is once, and gone again", (scope, path, call) => {
    using tree = project({ "repo/.clinerules/mine.md": "Mine.\n" });
    quietly(tree, `install ${client} --scope ${scope}`);
    expect(readdirSync(tree.path(path)).toSorted()).toEqual(names);
    for (const name of names) expect(tree.read(join(path, name))).toContain(call);
    expect(run(tree, `install ${client} --scope ${scope}`).stderr).toContain(`'${tree.path(path)}' is up to date\n`);
    quietly(tree, `uninstall ${client} --scope ${scope}`);
    expect(readdirSync(tree.path("repo")).toSorted()).toEqual([".clinerules", ".git", "sub"]);
    expect(readdirSync(tree.path("repo/.clinerules"))).toEqual(["mine.md"]);
  });

  test("another program's file of that name stays, and nothing else is written", () => {
    const [name = ""] = names.toReversed();
    using tree = project({ [`repo/${inProject}/${name}`]: "#!/bin/sh\necho mine\n" });
    const { stderr, exitCode } = run(tree, `install ${client} --yes --force`);
    expect(stderr).toContain(`'${tree.path("repo", inProject, name)}' can't be used: it belongs to another program`);
    expect(exitCode).toBe(3);
    expect(readdirSync(tree.path("repo", inProject))).toEqual([name]);
    expect(run(tree, `uninstall ${client} --yes`).exitCode).toBe(0);
    expect(tree.read(`repo/${inProject}/${name}`)).toBe("#!/bin/sh\necho mine\n");
  });

  test("what was edited by hand stays, unless told otherwise; another program's path is brought up to date", () => {
    using tree = project();
    const path = `home/${ofUser}/${names[0]}`;
    quietly(tree, `install ${client} --scope user`);
    const text = tree.read(path);
    const state = () => JSON.parse(run(tree, `doctor ${client} --calls 1 --json`).stdout).hosts[0].scopes[1].state;
    expect(state()).toBe("current");
    tree.write(path, text.replace(CODELIA, "/elsewhere/co'delia"));
    expect(state()).toBe("edited");
    tree.write(path, text.replace(CODELIA, "/elsewhere/codelia"));
    expect(state()).toBe("stale");
    quietly(tree, `install ${client} --scope user`);
    expect(tree.read(path)).toBe(text);
    tree.write(path, `${text}# mine\n`);
    expect(state()).toBe("edited");
    expect(run(tree, `install ${client} --scope user --yes`).stderr).toContain("was edited by hand");
    expect(tree.read(path)).toBe(`${text}# mine\n`);
    expect(run(tree, `uninstall ${client} --scope user --yes`).exitCode).toBe(3);
    quietly(tree, `install ${client} --scope user --force`);
    expect(tree.read(path)).toBe(text);
  });

  test("--dry-run shows each file and writes none", () => {
    using tree = project();
    const { stdout, exitCode } = run(tree, `install ${client} --dry-run`);
    for (const name of names) expect(stdout).toContain(`+++ ${tree.path("repo", inProject, name)}\n`);
    expect(exitCode).toBe(0);
    expect(readdirSync(tree.path("repo")).toSorted()).toEqual([".git", "sub"]);
  });
});

test.each([
  ["kimi", "twice"],
  ["cline", "twice"],
  ["qwen", "once"],
  ["pi", "once"],
])("install says how often a tool call starts codelia: %s, %s", (client, often) => {
  using tree = project();
  expect(run(tree, `install ${client} --scope user --yes`).stderr).toContain(
    `codelia: each event starts codelia, a tool call ${often}\n`,
  );
});

test("cline's scripts can be run, and answer", () => {
  using tree = project({ "repo/app/AGENTS.md": "App rules.\n", "repo/app/x.ts": "" });
  quietly(tree, "install cline --scope user");
  const input = JSON.stringify({
    hookName: "PreToolUse",
    taskId: "t",
    workspaceRoots: [tree.path("repo")],
    preToolUse: { toolName: "read_file", parameters: { path: "app/x.ts" } },
  });
  const options = { input, encoding: "utf8", env: { HOME: tree.path("home"), PATH: "/usr/bin:/bin" } } as const;
  const { stdout, status } = spawnSync(tree.path("home/Documents/Cline/Hooks/PreToolUse"), [], options);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ cancel: false, contextModification: expect.stringContaining("app/AGENTS.md") });
});
