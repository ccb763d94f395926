import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

/** Answers as the hook does on a covered path. */
const SILENT = { text: "#!/bin/sh\ncat >/dev/null\n", mode: 0o755 };
const PROJECT = "repo/.claude/settings.json";
const LOCAL = "repo/.claude/settings.local.json";

function project(files: Readonly<Record<string, Entry>> = {}): TempTree {
  return tempTree({
    "home/": dir,
    "repo/.git/": dir,
    "repo/AGENTS.md": "# Root\n",
    "repo/sub/AGENTS.md": "# Sub\n",
    "repo/.agents/skills/review/SKILL.md": skillFile("review", "Review"),
    "bin/codelia": SILENT,
    ...files,
  });
}

function run(tree: TempTree, args: string, cwd = "repo") {
  return runCodelia(args.split(" "), {
    cwd: tree.path(cwd),
    home: tree.path("home"),
    env: { PATH: `${tree.path("bin")}:/usr/bin:/bin`, TMPDIR: tree.root },
  });
}

interface Report {
  readonly ok: boolean;
  readonly told: object;
  readonly hosts: {
    host: string;
    scopes: { scope: string; state: string; reasons: string[] }[];
    remarks: { kind: string; text: string }[];
    calls: { command: string; timesMs: number[]; problem?: string }[];
  }[];
}

function report(tree: TempTree, args: string, cwd?: string): Report & { exitCode: number } {
  const { stdout, stderr, exitCode } = run(tree, `doctor ${args} --json`, cwd);
  expect(stderr).toBe("");
  return { ...(JSON.parse(stdout) as Report), exitCode };
}

const attention = ({ hosts }: Report) =>
  hosts.flatMap(({ remarks }) => remarks.filter(({ kind }) => kind === "attention").map(({ text }) => text));

test("nothing is installed: that is said with the way to it, and what a session would be told", () => {
  using tree = project();
  const { stdout, stderr, exitCode } = run(tree, "doctor", "repo/sub");
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
  expect(stdout).toBe(`claude (Claude Code)
  local    absent    ${tree.path(LOCAL)}
  project  absent    ${tree.path(PROJECT)}
  user     absent    ${tree.path("home/.claude/settings.json")}
  its own loader of AGENTS.md is on: no CLAUDE.md and no setting switches it off here
not installed: codex, gemini, qwen, vscode, cursor, opencode, kilo, copilot, cline, kimi, pi
! no hooks are installed; 'codelia install claude' adds them
A session in ${tree.path("repo/sub")} begins with 2 instruction files (13 bytes) and 1 skill.
`);
});

test("what is installed is called ten times, somewhere else", () => {
  using tree = project();
  run(tree, "install claude --scope project --yes");
  const before = readdirSync(tree.root, { recursive: true }).length;
  const { hosts, told, ok, exitCode } = report(tree, "claude");
  expect({ ok, exitCode }).toEqual({ ok: true, exitCode: 0 });
  expect(told).toEqual({ cwd: tree.path("repo"), files: 1, bytes: 7, leftOut: 0, skills: 1 });
  expect(hosts[0]!.scopes.map(({ scope, state }) => `${scope} ${state}`)).toEqual([
    "local absent",
    "project current",
    "user absent",
  ]);
  const [calls] = hosts[0]!.calls;
  expect(calls!.timesMs).toHaveLength(10);
  expect(Math.min(...calls!.timesMs)).toBeGreaterThan(0);
  const texts = hosts[0]!.remarks.map(({ text }) => text);
  expect(texts).toContain(`'codelia' on PATH is '${tree.path("bin/codelia")}'`);
  expect(texts.at(-1)).toMatch(/^10 hook calls: [\d.]+ ms min, [\d.]+ ms median, [\d.]+ ms max$/);
  expect(report(tree, "claude --calls 0").hosts[0]!.calls).toEqual([]);
  expect(report(tree, "claude --calls 3").hosts[0]!.calls[0]!.timesMs).toHaveLength(3);
  const caches = readdirSync(tree.path("home"), { recursive: true }).length;
  expect(readdirSync(tree.root, { recursive: true }).length).toBeLessThanOrEqual(before + caches);
  expect(readdirSync(tree.root).filter((name) => name.startsWith("codelia-doctor"))).toEqual([]);
  expect(tmpdir()).not.toBe(tree.root);
});

describe("a call that goes wrong needs attention", () => {
  const CASES: [script: string, problem: string][] = [
    ["exit 2", "it ended with exit code 2"],
    ["echo oh >&2; exit 1", "it ended with exit code 1: oh"],
    ["echo oh >&2", "it wrote to standard error: oh"],
    ["echo oh", "its output is not JSON"],
    ["kill -9 $$", "it ended with SIGKILL"],
  ];
  for (const [script, problem] of CASES) {
    test(script, () => {
      using tree = project({ "bin/codelia": { text: `#!/bin/sh\n${script}\n`, mode: 0o755 } });
      run(tree, "install claude --scope project --yes");
      // The stub is on PATH; what runs the test is the built binary.
      const found = report(tree, "claude");
      expect(attention(found)).toEqual([`calling the hook failed: ${problem}`]);
      expect(found.exitCode).toBe(1);
    });
  }
});

test("a hook that some repository put in the place of ours is never run", () => {
  using tree = project();
  run(tree, "install claude --yes");
  const installed = tree.read(LOCAL);
  tree.write("evil/codelia", `#!/bin/sh\ntouch '${tree.path("owned")}'\n`);
  for (const text of [
    installed.replaceAll(CODELIA, tree.path("evil/codelia")),
    installed.replaceAll(`'${CODELIA}'`, `touch '${tree.path("owned")}'; '${CODELIA}'`),
    installed.replaceAll(`hook claude"`, `hook claude; touch '${tree.path("owned")}'"`),
  ]) {
    tree.write(LOCAL, text);
    const found = report(tree, "claude");
    expect(found.hosts[0]!.calls).toEqual([]);
    expect(found.exitCode).toBe(1);
  }
  expect(readdirSync(tree.root)).not.toContain("owned");
});

test("what differs is said: another program, gone; what was edited; what can't be read", () => {
  using tree = project({ "home/.claude/settings.json": "{" });
  run(tree, "install claude --yes");
  tree.write(LOCAL, tree.read(LOCAL).replaceAll(CODELIA, "/gone/codelia"));
  run(tree, "install claude --scope project --yes");
  tree.write(PROJECT, tree.read(PROJECT).replace('"timeout": 1\n', '"timeout": 3\n'));
  const { stdout, exitCode } = run(tree, "doctor claude --calls 1");
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`! local    stale     ${tree.path(LOCAL)}\n      SessionStart, SubagentStart,`);
  expect(stdout).toContain("SessionEnd: runs '/gone/codelia'\n");
  expect(stdout).toContain(`! project  edited    ${tree.path(PROJECT)}\n      SessionEnd: timeout 3 instead of 1\n`);
  expect(stdout).toContain(`! user     unusable  ${tree.path("home/.claude/settings.json")}\n`);
  expect(stdout).toContain("! program '/gone/codelia' is missing or not executable\n");
  expect(stdout).toContain("  registered at local and project level: the hook may run once for each of them\n");
});

test("codex: a hook that works needs a trusted project and an approval", () => {
  using tree = project();
  run(tree, "install codex --yes");
  const before = report(tree, "codex");
  expect(before.exitCode).toBe(1);
  expect(attention(before)).toEqual([
    `codex does not trust '${tree.path("repo")}' yet, so it reads no '.codex' in it: run codex there and trust it`,
    "approval not found: run codex and approve once ('/hooks')",
  ]);
  const path = tree.path("repo/.codex/hooks.json");
  const events = [
    "post_compact",
    "user_prompt_submit",
    "pre_tool_use",
    "post_tool_use",
    "subagent_stop",
    "session_end",
    "stop",
  ];
  const keys = [
    ...["session_start", "subagent_start"].flatMap((event) => [0, 1, 2, 3].map((index) => `${event}:0:${index}`)),
    ...events.map((event) => `${event}:0:0`),
  ];
  const states = keys.map((key) => `[hooks.state."${path}:${key}"]\ntrusted_hash = "sha256:x"\n`);
  tree.write(
    "home/.codex/config.toml",
    `[projects."${tree.path("repo")}"]\ntrust_level = "trusted"\n${states.join("")}`,
  );
  const after = report(tree, "codex");
  expect(attention(after)).toEqual([]);
  expect(after.exitCode).toBe(0);
});

test("claude: whether its own loader is on", () => {
  using tree = project({ "repo/CLAUDE.md": "# Mine\n" });
  expect(run(tree, "doctor claude").stdout).toContain(
    `  its own loader of AGENTS.md is off: '${tree.path("repo/CLAUDE.md")}' is there\n`,
  );
  tree.write("repo/CLAUDE.md", " \n");
  expect(run(tree, "doctor claude").stdout).toContain("its own loader of AGENTS.md is on: ");
});

test("claude: a project's settings are not read in a sub-directory", () => {
  using tree = project();
  run(tree, "install claude --scope project --yes");
  const found = report(tree, "claude", "repo/sub");
  expect(attention(found)).toEqual([
    `a session started in a sub-directory does not read '${tree.path(PROJECT)}'; '--scope local' is read there too`,
  ]);
  expect(found.exitCode).toBe(1);
});
