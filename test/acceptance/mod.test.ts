import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { bash, eventText, hook, read, start, SUB, type Fields } from "../support/hook-calls.ts";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// The answers to the module in Claude Code, and what the hooks beside it then print.

const TREE: Readonly<Record<string, Entry>> = {
  "home/": { dir: true },
  "repo/.git/": { dir: true },
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/AGENTS.md": `Root rules.\n${"x".repeat(40_000)}\n`,
  "repo/app/AGENTS.md": "App rules.\n",
  "repo/app/main.ts": "",
};

interface Answer {
  readonly context: string;
  readonly files: readonly { path: string; content: string; mtimeMs: number; sizeBytes: number }[];
}

function answerIn(stdout: string): Answer {
  const { hookSpecificOutput = {}, instructionFiles = [] } = stdout === "" ? {} : JSON.parse(stdout);
  return { context: hookSpecificOutput.additionalContext ?? "", files: instructionFiles };
}

function ask(tree: TempTree, fields: Fields): Answer {
  const options = { cwd: tree.path("repo"), home: tree.path("home"), stdin: eventText(tree, fields) };
  const { stdout, stderr, exitCode } = runCodelia(["hook", "claude", "--mod"], options);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return answerIn(stdout);
}

/** What the module reports if it was given the file in its present version. */
function changedGiven(tree: TempTree): object[] {
  const { mtimeMs, size } = statSync(tree.path("repo/AGENTS.md"));
  return [{ path: tree.path("repo/AGENTS.md"), mtimeMs: Math.floor(mtimeMs), sizeBytes: size }];
}

describe("by a process", () => {
  test("a start gives the instruction files apart and whole, and says the rest; both count as told", () => {
    using tree = tempTree(TREE);
    const { context, files } = ask(tree, start());
    expect(files.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([[tree.path("repo/AGENTS.md"), 40_013]]);
    expect(files[0]?.content).toBe(tree.read("repo/AGENTS.md"));
    expect(context).toContain("<agents_usage>");
    expect(context).not.toContain("Root rules.");
    expect(hook(tree, bash("cat README.md")).context).toBe("");
  });

  test("a NUL in a file is shown as it is by hooks", () => {
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root\0rules.\n" });
    expect(ask(tree, start()).files[0]?.content).toBe("Root\uFFFDrules.\n");
  });

  test("what the client gives by itself is not given", () => {
    using tree = tempTree({ ...TREE, "repo/CLAUDE.md": "@AGENTS.md\n" });
    expect(ask(tree, start()).files).toEqual([]);
  });

  test("a sub-agent has the files of its parent, in the versions that it was given", () => {
    using tree = tempTree(TREE);
    const { files } = ask(tree, start());
    const given = files.map(({ path, mtimeMs, sizeBytes }) => ({ path, mtimeMs, sizeBytes }));
    const begun = { hook_event_name: "SubagentStart", given, ...SUB };
    expect(ask(tree, begun)).toMatchObject({ files: [], context: expect.not.stringContaining("Root rules.") });
    tree.write("repo/AGENTS.md", "New root rules.\n");
    const changed = ask(tree, { ...begun, agent_id: "agent-2" });
    expect(changed).toMatchObject({ files: [], context: expect.stringContaining("New root rules.") });
    const compacted = ask(tree, { ...start("compact"), ...SUB, given: changedGiven(tree) });
    expect(compacted).toMatchObject({ files: [], context: expect.not.stringContaining("New root rules.") });
    const bare = ask(tree, { ...begun, agent_id: "agent-3", agent_type: "Explore" });
    expect(bare.context).toContain("New root rules.");
  });

  test("a resume gives the files again, and names only what else has changed", () => {
    using tree = tempTree(TREE);
    ask(tree, start());
    ask(tree, read(tree.path("repo/app/main.ts")));
    expect(ask(tree, start("resume"))).toMatchObject({ files: [{ sizeBytes: 40_013 }], context: "" });
    tree.write("repo/AGENTS.md", "New root rules.\n");
    tree.write("repo/app/AGENTS.md", "New app rules.\n");
    const { files, context } = ask(tree, start("resume"));
    expect(files.map(({ content }) => content)).toEqual(["New root rules.\n"]);
    expect(context).toContain(`- ${tree.path("repo/app/AGENTS.md")} (mtime: `);
    expect(context).not.toContain(`- ${tree.path("repo/AGENTS.md")} (`);
  });

  describe("for a module that was loaded after the session had begun", () => {
    const late = { hook_event_name: "PromptContext" };

    test("the files come apart, and the rest is said too: none of it is lost", () => {
      using tree = tempTree(TREE);
      const { files, context } = ask(tree, late);
      expect(files.map(({ path }) => path)).toEqual([tree.path("repo/AGENTS.md")]);
      expect(context).toContain("<agents_usage>");
      expect(ask(tree, bash("cat README.md")).context).toBe("");
    });

    test("what has changed since the session was left is said", () => {
      using tree = tempTree(TREE);
      ask(tree, start());
      ask(tree, read(tree.path("repo/app/main.ts")));
      tree.write("repo/app/AGENTS.md", "New app rules.\n");
      expect(ask(tree, late).context).toContain(`- ${tree.path("repo/app/AGENTS.md")} (mtime: `);
      expect(ask(tree, start("resume")).context).toBe("");
    });

    test.each([late, start("resume")])("what hooks have given is not given again: %j", (event) => {
      using tree = tempTree(TREE);
      expect(hook(tree, start(), ["claude", "--part", "1/16"]).context).toContain("Root rules.");
      expect(ask(tree, event)).toMatchObject({ files: [], context: "" });
    });
  });

  test("a file beyond the budget is told in our own words, which say so", () => {
    const limits = { "repo/.codelia/config.json": '{ "agents": { "initial": { "maxBytes": 1000 } } }' };
    using tree = tempTree({ ...TREE, ...limits });
    const { files, context } = ask(tree, start());
    expect(files).toEqual([]);
    expect(context).toContain("Root rules.");
  });

  test("the end of a turn is nothing to it, outside a guided session", () => {
    using tree = tempTree(TREE);
    expect(ask(tree, { hook_event_name: "Stop", last_assistant_message: "x", stop_hook_active: false })).toEqual(
      answerIn(""),
    );
  });
});

test("the module uses nothing else of the client", () => {
  const text = readFileSync(join(REPOSITORY, "hooks/plugin/mod/hooks/register.ts"), "utf8");
  const found = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].toSorted();
  expect(found(/\bon\("([^"]+)"/g)).toEqual([
    "classic.SessionStart",
    "classic.SubagentStart",
    "classic.UserPromptSubmit",
    "prompt.context",
  ]);
  const methods = ["env.set", "process.run", "session.cwd", "session.id", "store.set"];
  expect(found(/\$\.(\w+(?:\.\w+)*)/g)).toEqual(methods);
  expect(found(/\b(import|fetch|eval|Function|globalThis)\b/g)).toEqual([]);
});

test("asked whether it can be read, it answers and records nothing", () => {
  using tree = tempTree(TREE);
  const options = { cwd: tree.path("repo"), home: tree.path("home"), stdin: '{"ping":true}' };
  expect(runCodelia(["hook", "claude", "--mod"], options).stdout).toBe('{"pong":true}\n');
  expect(existsSync(tree.path("repo/.codelia"))).toBe(false);
});

describe("a hook for a start that the module has answered", () => {
  const LEDGER = "repo/.codelia/session.json";
  const SECOND = 1000;
  const STARTS: [what: string, fields: Fields, rule: string][] = [
    ["a session", start(), "<agents_usage>"],
    ["a compaction", start("compact"), "<agents_usage>"],
    ["a sub-agent", { hook_event_name: "SubagentStart", ...SUB }, "Root rules."],
  ];
  test.each(STARTS)("of %s says nothing, however slow it is to start", (_, fields, rule) => {
    using tree = tempTree(TREE);
    expect(ask(tree, fields).context).toContain(rule);
    // Asked by another plugin's module.
    expect(ask(tree, fields).context).toBe("");
    for (const seconds of [0, 20]) {
      age(tree, seconds * SECOND);
      expect(hook(tree, fields).context).toBe("");
    }
    // Much later it is another start, which no module has announced.
    age(tree, 40 * SECOND);
    expect(hook(tree, fields).context).toContain("Root rules.");
  });

  test("says nothing of what has not changed when the session is resumed", () => {
    using tree = tempTree(TREE);
    ask(tree, start());
    tree.write("repo/AGENTS.md", "New root rules.\n");
    expect(ask(tree, start("resume")).files).toHaveLength(1);
    expect(hook(tree, start("resume")).context).toBe("");
  });

  /** As if the start had been told this long ago. */
  function age(tree: TempTree, byMs: number): void {
    const moved = (text: string) =>
      text.replaceAll(/"(at|up)":\s*(\d+)/g, (_, key, value) => `"${key}":${Math.max(0, Number(value) - byMs)}`);
    const before = tree.read(LEDGER);
    tree.write(LEDGER, moved(before));
    if (byMs > 0) expect(tree.read(LEDGER)).not.toBe(before);
  }
});

test("while a module answers for a session, hooks that start a process end at once", () => {
  using tree = tempTree(TREE);
  const options = { cwd: tree.path("repo"), home: tree.path("home") };
  const call = (session: string) => {
    const env = { CODELIA_ANSWERED: session };
    return runCodelia(["hook", "claude"], { ...options, env, stdin: eventText(tree, start()) }).stdout;
  };
  expect(call("s")).toBe("");
  expect(existsSync(tree.path("repo/.codelia"))).toBe(false);
  expect(call("another")).toContain("Root rules.");
  // Its end is reported only to hooks that start a process.
  hook(tree, { hook_event_name: "SubagentStart", ...SUB });
  const contexts = () => Object.keys(JSON.parse(tree.read("repo/.codelia/session.json")).sessions.s.contexts);
  expect(contexts()).toEqual(["main", "agent-1"]);
  const stdin = eventText(tree, { hook_event_name: "SessionEnd", reason: "other" });
  runCodelia(["hook", "claude"], { ...options, env: { CODELIA_ANSWERED: "s" }, stdin });
  expect(contexts()).toEqual(["main"]);
});
