import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { END_OF_INPUT, runAtTerminal } from "../support/run-at-terminal.ts";
import { CODELIA, runCodelia, startCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Our hooks in a client's settings: installed and removed.

const LOCAL = "repo/.claude/settings.local.json";
const PROJECT = "repo/.claude/settings.json";
const USER = "home/.claude/settings.json";
const CODEX = "repo/.codex/hooks.json";
const CLIENTS = "claude codex gemini qwen vscode cursor opencode kilo copilot cline kimi".split(" ");
const FOREIGN = `// mine
{
    "permissions": { "allow": ["Bash(ls:*)",] }, // some
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./lint.sh" }] } // lint
        ],
        "Stop": []
        /* the end */
    }
}`;

function project(files: Readonly<Record<string, Entry>> = {}): TempTree {
  return tempTree({ "home/": dir, "repo/.git/": dir, "repo/sub/": dir, ...files });
}

function run(tree: TempTree, args: string, cwd = "repo", env: Readonly<Record<string, string>> = {}) {
  return runCodelia(args.split(" "), { cwd: tree.path(cwd), home: tree.path("home"), env });
}

function quietly(tree: TempTree, args: string, cwd = "repo"): void {
  expect(run(tree, `${args} --yes --quiet`, cwd)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
}

/** Each event with the commands that are registered for it. */
function commandsIn(text: string): string[][] {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
  const found: string[][] = [];
  for (const [event, groups] of Object.entries(hooks)) {
    found.push([event, ...groups.flatMap((group) => group.hooks.map(({ command }) => command))]);
  }
  return found;
}

describe("install", () => {
  const CASES: [args: string, file: string, call: string][] = [
    ["install claude", LOCAL, `'${CODELIA}' hook claude`],
    ["install claude --scope local", LOCAL, `'${CODELIA}' hook claude`],
    ["install claude --scope user", USER, `'${CODELIA}' hook claude`],
    [
      "install claude --scope project",
      PROJECT,
      "command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook claude",
    ],
    ["install codex", CODEX, "command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook codex"],
    ["install codex --scope user", "home/.codex/hooks.json", `'${CODELIA}' hook codex`],
  ];
  for (const [args, file, call] of CASES) {
    test(`${args} writes ${file}, and uninstall removes it`, () => {
      using tree = project();
      const { stdout, stderr, exitCode } = run(tree, `${args} --yes`, "repo/sub");
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
      expect(stderr).toStartWith(`codelia: wrote '${tree.path(file)}'\n`);
      const isCodex = call.includes("codex");
      const parts = (count: number) =>
        isCodex
          ? [`${call} --part whole`]
          : Array.from({ length: count }, (_, at) => `${call} --part ${at + 1}/${count}`);
      expect(commandsIn(tree.read(file))).toEqual([
        ["SessionStart", ...parts(16)],
        ["SubagentStart", ...parts(8)],
        ...[
          ...(isCodex ? ["PostCompact"] : []),
          "UserPromptSubmit",
          "PreToolUse",
          "PostToolUse",
          ...(isCodex ? [] : ["PostToolUseFailure"]),
          "Stop",
          "SubagentStop",
          "SessionEnd",
        ].map((event) => [event, call]),
      ]);
      quietly(tree, args.replace("install", "uninstall"));
      expect(existsSync(tree.path(file))).toBe(false);
      expect(readdirSync(tree.path("repo")).toSorted()).toEqual([".git", "sub"]);
    });
  }

  test("keeps comments, order, other hooks and the file's mode; uninstall gives back the bytes", () => {
    using tree = project({ [LOCAL]: { text: `\uFEFF${FOREIGN}`, mode: 0o600 } });
    quietly(tree, "install claude");
    const installed = tree.read(LOCAL);
    expect(installed).toStartWith(`\uFEFF// mine\n{\n    "permissions": { "allow": ["Bash(ls:*)",] }, // some\n`);
    expect(installed).toContain(
      '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./lint.sh" }] }, // lint\n',
    );
    expect(statSync(tree.path(LOCAL)).mode & 0o777).toBe(0o600);
    quietly(tree, "uninstall claude");
    expect(tree.read(LOCAL)).toBe(`\uFEFF${FOREIGN}`);
    expect(statSync(tree.path(LOCAL)).mode & 0o777).toBe(0o600);
    expect(readdirSync(tree.path("repo/.claude"))).toEqual(["settings.local.json"]);
  });

  test("writes nothing when nothing changes, and asks nobody", () => {
    using tree = project();
    quietly(tree, "install claude");
    tree.touch(LOCAL, 1_700_000_000_000);
    expect(run(tree, "install claude").exitCode).toBe(0);
    expect(Math.floor(statSync(tree.path(LOCAL)).mtimeMs)).toBe(1_700_000_000_000);
    expect(run(tree, "uninstall claude --scope user")).toEqual({
      stdout: "",
      stderr: `codelia: '${tree.path(USER)}' has no hooks of codelia\n`,
      exitCode: 0,
    });
  });

  test("names the program as it was called, by path or by PATH, so that an update may move the link", () => {
    using tree = project({ "bin/codelia": { link: CODELIA } });
    const call = `'${tree.path("bin/codelia")}' hook claude`;
    const options = { cwd: tree.path("repo"), home: tree.path("home") };
    runCodelia(["install", "claude", "--yes"], { ...options, binary: tree.path("bin/codelia") });
    expect(commandsIn(tree.read(LOCAL)).at(-1)).toEqual(["SessionEnd", call]);
    const env = { PATH: `${tree.path("bin")}:/usr/bin:/bin` };
    spawnSync("sh", ["-c", "codelia install claude --yes --scope user"], {
      cwd: options.cwd,
      env: { ...env, HOME: options.home },
    });
    expect(commandsIn(tree.read(USER)).at(-1)).toEqual(["SessionEnd", call]);
  });

  test("narrows what an earlier version asked of every tool", () => {
    using tree = project();
    quietly(tree, "install claude");
    const now = tree.read(LOCAL);
    const [matcher = ""] = /"matcher": "[^"]*"/.exec(now) ?? [];
    tree.write(LOCAL, now.replaceAll(matcher, '"matcher": "*"'));
    const { stdout } = run(tree, "doctor claude --calls 0");
    expect(stdout).toContain("! local    stale     ");
    expect(stdout).toContain("PreToolUse, PostToolUse: matches tools that touch no file\n");
    quietly(tree, "install claude");
    expect(tree.read(LOCAL)).toBe(now);
  });

  test("brings another program's hooks up to date, and keeps what was edited unless told otherwise", () => {
    using tree = project({ "bin/codelia": { link: CODELIA } });
    const options = { cwd: tree.path("repo"), home: tree.path("home") };
    runCodelia(["install", "claude", "--yes"], { ...options, binary: tree.path("bin/codelia") });
    tree.write(LOCAL, tree.read(LOCAL).replace('"timeout": 1\n', '"timeout": 2\n'));
    const { stderr, exitCode } = run(tree, "install claude --yes");
    expect(stderr).toContain(
      "codelia: 'SessionEnd' was edited by hand (timeout 2 instead of 1) and is kept; '--force' replaces it\n",
    );
    expect(exitCode).toBe(0);
    const commands = Object.fromEntries(commandsIn(tree.read(LOCAL)).map(([event, first]) => [event, first]));
    expect(commands["SubagentStop"]).toBe(`'${CODELIA}' hook claude`);
    expect(commands["SessionEnd"]).toBe(`'${tree.path("bin/codelia")}' hook claude`);
    quietly(tree, "install claude --force");
    quietly(tree, "uninstall claude");
    expect(existsSync(tree.path(LOCAL))).toBe(false);
  });

  test("--dry-run prints the diff and writes nothing", () => {
    using tree = project({ [LOCAL]: '{\n  "model": "x"\n}\n' });
    const { stdout, exitCode } = run(tree, "install claude --dry-run");
    expect(exitCode).toBe(0);
    const path = tree.path(LOCAL);
    expect(stdout).toStartWith(
      `--- ${path}\n+++ ${path}\n@@ -1,3 +1,217 @@\n {\n-  "model": "x"\n+  "model": "x",\n+  "hooks": {\n`,
    );
    expect(tree.read(LOCAL)).toBe('{\n  "model": "x"\n}\n');
    const json = JSON.parse(run(tree, "install claude --dry-run --json").stdout);
    expect(json).toMatchObject({ host: "claude", scope: "local", path, action: "would-change", diff: stdout });
  });

  test("--json says what was done", () => {
    using tree = project();
    const actions = ["install claude --yes", "install claude", "uninstall claude --yes", "uninstall claude"].map(
      (args) => JSON.parse(run(tree, `${args} --json`).stdout).action,
    );
    expect(actions).toEqual(["written", "unchanged", "removed", "unchanged"]);
  });

  test("a linked file is written where it is", () => {
    using tree = project({
      "home/dotfiles/claude.json": "{}\n",
      [USER]: { link: "../dotfiles/claude.json" },
    });
    quietly(tree, "install claude --scope user");
    expect(lstatSync(tree.path(USER)).isSymbolicLink()).toBe(true);
    expect(tree.read("home/dotfiles/claude.json")).toContain("hook claude");
    quietly(tree, "uninstall claude --scope user");
    expect(tree.read("home/dotfiles/claude.json")).toBe("{}\n");
  });

  test("four at once are one", async () => {
    using tree = project({ [LOCAL]: FOREIGN });
    const results = await Promise.all(
      [1, 2, 3, 4].map(() =>
        startCodelia(["install", "claude", "--yes"], { cwd: tree.path("repo"), home: tree.path("home") }),
      ),
    );
    expect(results.every(({ exitCode, stderr }) => exitCode === 0 || stderr.includes("it has just changed"))).toBe(
      true,
    );
    const installed = tree.read(LOCAL);
    quietly(tree, "install claude");
    expect(tree.read(LOCAL)).toBe(installed);
    quietly(tree, "uninstall claude");
    expect(tree.read(LOCAL)).toBe(FOREIGN);
    expect(readdirSync(tree.path("repo/.claude"))).toEqual(["settings.local.json"]);
  });
});

describe("what is refused", () => {
  const USAGE: [args: string, message: string, exitCode?: number][] = [
    ["install", `'codelia install' needs a client: ${CLIENTS.join(", ")} or pi`],
    ["uninstall", `'codelia uninstall' needs a client: ${CLIENTS.join(", ")} or pi`],
    ["install claud", "unknown client 'claud', did you mean 'claude'?", 1],
    ["install codex --scope local", "'--scope' can't be 'local' for codex; one of project, user"],
    ["install claude --scope all", "'--scope' can't be 'all'; one of local, project, user"],
    ["doctor emacs", `unknown client 'emacs'; one of ${CLIENTS.join(", ")}, pi`, 1],
    ["doctor --calls many", "'--calls' can't be 'many'; a number up to 1000"],
  ];
  for (const [args, message, exitCode = 64] of USAGE) {
    test(args, () => {
      using tree = project();
      expect(run(tree, args)).toEqual({ stdout: "", stderr: `codelia: ${message}\n`, exitCode });
    });
  }

  test("without a terminal and without --yes nothing is written", () => {
    using tree = project();
    for (const flag of ["", " --json"]) {
      const { stderr, exitCode } = run(tree, `install claude${flag}`);
      expect(exitCode).toBe(64);
      expect(stderr).toBe(
        `codelia: '${tree.path(LOCAL)}' is not changed: not a terminal; pass '--yes' to write, '--dry-run' to see the diff\n`,
      );
    }
    expect(existsSync(tree.path("repo/.claude"))).toBe(false);
  });

  const UNUSABLE: [what: string, entry: Entry, problem: string][] = [
    ["no JSON", '{"hooks": {,}}\n', "line 1: "],
    ["a key twice", '{"a": 1,\n"a": 2}', "line 2: duplicate key 'a'"],
    ["an empty file", "", "it is empty; put {} into it, or remove it"],
    ["a list", "[]", "it is not a JSON object"],
    ["hooks that are no object", '{"hooks": 1}', "its 'hooks' is not an object"],
    ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "it is not UTF-8"],
    ["a link to nothing", { link: "nowhere.json" }, "it is a link to nothing"],
    ["a link out of the project", { link: "../../outside.json" }, "a link leads out of '"],
    ["a pipe", { fifo: true }, "it is not a regular file"],
    ["a directory", { dir: true }, "it is not a regular file"],
  ];
  for (const [what, entry, problem] of UNUSABLE) {
    test(`${what} is not touched`, () => {
      using tree = project({ [LOCAL]: entry, "outside.json": "{}" });
      const { stdout, stderr, exitCode } = run(tree, "install claude --yes");
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 3 });
      expect(stderr).toStartWith(`codelia: '${tree.path(LOCAL)}' can't be used: ${problem}`);
      if (typeof entry === "string") expect(tree.read(LOCAL)).toBe(entry);
      expect(tree.read("outside.json")).toBe("{}");
    });
  }

  test("a project's file is not the user's own", () => {
    using tree = tempTree({ "home/.git/": dir });
    const { stderr, exitCode } = run(tree, "install claude --yes", "home");
    expect({ stderr, exitCode }).toEqual({
      stderr: `codelia: the root '${tree.path("home")}' is your home directory; use '--scope user'\n`,
      exitCode: 64,
    });
  });
});

/** The client accepts it, so there is only one question. */
const ACCEPTED = '{ "permissions": {} }\n';

describe("at a terminal", () => {
  const at = (tree: TempTree, verb: string, typed: string) =>
    runAtTerminal([verb, "claude"], { cwd: tree.path("repo"), home: tree.path("home"), typed: [typed] });

  test("four lines say what it does and how to undo it, the diff is shown on request, and a yes writes", async () => {
    using tree = project();
    const { shown, exitCode } = await runAtTerminal(["install", "claude"], {
      cwd: tree.path("repo"),
      home: tree.path("home"),
      typed: ["d\n", "y\n"],
    });
    expect(exitCode).toBe(0);
    expect(shown.split("\n").slice(0, 5)).toEqual([
      `Install hooks for Claude Code in ${tree.path(LOCAL)}`,
      "  each event starts codelia, a tool call twice ('claude' was not found on PATH)",
      "  start a new session of Claude Code: one that is running goes on without them",
      "  'codelia uninstall claude --scope local' undoes it",
      "Write it? [y]es, [d]iff, [N]o d",
    ]);
    expect(shown).toContain(`--- /dev/null\n+++ ${tree.path(LOCAL)}\n@@ -0,0 +1,216 @@\n+{\n+  "hooks": {\n`);
    expect(shown).toContain("Write it? [y]es, [d]iff, [N]o y\n");
    const removed = await at(tree, "uninstall", "yes\n");
    expect(removed.exitCode).toBe(0);
    expect(removed.shown).toContain("Uninstall hooks of Claude Code in ");
    expect(existsSync(tree.path(LOCAL))).toBe(false);
  });

  for (const [what, typed] of [
    ["an empty line", "\n"],
    ["'n'", "n\n"],
    ["the end of the input", END_OF_INPUT],
  ] as const) {
    test(`${what} is a no`, async () => {
      using tree = project({ [LOCAL]: ACCEPTED });
      const { shown, exitCode } = await at(tree, "install", typed);
      expect(exitCode).toBe(1);
      expect(shown).toEndWith(`codelia: '${tree.path(LOCAL)}' is not changed: the answer was no\n`);
      expect(tree.read(LOCAL)).toBe(ACCEPTED);
    });
  }

  test("what changed while the user was asked is not overwritten", async () => {
    using tree = project({ [LOCAL]: ACCEPTED });
    const { shown, exitCode } = await runAtTerminal(["install", "claude"], {
      cwd: tree.path("repo"),
      home: tree.path("home"),
      typed: [
        () => {
          tree.write(LOCAL, "{}");
          return "y\n";
        },
      ],
    });
    expect(exitCode).toBe(3);
    expect(shown).toEndWith(`codelia: '${tree.path(LOCAL)}' can't be changed: it has just changed; look again\n`);
    expect(tree.read(LOCAL)).toBe("{}");
  });

  test("a diff can't speak to the terminal", async () => {
    using tree = project({ [LOCAL]: '{\n  // \u001B]0;owned\u0007 \u202E\n  "model": "x"\n}\n' });
    const { shown } = await runAtTerminal(["install", "claude"], {
      cwd: tree.path("repo"),
      home: tree.path("home"),
      typed: ["n\n", "d\n", "n\n"],
    });
    expect(shown).toContain(String.raw`   // \u{1b}]0;owned\u{7} \u{202e}`);
  });
});

test("what a team shares ends well where there is no codelia, and in sh", () => {
  using tree = project({ "bin/": dir });
  quietly(tree, "install claude --scope project");
  for (const [, ...commands] of commandsIn(tree.read(PROJECT))) {
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
        env: { PATH: tree.path("bin") },
        input: "{}",
        encoding: "utf8",
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    }
  }
});

test("a file where the directory should be stays", () => {
  using tree = project({ "repo/.claude": "a file" });
  expect(run(tree, "install claude --yes")).toEqual({
    stdout: "",
    stderr: `codelia: '${tree.path(LOCAL)}' can't be used: it can't be read (ENOTDIR)\n`,
    exitCode: 3,
  });
});
