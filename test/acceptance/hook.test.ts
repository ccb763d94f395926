import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  after,
  bash,
  before,
  eventText,
  hook,
  HOOK_PROJECT,
  optionsOf,
  read,
  start,
  SUB,
  type Fields,
} from "../support/hook-calls.ts";
import { runCodelia, startCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// The hook command on the built binary, with events as the clients send them.

const TREE: Readonly<Record<string, Entry>> = {
  ...HOOK_PROJECT,
  "repo/app/AGENTS.md": "App rules.\n",
  "repo/app/main.ts": "",
  "repo/.agents/skills/release-notes/SKILL.md":
    "---\nname: release-notes\ndescription: Draft release notes\n---\nBody.\n",
};

/** What a client's shell reports about a command that has run. */
function runShell(tree: TempTree, { command }: Fields): Fields {
  const { stdout, stderr } = Bun.spawnSync(["/bin/sh", "-c", String(command)], { cwd: tree.path("repo") });
  return { stdout: stdout.toString().trimEnd(), stderr: stderr.toString(), interrupted: false };
}

describe("hook", () => {
  test("a session's start gives usage rules, instructions and skills, in an element that the client lets through", () => {
    using tree = tempTree(TREE);
    const { stdout, context } = hook(tree, start());
    expect(JSON.parse(stdout).hookSpecificOutput.hookEventName).toBe("SessionStart");
    expect(context).toContain(`Instructions from: ${tree.path("repo/AGENTS.md")}\nRoot rules.\n`);
    expect(context).toContain("codelia-reminder");
    expect(context).not.toContain("<system-reminder");
    expect(context).toContain("<name>release-notes</name>");
    expect(hook(tree, read(tree.path("repo/README.md"))).context).toBe("");
  });

  test("a tool's first touch of a directory names what applies there, once", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    const { context } = hook(tree, read(tree.path("repo/lib/deep/x.ts")));
    expect(context).toStartWith('<codelia-reminder type="agents.resolve.paths">\n');
    expect(context).toContain(tree.path("repo/lib/AGENTS.md"));
    expect(context).toContain(tree.path("repo/lib/deep/AGENTS.md"));
    expect(context).not.toContain(`${tree.path("repo/AGENTS.md")} `);
    expect(hook(tree, read(tree.path("repo/lib/deep/x.ts"))).context).toBe("");
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toContain(tree.path("repo/app/AGENTS.md"));
  });

  test("a shell's loop over directories names what applies in each, a path from the top of the tree what applies there", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    const loop = hook(tree, before("Bash", { command: 'for d in app lib; do (cd "$d" && ls); done' })).context;
    expect(["app", "lib"].map((name) => loop.includes(tree.path(`repo/${name}/AGENTS.md`)))).toEqual([true, true]);
    const command = 'cd "$(git rev-parse --show-toplevel)" && cat lib/deep/x.ts';
    const { context } = hook(tree, { ...before("Bash", { command }), cwd: tree.path("repo/app") });
    expect(context).toContain(tree.path("repo/lib/deep/AGENTS.md"));
  });

  test("a sub-agent is a context of its own that is dropped when it ends", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    hook(tree, read(tree.path("repo/app/main.ts")));
    expect(hook(tree, { hook_event_name: "SubagentStart", ...SUB }).context).toContain("Root rules.");
    expect(hook(tree, read(tree.path("repo/app/main.ts"), SUB)).context).toContain("repo/app/AGENTS.md");
    expect(hook(tree, read(tree.path("repo/app/main.ts"), SUB)).context).toBe("");
    hook(tree, { hook_event_name: "SubagentStop", ...SUB });
    const { sessions } = JSON.parse(tree.read("repo/.codelia/session.json"));
    expect(Object.keys(sessions.s.contexts)).toEqual(["main"]);
  });

  test("a session's end keeps its main context, and records nothing of an unknown session", () => {
    using tree = tempTree(TREE);
    hook(tree, { hook_event_name: "SessionEnd", reason: "other" });
    hook(tree, { hook_event_name: "SubagentStop", ...SUB });
    expect(existsSync(tree.path("repo/.codelia"))).toBe(false);
    hook(tree, start());
    hook(tree, { hook_event_name: "SubagentStart", ...SUB });
    hook(tree, { hook_event_name: "SessionEnd", reason: "other" });
    const { sessions } = JSON.parse(tree.read("repo/.codelia/session.json"));
    expect(Object.keys(sessions.s.contexts)).toEqual(["main"]);
  });

  test("a sub-agent that inherits its parent's history knows what its parent was told", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    hook(tree, read(tree.path("repo/app/main.ts")));
    const fork = { agent_id: "agent-2", agent_type: "fork" };
    expect(hook(tree, { hook_event_name: "SubagentStart", ...fork }).context).toBe("");
    expect(hook(tree, read(tree.path("repo/app/main.ts"), fork)).context).toBe("");
    expect(hook(tree, read(tree.path("repo/lib/x"), fork)).context).toContain("repo/lib/AGENTS.md");
  });

  test("after a compaction everything is told again", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    hook(tree, read(tree.path("repo/app/main.ts")));
    expect(hook(tree, start("compact")).context).toContain("Root rules.");
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toContain("repo/app/AGENTS.md");
  });

  test("a sub-agent that was compacted is told again", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    hook(tree, { hook_event_name: "SubagentStart", ...SUB });
    hook(tree, read(tree.path("repo/app/main.ts"), SUB));
    expect(hook(tree, { ...start("compact"), ...SUB }).context).toContain("Root rules.");
    // This event follows, and has nothing new.
    expect(hook(tree, { hook_event_name: "PostCompact", ...SUB }).stdout).toBe("");
    const { context } = hook(tree, read(tree.path("repo/app/main.ts"), SUB));
    expect(context).not.toContain(`${tree.path("repo/AGENTS.md")} (mtime`);
    expect(context).toContain(`${tree.path("repo/app/AGENTS.md")} (mtime`);
  });

  test("a sub-agent of Codex that was compacted has what it began with again, with its next events, once", () => {
    const cut = `${"- A rule of the root, as it is done here.\n".repeat(1000)}The last rule.\n`;
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": cut });
    const codex = (event: object) => hook(tree, { ...event, ...SUB }, ["codex"]).context;
    const ran = [before, after].map((phase) => phase("Bash", { command: "cat app/main.ts" }));
    const told = () => ran.map(codex).join("");
    hook(tree, start(), ["codex"]);
    expect(codex({ hook_event_name: "SubagentStart" })).toContain("The last rule.");
    expect(told()).toContain("app/AGENTS.md (mtime");
    expect(codex({ hook_event_name: "PostCompact" })).toBe("");
    const again = told();
    for (const part of ["<agents_usage>", "The last rule.", "app/AGENTS.md (mtime"]) {
      expect(again.split(part)).toHaveLength(2);
    }
    // The client has given it the start of that file.
    expect(again).not.toContain(`${tree.path("repo/AGENTS.md")} (mtime`);
    expect(told()).toBe("");
  });

  test("a resumed session is told only what changed", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    hook(tree, { hook_event_name: "SessionEnd", reason: "other" });
    expect(hook(tree, start("resume")).stdout).toBe("");
    tree.write("repo/AGENTS.md", "Other rules, and longer.\n");
    const { context } = hook(tree, start("resume"));
    expect(context).toContain('<codelia-reminder type="session.resume.diff">');
    expect(context).toContain(tree.path("repo/AGENTS.md"));
    expect(hook(tree, start("resume")).stdout).toBe("");
  });

  test("a resumed session that was never told anything starts as a new one", () => {
    using tree = tempTree(TREE);
    expect(hook(tree, start("resume")).context).toContain("Root rules.");
    expect(hook(tree, start("resume")).stdout).toBe("");
  });

  test("what the model reads or writes itself is not told to it", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    const path = tree.path("repo/app/AGENTS.md");
    expect(hook(tree, read(path)).context).toBe("");
    hook(tree, { ...read(path), hook_event_name: "PostToolUse", tool_response: {} });
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toBe("");
    tree.write("repo/lib/AGENTS.md", "Written by the model itself.\n");
    const write = { tool_name: "Write", tool_input: { file_path: tree.path("repo/lib/AGENTS.md"), content: "x" } };
    expect(hook(tree, { ...write, hook_event_name: "PreToolUse" }).context).toBe("");
    hook(tree, { ...write, hook_event_name: "PostToolUse", tool_response: {} });
    expect(hook(tree, read(tree.path("repo/lib/x.ts"))).context).toBe("");
  });

  const patch = "*** Begin Patch\n*** Update File: app/AGENTS.md\n*** End Patch";
  const KNOWN = { before: false, after: false };
  const TOLD = { before: true, after: false };
  /** The command did not show what it seemed to show, so that is told with the next touch. */
  const TOLD_THEN = { before: false, after: true };
  const uses: [what: string, tool: string, input: (path: string) => Record<string, unknown>, told: typeof KNOWN][] = [
    ["cat", "Bash", () => ({ command: "cat app/AGENTS.md" }), KNOWN],
    [
      "cat after cd, with others",
      "Bash",
      () => ({ command: "cd app && ls && cat -n AGENTS.md main.ts 2>/dev/null" }),
      KNOWN,
    ],
    ["sed -n of all lines", "Bash", () => ({ command: "sed -n '1,200p' app/AGENTS.md" }), KNOWN],
    ["head of all lines", "Bash", () => ({ command: "head -n 20 app/AGENTS.md" }), KNOWN],
    ["a link to it", "Bash", () => ({ command: "cat app/NOTES.md" }), KNOWN],
    ["an MCP tool", "mcp__fs__read_text_file", (path) => ({ path }), KNOWN],
    ["a patch", "apply_patch", () => ({ command: patch }), KNOWN],
    ["a loop", "Bash", () => ({ command: "for f in app/*.md; do cat $f; done" }), TOLD],
    ["a pipe that shows it", "Bash", () => ({ command: "cat app/AGENTS.md | sort -s -k 9" }), TOLD],
    ["its whole text", "Bash", () => ({ command: "cat > app/AGENTS.md <<'EOF'\nApp rules.\nEOF" }), TOLD],
    ["sed -n of some lines", "Bash", () => ({ command: "sed -n 1,1p app/AGENTS.md" }), TOLD],
    ["head of one line", "Bash", () => ({ command: "head -1 app/AGENTS.md" }), TOLD],
    ["tail of one line", "Bash", () => ({ command: "tail -n 1 app/AGENTS.md" }), TOLD],
    ["grep", "Bash", () => ({ command: "grep App app/AGENTS.md" }), TOLD],
    ["Grep", "Grep", (path) => ({ pattern: "App", path }), TOLD],
    ["a pipe", "Bash", () => ({ command: "cat app/AGENTS.md | wc -l" }), TOLD],
    ["a copy", "Bash", () => ({ command: "cat app/AGENTS.md > /tmp/copy-of-rules" }), TOLD],
    ["a look", "Bash", () => ({ command: "ls -l app/AGENTS.md" }), TOLD],
    ["a part by an MCP tool", "mcp__fs__read_text_file", (path) => ({ path, head: 1 }), TOLD],
    ["nothing of it", "Bash", () => ({ command: "cat app/AGENTS.md >/dev/null" }), TOLD_THEN],
    ["nothing where it is never come to", "Bash", () => ({ command: "true || cat app/AGENTS.md" }), TOLD_THEN],
    ["nothing behind a condition", "Bash", () => ({ command: "test -f none && cat app/AGENTS.md; true" }), TOLD_THEN],
    ["its beginning behind a group", "Bash", () => ({ command: "{ cat app/AGENTS.md; ls; } | head -1" }), TOLD],
    ["a line more than there was", "Bash", () => ({ command: "echo '- x' >> app/AGENTS.md" }), TOLD],
    ["another line than there was", "Bash", () => ({ command: "sed -i s/more/less/ app/AGENTS.md" }), TOLD],
  ];
  for (const [what, tool, input, told] of uses) {
    test(`what a tool shows or writes, ${what}: ${JSON.stringify(told)}`, () => {
      const link = { "repo/app/NOTES.md": { link: "AGENTS.md" } };
      using tree = tempTree({ ...TREE, ...link, "repo/app/AGENTS.md": "App rules.\nAnd more.\nAnd more.\n" });
      hook(tree, start());
      const use = input(tree.path("repo/app/AGENTS.md"));
      const isTold = (event: Fields) => hook(tree, event).context.includes("repo/app/AGENTS.md");
      const isToldBefore = isTold(before(tool, use));
      hook(tree, { ...after(tool, use), tool_response: tool === "Bash" ? runShell(tree, use) : {} });
      expect({ before: isToldBefore, after: isTold(read(tree.path("repo/app/main.ts"))) }).toEqual(told);
    });
  }

  test("a file that the model knows and changes in a shell is not told back to it", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    for (const command of ["cat app/AGENTS.md", "echo '- More.' >> app/AGENTS.md"]) {
      hook(tree, bash(command));
      hook(tree, { ...after("Bash", { command }), tool_response: runShell(tree, { command }) });
    }
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toBe("");
    tree.write("repo/app/AGENTS.md", "Of somebody else.\n");
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toContain("repo/app/AGENTS.md");
  });

  test("a file that is read in part is told all the same", () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    const part = { tool_name: "Read", tool_input: { file_path: tree.path("repo/app/AGENTS.md"), limit: 1 } };
    expect(hook(tree, { ...part, hook_event_name: "PreToolUse" }).context).toContain("repo/app/AGENTS.md");
  });

  test("where the client loads AGENTS.md itself, only the others are told", () => {
    using tree = tempTree({ ...TREE, "repo/CLAUDE.md": " \n" });
    const { context } = hook(tree, start());
    expect(context).not.toContain("Root rules.");
    expect(context).toContain("<name>release-notes</name>");
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toBe("");
    hook(tree, { ...read(tree.path("repo/app/main.ts")), hook_event_name: "PostToolUse" });
    const shell = { hook_event_name: "PreToolUse", tool_name: "Bash" };
    expect(hook(tree, { ...shell, tool_input: { command: "cat app/main.ts" } }).context).toBe("");
    expect(hook(tree, { ...shell, tool_input: { command: "cat lib/deep/x.ts" } }).context).toContain("lib/AGENTS.md");
  });

  test("a CLAUDE.md that is a link counts like any other", () => {
    using tree = tempTree({ ...TREE, "repo/CLAUDE.md": { link: "notes.md" }, "repo/notes.md": "Be brief.\n" });
    expect(hook(tree, start()).context).toContain("Root rules.");
    expect(hook(tree, read(tree.path("repo/app/main.ts"))).context).toContain("repo/app/AGENTS.md");
  });

  test("a CLAUDE.md of the working directory counts for paths beside it, too", () => {
    using tree = tempTree({ ...TREE, "repo/CLAUDE.md": "", "repo/app/CLAUDE.md": "Be brief.\n" });
    const here = { cwd: tree.path("repo/app") };
    hook(tree, { ...start(), ...here });
    expect(hook(tree, { ...read(tree.path("repo/lib/x.ts")), ...here }).context).toContain("repo/lib/AGENTS.md");
  });

  test("commands that show none of a file's text are still told what applies to it", () => {
    for (const command of ["git add lib/x.ts", "git commit -m x lib/x.ts", "stat lib/x.ts", "wc -l lib/x.ts"]) {
      using tree = tempTree(TREE);
      hook(tree, start());
      expect(hook(tree, bash(command)).context).toContain("repo/lib/AGENTS.md");
    }
  });

  test("Codex: reminders are system reminders, and files that it loads are not told", () => {
    using tree = tempTree(TREE);
    const config = `[projects.${JSON.stringify(tree.path("repo"))}]\ntrust_level = "trusted"\n`;
    tree.write("home/.codex/config.toml", config);
    const { context } = hook(tree, start(), ["codex"]);
    expect(context).not.toContain("Root rules.");
    const shell = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "cat app/main.ts" } };
    expect(hook(tree, shell, ["codex"]).context).toStartWith('<system-reminder type="agents.resolve.paths">\n');
    expect(hook(tree, shell, ["codex"]).stdout).toBe("");
  });

  test("Codex: in an untrusted project everything is told", () => {
    using tree = tempTree(TREE);
    tree.write(
      "home/.codex/config.toml",
      `[projects.${JSON.stringify(tree.path("repo"))}]\ntrust_level = "untrusted"\n`,
    );
    expect(hook(tree, start(), ["codex"]).context).toContain("Root rules.");
  });

  test("a long start comes in parts, none of them over the limit, nothing twice, nothing lost", () => {
    const files = Object.fromEntries(
      ["", "a/", "a/b/", "a/b/c/"].map((directory, index) => [
        `repo/${directory}AGENTS.md`,
        `# Level ${index}\n${"One rule is not enough for anyone. ".repeat(200)}\n`,
      ]),
    );
    using tree = tempTree({ ...TREE, ...files });
    const parts = [1, 2, 3, 4].map((part) =>
      hook(tree, { ...start(), cwd: tree.path("repo/a/b/c") }, ["claude", "--part", `${part}/4`]),
    );
    for (const { stdout } of parts) expect(stdout.length).toBeLessThanOrEqual(10_000);
    const whole = parts.map(({ context }) => context).join("");
    for (const index of [0, 1, 2, 3]) expect(whole.split(`# Level ${index}\n`)).toHaveLength(2);
    expect(hook(tree, read(tree.path("repo/a/b/c/x"))).context).toBe("");
  });

  test("twenty parallel reads below a new directory give one reminder", async () => {
    using tree = tempTree(TREE);
    hook(tree, start());
    const input = eventText(tree, read(tree.path("repo/lib/deep/x.ts")));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => startCodelia(["hook", "claude"], optionsOf(tree, input))),
    );
    expect(answers.filter(({ stdout }) => stdout !== "")).toHaveLength(1);
    expect(answers.every(({ exitCode, stderr }) => exitCode === 0 && stderr === "")).toBe(true);
  });

  const odd: [what: string, input: string | Uint8Array][] = [
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["a number", "7"],
    ["an unknown event", '{"hook_event_name":"Nonsense","session_id":"s","cwd":"/"}'],
    ["no session", '{"hook_event_name":"SessionStart","cwd":"/"}'],
    ["a cwd that is not there", '{"hook_event_name":"SessionStart","session_id":"s","cwd":"/nowhere/at/all"}'],
    ["a relative cwd", '{"hook_event_name":"SessionStart","session_id":"s","cwd":"nowhere"}'],
    ["fields of other types", '{"hook_event_name":1,"session_id":[],"cwd":{}}'],
    ["a deep nest", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ["nine megabytes", `{"x":"${"y".repeat(9 * 1024 * 1024)}"}`],
  ];
  for (const [what, input] of odd) {
    test(`silence for ${what}`, () => {
      using tree = tempTree(TREE);
      for (const host of ["claude", "codex"]) {
        const result = runCodelia(["hook", host], optionsOf(tree, input));
        expect([result.exitCode, result.stdout, result.stderr]).toEqual([0, "", ""]);
      }
    });
  }

  test("CODELIA_DISABLE=1 makes it silent", () => {
    using tree = tempTree(TREE);
    const options = { ...optionsOf(tree, eventText(tree, start())), env: { CODELIA_DISABLE: "1" } };
    for (const args of [["claude"], ["nobody"], ["claude", "--part", "9/1"]]) {
      expect(runCodelia(["hook", ...args], options)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    }
  });

  test("warnings go to the trace only", () => {
    using tree = tempTree({ ...TREE, "repo/lib/AGENTS.md": { link: "/etc/hostname" } });
    expect(hook(tree, read(tree.path("repo/lib/deep/x.ts"))).context).toContain("deep/AGENTS.md");
    const trace = join(tree.root, "trace");
    const input = eventText(tree, read(tree.path("repo/lib/deep/x.ts")));
    runCodelia(["hook", "claude"], { ...optionsOf(tree, input), env: { CODELIA_TRACE: trace } });
    expect(tree.read("trace")).toContain("leads outside the root");
  });

  const mistakes: [args: string[], said: string][] = [
    [["nonsense"], "unknown client 'nonsense'"],
    [[], "unknown client ''"],
    [["claude", "--part", "5/4"], "'--part' must be like 1/4"],
    [["claude", "--part", "x"], "'--part' must be like 1/4"],
    [["claude", "--flag-of-tomorrow"], "unknown flag '--flag-of-tomorrow'"],
    [["claude", "--json"], "unknown flag '--json'"],
    [["claude", "codex"], "takes no 'codex'"],
  ];
  for (const [args, said] of mistakes) {
    test(`a wrong call exits with 0: hook ${args.join(" ")}`, () => {
      using tree = tempTree(TREE);
      const { stdout, stderr, exitCode } = runCodelia(["hook", ...args], optionsOf(tree, eventText(tree, start())));
      expect([stdout, exitCode]).toEqual(["", 0]);
      expect(stderr).toContain(said);
    });
  }
});
