import { describe, expect, test } from "bun:test";
import { run } from "../../src/cli.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { after, bash, edit, eventText, hook, named, read, start } from "../support/hook-calls.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// What a model has seen in another way is not told again: a tool showed it, or the client loaded it.

const FILES: Readonly<Record<string, Entry>> = {
  "home/": { dir: true },
  "repo/.git/": { dir: true },
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/lib/AGENTS.md": "Lib rules.\nMore of them.\n",
  "repo/lib/x.ts": "",
};

const tree = (more: Readonly<Record<string, Entry>> = {}) => tempTree({ ...FILES, ...more });

/** The files named with a command, and with the next touch in lib after the command had this output. */
function toldAround(repo: TempTree, command: string, output: string, more: object = {}) {
  hook(repo, start());
  const before = named(repo, hook(repo, bash(command)).context);
  hook(repo, { ...after("Bash", { command }), tool_response: { stdout: output, stderr: "" }, ...more });
  return { before, next: named(repo, hook(repo, bash("ls lib")).context) };
}

describe("a command counts as what it shows", () => {
  const TEXT = "Lib rules.\nMore of them.\n";
  for (const command of [
    "cat lib/AGENTS.md",
    "cat lib/AGENTS.md | head -400",
    "cat lib/AGENTS.md | head",
    "git show HEAD:lib/AGENTS.md",
  ]) {
    test(command, () => {
      using repo = tree();
      expect(toldAround(repo, command, TEXT)).toEqual({ before: [], next: [] });
    });
  }

  test("cat lib/AGENTS.md missing: it fails, and shows the file all the same", () => {
    using repo = tree();
    const error = `Exit code 1\n${TEXT}cat: missing: No such file or directory`;
    const failed = { hook_event_name: "PostToolUseFailure", error };
    expect(toldAround(repo, "cat lib/AGENTS.md missing", "", failed)).toEqual({ before: [], next: [] });
  });

  test("git show of another version does not count", () => {
    using repo = tree();
    const { next } = toldAround(repo, "git show HEAD:lib/AGENTS.md", "Old rules of lib.\n");
    expect(next).toEqual(["lib/AGENTS.md"]);
  });

  test("a file that is cut by head does not count", () => {
    using repo = tree();
    const { before } = toldAround(repo, "cat lib/AGENTS.md | head -1", "Lib rules.\n");
    expect(before).toEqual(["lib/AGENTS.md"]);
  });
});

describe("what Claude Code brings by itself", () => {
  const LINKED = { "repo/lib/CLAUDE.md": { link: "AGENTS.md" } };
  const COPIED = { "repo/lib/CLAUDE.md": "Lib rules.\nMore of them.\n" };
  const IMPORTED = { "repo/lib/CLAUDE.md": "@AGENTS.md\n" };
  const prompt = (text: string) => ({ hook_event_name: "UserPromptSubmit", prompt: text });

  for (const [what, more] of [
    ["a link", LINKED],
    ["a copy", COPIED],
    ["an import", IMPORTED],
  ] as const) {
    test(`with a plain reading in a shell: ${what} of a nested CLAUDE.md`, () => {
      for (const command of ["cat lib/x.ts", "head -5 lib/x.ts", "sed -n 1,5p lib/x.ts", "grep a lib/x.ts"]) {
        using repo = tree(more);
        expect(toldAround(repo, command, "")).toEqual({ before: [], next: [] });
      }
    });

    test(`with a file that a prompt mentions: ${what} of a nested CLAUDE.md`, () => {
      using repo = tree(more);
      hook(repo, start());
      expect(hook(repo, prompt("Look at @lib/x.ts")).stdout).toBe("");
      expect(hook(repo, bash("ls lib")).stdout).toBe("");
    });
  }

  test("no nested CLAUDE.md with a pipe, with two files, or with another program", () => {
    for (const command of ["cat lib/x.ts | wc -l", "cat lib/x.ts CLAUDE.md", "ls lib", "cd lib && cat x.ts"]) {
      using repo = tree(IMPORTED);
      expect(toldAround(repo, command, "").before).toEqual(["lib/AGENTS.md"]);
    }
  });

  test("no nested CLAUDE.md with the reading of a file that is not there", () => {
    using repo = tree(IMPORTED);
    expect(toldAround(repo, "cat lib/missing.ts", "").before).toEqual(["lib/AGENTS.md"]);
  });

  test("an instruction file that a prompt mentions comes with it", () => {
    using repo = tree();
    hook(repo, start());
    expect(hook(repo, prompt("Mind @lib/AGENTS.md")).stdout).toBe("");
    expect(hook(repo, bash("ls lib")).stdout).toBe("");
  });

  test.each([
    ["a link", LINKED],
    ["a copy", COPIED],
  ])("a CLAUDE.md that is %s is named by that name, once", (_, files) => {
    using repo = tree(files);
    hook(repo, start());
    expect(named(repo, hook(repo, bash("ls lib")).context)).toEqual(["lib/CLAUDE.md"]);
    expect(hook(repo, bash("ls lib")).stdout).toBe("");
    expect(hook(repo, edit(repo.path("repo/lib/x.ts"))).stdout).toBe("");
    using other = tree(files);
    hook(other, start(), ["codex"]);
    expect(named(other, hook(other, bash("ls lib"), ["codex"]).context)).toContain("lib/AGENTS.md");
  });

  test("who reads a CLAUDE.md that is a copy knows AGENTS.md", () => {
    using repo = tree({ ...COPIED, "repo/.codelia/config.yaml": "agents: { resolver: { delivery: escalate } }\n" });
    hook(repo, start());
    expect(hook(repo, bash("ls lib")).context).toContain("lib/CLAUDE.md");
    hook(repo, after("Read", { file_path: repo.path("repo/lib/CLAUDE.md") }));
    expect(hook(repo, edit(repo.path("repo/lib/x.ts"))).context).not.toContain("Lib rules.");
  });
});

describe("what Claude Code restores after a compaction", () => {
  const record = (value: object) => `${JSON.stringify(value)}\n`;
  const BOUNDARY = record({ type: "system", subtype: "compact_boundary" });
  const restored = (filePath: string, content: string, more: object = {}) => {
    const lines = content.split("\n").length;
    const file = { filePath, content, numLines: lines, startLine: 1, totalLines: lines, ...more };
    return record({
      type: "attachment",
      attachment: { type: "file", filename: filePath, content: { type: "text", file } },
    });
  };

  function toldAfter(transcript: (path: string, text: string) => string, source = "compact"): string[] {
    using repo = tree();
    const path = repo.path("repo/lib/AGENTS.md");
    repo.write("home/transcript.jsonl", transcript(path, repo.read("repo/lib/AGENTS.md")));
    const own = (event: object) => ({ ...event, transcript_path: repo.path("home/transcript.jsonl") });
    hook(repo, own(start()));
    hook(repo, own(read(path)));
    hook(repo, own(after("Read", { file_path: path })));
    hook(repo, own(start(source)));
    const first = named(repo, hook(repo, own(bash("ls lib"))).context);
    hook(repo, own(after("Bash", { command: "ls lib" })));
    return [...first, ...named(repo, hook(repo, own(bash("ls lib"))).context)];
  }

  test("is not named again", () => {
    expect(toldAfter((path, text) => BOUNDARY + restored(path, text))).toEqual([]);
  });

  test.each([
    ["once the transcript has the call, as it says so", { tool_use_id: "toolu_1" }, "", 15_150],
    ["in a transcript that never has the call, in time", { tool_use_id: "toolu_2" }, "named", 18_000],
    ["by a call without a name, at once", {}, "named", 15_100],
  ])("is looked for %s", async (_, fields, answer, end) => {
    using repo = tree();
    const [cwd, home] = [repo.path("repo"), repo.path("home")];
    const [path, transcript_path] = [repo.path("repo/lib/AGENTS.md"), repo.path("home/transcript.jsonl")];
    const clock = { ticks: 0 };
    const calling = record({ type: "assistant", message: { content: [{ type: "tool_use", id: "toolu_1" }] } });
    const write = () => {
      const isCalled = Object.values(fields).includes("toolu_1");
      const text = isCalled ? BOUNDARY + restored(path, repo.read("repo/lib/AGENTS.md")) + calling : BOUNDARY;
      repo.write("home/transcript.jsonl", text);
    };
    const call = async (event: object, onPause = () => {}) => {
      const stdin = eventText(repo, { ...event, transcript_path });
      const world = fakeWorld({ argv: ["hook", "claude"], cwd, home, env: { HOME: home }, stdin, clock, onPause });
      await run(world);
      return world.written();
    };
    for (const event of [start(), read(path), after("Read", { file_path: path }), start("compact")]) {
      await call(event);
      clock.ticks += 5000;
    }
    clock.ticks -= 4900;
    expect((await call({ ...bash("ls lib"), ...fields }, write)) === "" ? "" : "named").toBe(answer);
    expect(clock.ticks).toBe(end);
  });

  for (const [what, transcript] of [
    ["restored before the last compaction", (path: string, text: string) => restored(path, text) + BOUNDARY],
    ["restored in another version", (path: string) => BOUNDARY + restored(path, "Old rules.\n")],
    ["restored in part", (path: string, text: string) => BOUNDARY + restored(path, text, { totalLines: 900 })],
    ["not restored", () => BOUNDARY],
    ["in a transcript that can't be read", () => "\0{"],
  ] as const) {
    test(`is named where it was ${what}`, () => {
      expect(toldAfter(transcript)).toEqual(["lib/AGENTS.md"]);
    });
  }
});
