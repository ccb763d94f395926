import { describe, expect, test } from "bun:test";
import { callAsOnWindows, type WindowsCall } from "./windows-calls.ts";

// The pure functions that judge paths, with the path rules of Windows: both separators, drive letters, letter case.
// That what they are given is what Windows gives is not shown here.

const PLACES = { cwd: String.raw`C:\repo\sub`, root: String.raw`C:\repo`, home: String.raw`C:\Users\u`, env: {} };
const REACHED = [
  { path: String.raw`D:\policy\CLAUDE.md`, origin: "managed" },
  { path: String.raw`C:\repo\a\AGENTS.md`, origin: "project" },
  { path: String.raw`C:\repo\.claude\CLAUDE.md`, origin: "project" },
] as const;
const PATCH = "*** Begin Patch\n*** Add File: src/new.ts\n+x\n*** End Patch\n";

type Row = [args: readonly unknown[], expected: unknown];
const tables: [from: string, name: string, rows: readonly Row[]][] = [
  [
    "lib/paths.ts",
    "isInside",
    [
      [[String.raw`C:\a\b`, String.raw`C:\a\b`], true],
      [[String.raw`C:\a\b`, String.raw`C:\a\b\c`], true],
      [[String.raw`C:\a\b`, String.raw`C:\a\bc`], false],
      [[String.raw`C:\a\b`, String.raw`C:\a`], false],
      [[String.raw`C:\a`, String.raw`D:\a\b`], false],
      [[String.raw`C:\a`, String.raw`C:\a\..x`], true],
      [[String.raw`C:\A`, String.raw`c:\a\B`], true],
      [[String.raw`C:\a`, String.raw`C:/a/b`], true],
      [["C:\\", String.raw`C:\a`], true],
      [["C:\\", String.raw`D:\a`], false],
      [[String.raw`\\host\share\a`, String.raw`\\host\share\a\b`], true],
      [[String.raw`\\host\share\a`, String.raw`\\host\other\a\b`], false],
    ],
  ],
  [
    "lib/paths.ts",
    "ladder",
    [
      [[String.raw`C:\a`, String.raw`C:\a`], [String.raw`C:\a`]],
      [
        [String.raw`C:\a`, String.raw`C:\a\b\c`],
        [String.raw`C:\a`, String.raw`C:\a\b`, String.raw`C:\a\b\c`],
      ],
      [
        ["C:\\", String.raw`C:\a\b`],
        ["C:\\", String.raw`C:\a`, String.raw`C:\a\b`],
      ],
      [
        [String.raw`C:\Repo`, String.raw`c:\repo\sub`],
        [String.raw`c:\repo`, String.raw`c:\repo\sub`],
      ],
      [
        [String.raw`\\host\share\a`, String.raw`\\host\share\a\b`],
        [String.raw`\\host\share\a`, String.raw`\\host\share\a\b`],
      ],
      [[String.raw`C:\a`, String.raw`D:\a\b`], []],
    ],
  ],
  [
    "lib/paths.ts",
    "wholeLadder",
    [
      [[String.raw`D:\a\b`], ["D:\\", String.raw`D:\a`, String.raw`D:\a\b`]],
      [[String.raw`\\host\share\a`], ["\\\\host\\share\\", String.raw`\\host\share\a`]],
    ],
  ],
  [
    "lib/paths.ts",
    "withoutIgnored",
    [[[[String.raw`C:\a`, String.raw`C:\a\lib`, String.raw`C:\a\lib\x`], ["lib"]], [String.raw`C:\a`]]],
  ],
  [
    "lib/paths.ts",
    "namedDirectory",
    [
      [[String.raw`D:\x`, "-"], String.raw`D:\x`],
      [["D:/x", "-"], "D:/x"],
      [["x", "-"], "-"],
      [["D:x", "-"], "-"],
    ],
  ],
  [
    "lib/paths.ts",
    "homeDirectory",
    [
      [[{ HOME: "/c/Users/u", USERPROFILE: String.raw`C:\Users\u` }], String.raw`C:\Users\u`],
      [[{ HOME: String.raw`D:\home` }], String.raw`D:\home`],
      [[{}], ""],
    ],
  ],
  [
    "lib/paths.ts",
    "absolutePath",
    [
      [[String.raw`\\?\C:\repo`, "x"], String.raw`C:\repo\x`],
      [["D:\\", String.raw`\\?\C:\repo\x`], String.raw`C:\repo\x`],
      [["D:\\", "//?/c:/repo"], String.raw`c:\repo`],
      [["D:\\", String.raw`\\?\UNC\host\share\x`], String.raw`\\host\share\x`],
      [["D:\\", String.raw`\\?\Volume{1}\x`], String.raw`\\?\Volume{1}\x`],
    ],
  ],
  [
    "lib/paths.ts",
    "isPathOf",
    [
      [["codelia"], false],
      [[String.raw`C:\bin\codelia.exe`], true],
      [["C:/bin/codelia.exe"], true],
      [[String.raw`.\codelia`], true],
    ],
  ],
  [
    "config/user-directories.ts",
    "userDirectoriesOf",
    [
      [
        [{}, String.raw`C:\Users\u`],
        {
          global: String.raw`C:\Users\u\.codelia`,
          ordinary: String.raw`C:\Users\u\.codelia`,
          config: [String.raw`C:\Users\u\.codelia`, String.raw`C:\Users\u\.config\codelia`],
          cache: String.raw`C:\Users\u\.cache\codelia`,
          state: String.raw`C:\Users\u\.local\state\codelia`,
        },
      ],
      [
        [{ CODELIA_HOME: "D:/own", XDG_CACHE_HOME: "relative", XDG_STATE_HOME: String.raw`E:\state` }, ""],
        {
          global: String.raw`D:\own`,
          ordinary: String.raw`\<nowhere>\.codelia`,
          config: [String.raw`D:\own`, String.raw`\<nowhere>\.config\codelia`],
          cache: String.raw`\<nowhere>\.cache\codelia`,
          state: String.raw`E:\state\codelia`,
        },
      ],
    ],
  ],
  [
    "check/findings.ts",
    "locateFindings",
    [
      [
        [[finding(String.raw`C:\repo\a\AGENTS.md`, String.raw`as 'C:\repo\b' has it`)], String.raw`C:\repo`],
        [{ ...finding(String.raw`C:\repo\a\AGENTS.md`, "as 'b' has it"), ...located("a/AGENTS.md") }],
      ],
    ],
  ],
  [
    "touched/usual-calls.ts",
    "usualPaths",
    [
      // What is not written as on other systems goes the longer way, to the same answer.
      [["Read", { file_path: String.raw`C:\repo\x` }, String.raw`C:\repo`], null],
      [["Read", { file_path: "/d/other/x.ts" }, String.raw`C:\repo`], null],
    ],
  ],
  [
    "touched/with-grammar.ts",
    "pathsOfToolUse",
    [
      [[use("Read", { file_path: String.raw`C:\repo\a\x.ts` })], [read(String.raw`C:\repo\a\x.ts`)]],
      [[use("Read", { file_path: "C:/repo/a/x.ts" })], [read(String.raw`C:\repo\a\x.ts`)]],
      [[use("Read", { file_path: String.raw`a\x.ts` })], [read(String.raw`C:\repo\a\x.ts`)]],
      [[use("Read", { file_path: "/d/other/x.ts" })], [read(String.raw`D:\other\x.ts`)]],
      [[use("Read", { file_path: String.raw`\\?\C:\repo\x.ts` })], [read(String.raw`C:\repo\x.ts`)]],
      [[{ ...use("Read", { file_path: "x.ts" }), cwd: String.raw`\\?\C:\repo` }], [read(String.raw`C:\repo\x.ts`)]],
      [[use("fetch", { uri: "file:///C:/repo/a%20b/x.ts" })], [read(String.raw`C:\repo\a b\x.ts`)]],
      [[use("fetch", { uri: "file:///c%3A/repo/x.ts" })], [read(String.raw`c:\repo\x.ts`)]],
      [[use("fetch", { path: String.raw`src\*.ts` })], [read(String.raw`C:\repo\src`)]],
      [[use("Grep", { pattern: "x", path: String.raw`C:\repo\src` })], [read(String.raw`C:\repo\src`)]],
      [[use("Glob", { pattern: String.raw`src\**\*.ts` })], [list(String.raw`C:\repo\src`)]],
      [[use("Bash", { command: "cat src/x.ts" })], [read(String.raw`C:\repo\src\x.ts`)]],
      [[use("Bash", { command: "cat /c/repo/src/x.ts" })], [read(String.raw`C:\repo\src\x.ts`)]],
      [[use("Bash", { command: String.raw`cat 'src\x.ts'` })], [read(String.raw`C:\repo\src\x.ts`)]],
      [[use("Bash", { command: "git -C /d/b add x.ts" })], [list(String.raw`D:\b`), list(String.raw`D:\b\x.ts`)]],
      [[use("Bash", { command: "cd /d/b && cat x.ts" })], [list(String.raw`D:\b`), read(String.raw`D:\b\x.ts`)]],
      [[use("apply_patch", { input: PATCH })], [write(String.raw`C:\repo\src\new.ts`)]],
    ],
  ],
  [
    "touched/prompt.ts",
    "pathsOfPrompt",
    [
      [
        [String.raw`See @src\x.ts, and @D:\y.ts#L10`, String.raw`C:\repo`, String.raw`C:\Users\u`],
        [read(String.raw`C:\repo\src\x.ts`), read(String.raw`D:\y.ts`)],
      ],
      [["@~/x.ts", String.raw`C:\repo`, String.raw`C:\Users\u`], [read(String.raw`C:\Users\u\x.ts`)]],
    ],
  ],
  [
    "clients/claude/settings.ts",
    "settings.settingsFile",
    [
      [["local", PLACES], String.raw`C:\repo\.claude\settings.local.json`],
      [["user", PLACES], String.raw`C:\Users\u\.claude\settings.json`],
      [["user", { ...PLACES, env: { CLAUDE_CONFIG_DIR: String.raw`D:\claude` } }], String.raw`D:\claude\settings.json`],
    ],
  ],
  [
    "clients/codex/settings.ts",
    "settings.settingsFile",
    [
      [["project", PLACES], String.raw`C:\repo\.codex\hooks.json`],
      [["user", { ...PLACES, env: { CODEX_HOME: "D:/codex" } }], String.raw`D:\codex\hooks.json`],
    ],
  ],
  ...["gemini", "qwen"].map((name): (typeof tables)[number] => [
    `clients/${name}/settings.ts`,
    "settings.settingsFile",
    [
      [["project", PLACES], String.raw`C:\repo` + `\\.${name}\\settings.json`],
      [["user", PLACES], String.raw`C:\Users\u` + `\\.${name}\\settings.json`],
    ],
  ]),
  [
    "clients/claude/events.ts",
    "events.skillTool.directories",
    [
      [
        [PLACES.cwd, PLACES],
        [
          String.raw`C:\.claude\skills`,
          String.raw`C:\repo\.claude\skills`,
          String.raw`C:\repo\sub\.claude\skills`,
          String.raw`C:\Users\u\.claude\skills`,
        ],
      ],
    ],
  ],
  [
    "report/explanation.ts",
    "ladderOf",
    [
      [
        [{ directory: String.raw`C:\repo\a`, clients: [{ files: REACHED }] }],
        [
          rung(String.raw`D:\policy`, REACHED[0]),
          rung(String.raw`C:\repo`, REACHED[2]),
          rung(String.raw`C:\repo\a`, REACHED[1]),
        ],
      ],
    ],
  ],
  ["clients/claude/files.ts", "managedDirectory", [[[{}], String.raw`C:\Program Files\ClaudeCode`]]],
  [
    "clients/settings/command-form.ts",
    "commandForm",
    [
      [
        [{ takesArguments: true }, "local", [String.raw`C:\a b\codelia.exe`], ["hook", "claude"]],
        { command: String.raw`C:\a b\codelia.exe`, args: ["hook", "claude"] },
      ],
      [
        [{ takesArguments: true }, "user", [String.raw`C:\node.exe`, String.raw`C:\codelia.mjs`], ["hook", "claude"]],
        { command: String.raw`C:\node.exe`, args: [String.raw`C:\codelia.mjs`, "hook", "claude"] },
      ],
      [
        [{ hasWindowsCommand: true }, "user", [String.raw`C:\a\codelia.exe`], ["hook", "codex"]],
        { command: String.raw`C:\a\codelia.exe hook codex` },
      ],
      [
        [{}, "user", [String.raw`C:\a b\codelia.exe`], ["hook", "gemini"]],
        { command: String.raw`"C:\a b\codelia.exe" hook gemini` },
      ],
      [
        [{ hasWindowsCommand: true }, "project", ["unused"], ["hook", "codex"]],
        {
          command: "command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook codex",
          commandWindows: "set NoDefaultCurrentDirectoryInExePath=1&codelia hook codex 2>nul||exit 0",
        },
      ],
    ],
  ],
  [
    "clients/settings/own-command.ts",
    "readOwnCommand",
    [
      [[String.raw`'C:\a b\codelia.exe' hook claude`, "claude"], { program: "C:/a b/codelia.exe", isPlain: true }],
      [[String.raw`C:\a\codelia.exe hook claude`, "claude"], { program: "C:/a/codelia.exe", isPlain: true }],
      [
        [String.raw`"C:\node\node.exe" "C:\a\codelia.mjs" hook claude`, "claude"],
        { program: "C:/a/codelia.mjs", isPlain: true },
      ],
    ],
  ],
  [
    "lib/programs.ts",
    "candidatesOnPath",
    [
      [
        [{ env: { PATH: String.raw`C:\bin;relative;D:\tools` } }, "git"],
        [String.raw`C:\bin\git.exe`, String.raw`D:\tools\git.exe`],
      ],
      [[{ env: { PATH: String.raw`C:\bin` } }, "git.exe"], [String.raw`C:\bin\git.exe`]],
    ],
  ],
];

const calls = tables.flatMap(([from, name, rows]) => rows.map(([args]): WindowsCall => ({ from, name, args })));
const results = callAsOnWindows(calls);

let index = 0;
for (const [from, name, rows] of tables) {
  describe(`${from} ${name}() on Windows`, () => {
    for (const [args, expected] of rows) {
      const result = results[index++];
      test(`of ${args.map((arg) => JSON.stringify(arg)).join(", ")}`, () => expect(result).toEqual(expected));
    }
  });
}

function rung(directory: string, file: (typeof REACHED)[number]) {
  return { directory, files: [{ path: file.path, reached: [file] }] };
}

function use(tool: string, input: unknown) {
  return { tool, input, cwd: String.raw`C:\repo`, home: String.raw`C:\Users\u` };
}

function read(path: string) {
  return { path, access: "read" };
}

function write(path: string) {
  return { path, access: "write" };
}

function list(path: string) {
  return { path, access: "list" };
}

function finding(path: string, message: string) {
  return { rule: "instructions-blank", severity: "warning", path, line: 1, message };
}

function located(relativePath: string) {
  return { relativePath, fingerprint: expect.any(String) };
}
