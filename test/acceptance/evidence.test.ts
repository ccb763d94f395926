import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, unlinkSync, utimesSync } from "node:fs";
import { run } from "../../src/cli.ts";
import { hookDisk } from "../support/disk-hooks.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { after, before, edit, eventText, hook, optionsOf, start, SUB, type Fields } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// How each context learned of its files, which is kept in a file beside the ledger; and `codelia report`, which sums it up.

const SKILLS = "repo/.agents/skills";
const TREE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/AGENTS.md": "Root rules.\n",
  "repo/app/AGENTS.md": "App rules.\n",
  "repo/app/a.ts": "a\n",
  "repo/lib/AGENTS.md": "Lib rules.\n",
  "repo/old/AGENTS.md": "Old rules.\n",
  [`${SKILLS}/notes/SKILL.md`]: skillFile("notes", "Write release notes"),
  [`${SKILLS}/tidy/SKILL.md`]: skillFile("tidy", "Find dead code"),
};

const session = (id: string, fields: Fields): Fields => ({ ...fields, session_id: id });
const reading = (tree: TempTree, path: string) =>
  after("Read", { file_path: tree.path(path) }, { tool_response: { file: { content: tree.read(path) } } });

function evidenceFile(tree: TempTree): string {
  const name = readdirSync(tree.path("repo/.codelia/sessions")).find((each) => each.endsWith(".jsonl")) ?? "";
  return `repo/.codelia/sessions/${name}`;
}

/** Each piece of news: in which context, how, and what, with `!` where it came with an edit. */
function newsIn(tree: TempTree): string[] {
  const lines = tree
    .read(evidenceFile(tree))
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => {
    const { context, epoch, edit: isEdit, files = [], skills = [] } = JSON.parse(line);
    const what = [...files, ...skills].map(
      ([how, path]: string[]) => `${how} ${path!.replace(tree.path("repo/"), "")}`,
    );
    return `${context} ${epoch}${isEdit ? "!" : ""}: ${what.join(", ")}`;
  });
}

function report(tree: TempTree, ...args: string[]) {
  const { stdout, stderr, exitCode } = runCodelia(["report", "--json", ...args], optionsOf(tree, ""));
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

test("the evidence has how each context came to know each file: native, named, read, given, written", () => {
  using tree = tempTree(TREE);
  hook(tree, start());
  hook(tree, edit(tree.path("repo/app/a.ts")));
  hook(tree, reading(tree, "repo/app/AGENTS.md"));
  hook(tree, after("Write", { file_path: tree.path("repo/lib/AGENTS.md"), content: "Lib rules.\n" }));
  hook(tree, { hook_event_name: "SubagentStart", ...SUB });
  hook(tree, { ...reading(tree, "repo/app/a.ts"), ...SUB });
  hook(tree, start("compact"));
  hook(tree, after("Skill", { skill: "notes" }));
  hook(tree, reading(tree, `${SKILLS}/tidy/SKILL.md`));
  expect(newsIn(tree)).toEqual([
    "main 1: native AGENTS.md",
    "main 1!: named app/AGENTS.md",
    "main 1: read app/AGENTS.md",
    "main 1: written lib/AGENTS.md",
    "agent-1 1: native AGENTS.md",
    "agent-1 1: native app/AGENTS.md",
    "main 2: native AGENTS.md",
    "main 2: loaded notes",
    "main 2: loaded .agents/skills/tidy/SKILL.md",
  ]);
});

test("text that codelia gives is evidence of that, and so are a search and a loaded skill", () => {
  using tree = tempTree({ ...TREE, "repo/.codelia/config.yaml": "agents: { resolver: { delivery: escalate } }\n" });
  hook(tree, start(), ["claude"]);
  hook(tree, before("Grep", { path: tree.path("repo/app"), pattern: "a" }));
  hook(tree, edit(tree.path("repo/app/a.ts")));
  for (const args of [
    ["search", "release"],
    ["load", "notes"],
  ]) {
    runCodelia(["skills", ...args, "--session", "s"], optionsOf(tree, ""));
  }
  expect(newsIn(tree)).toEqual([
    "main 1: native AGENTS.md",
    "main 1: named app/AGENTS.md",
    expect.stringMatching(/^main 1!?: given app\/AGENTS\.md$/),
    "main 1: found .agents/skills/notes/SKILL.md",
    "main 1: loaded .agents/skills/notes/SKILL.md",
  ]);
});

test("an idle call neither reads nor writes the evidence", async () => {
  using tree = tempTree(TREE);
  const asked: string[] = [];
  const noting =
    <Answer>(original: (path: string) => Answer) =>
    (path: string): Answer => {
      if (path.includes("/sessions")) asked.push(path);
      return original(path);
    };
  using _ = hookDisk({ look: noting, openToRead: noting, openToAppend: noting });
  const askedBy = async (fields: Fields) => {
    asked.length = 0;
    const home = tree.path("home");
    const stdin = eventText(tree, fields);
    await run(fakeWorld({ argv: ["hook", "claude"], cwd: tree.path("repo"), home, env: { HOME: home }, stdin }));
    return asked.filter((path) => path.startsWith(tree.path("repo")));
  };
  expect(await askedBy(start())).not.toEqual([]);
  const call = { file_path: tree.path("repo/b.ts") };
  for (const event of [before("Read", call), after("Read", call), before("Bash", { command: "ls" })]) {
    expect(await askedBy(event)).toEqual([]);
  }
});

test("evidence that can't be written is lost without harm", () => {
  using tree = tempTree(TREE);
  hook(tree, start());
  const path = tree.path(evidenceFile(tree));
  unlinkSync(path);
  mkdirSync(path);
  expect(hook(tree, edit(tree.path("repo/app/a.ts"))).context).toContain("app/AGENTS.md");
  expect(hook(tree, edit(tree.path("repo/app/a.ts"))).stdout).toBe("");
});

test("the evidence is not written through a link, nor beyond its limit, and is reset with its session", () => {
  using tree = tempTree({ ...TREE, "outside/": dir, "outside/kept.txt": "kept\n" });
  hook(tree, start());
  const file = evidenceFile(tree);
  tree.remove(file);
  symlinkSync(tree.path("outside/kept.txt"), tree.path(file));
  hook(tree, edit(tree.path("repo/app/a.ts")));
  expect(tree.read("outside/kept.txt")).toBe("kept\n");
  tree.remove(file);
  tree.write(file, "x".repeat(256 * 1024));
  hook(tree, edit(tree.path("repo/lib/b.ts")));
  expect(statSync(tree.path(file)).size).toBe(256 * 1024);
  runCodelia(["session", "reset", "--session", "s"], optionsOf(tree, ""));
  expect(existsSync(tree.path(file))).toBe(false);
  tree.remove("repo/.codelia/sessions");
  symlinkSync(tree.path("outside"), tree.path("repo/.codelia/sessions"));
  hook(tree, start());
  expect(readdirSync(tree.path("outside"))).toEqual(["kept.txt"]);
});

test("evidence older than 30 days is removed when a context begins, and no other", () => {
  using tree = tempTree(TREE);
  hook(tree, session("old", start()));
  const old = evidenceFile(tree);
  utimesSync(tree.path(old), 1, 1);
  hook(tree, session("new", start()));
  expect(existsSync(tree.path(old))).toBe(false);
  expect(report(tree)).toMatchObject({ sessions: 1, contexts: 1 });
});

test("report counts no evidence that came with a clone, belongs to another ledger, or can't be read", () => {
  using tree = tempTree(TREE);
  hook(tree, start());
  const file = evidenceFile(tree);
  const line = tree.read(file).trim();
  const forged = { ...JSON.parse(line), files: [["read", tree.path("repo/old/AGENTS.md"), 1, 9]] };
  const lines = [
    { ...forged, tree: "9.planted@1" },
    { ...forged, session: "other" },
    { ...forged, more: 1 },
  ];
  tree.write(file, [line, ...lines.map((each) => JSON.stringify(each)), "{", '{"at":1'].join("\n"));
  expect(report(tree)).toMatchObject({ sessions: 1, contexts: 1 });
  const old = report(tree).files.find(({ path }: { path: string }) => path === tree.path("repo/old/AGENTS.md"));
  expect(old.contexts.all).toBe(0);
});

/** Six sessions: each edits in `app`, the first of them then reads its rules. */
function worked(): TempTree {
  const tree = tempTree(TREE);
  for (const id of ["1", "2", "3", "4", "5", "6"]) {
    hook(tree, session(id, start()));
    hook(tree, session(id, edit(tree.path("repo/app/a.ts"))));
  }
  hook(tree, session("1", reading(tree, "repo/app/AGENTS.md")));
  hook(tree, session("1", after("Skill", { skill: "notes" })));
  return tree;
}

test("report sums up, for each file and skill, how it reached contexts and what it cost", () => {
  using tree = worked();
  const { sessions, contexts, bytesPerSession, files, skills } = report(tree);
  expect({ sessions, contexts, bytesPerSession }).toEqual({ sessions: 6, contexts: 6, bytesPerSession: 14 });
  const none = { all: 0, native: 0, given: 0, named: 0, readAfter: 0, editFirst: 0, unread: 0 };
  const about = (path: string, counts: object, bytes: number, tokens: number) => ({
    path: tree.path("repo", path),
    isGone: false,
    sizeBytes: statSync(tree.path("repo", path)).size,
    contexts: { ...none, ...counts },
    bytesPerSession: bytes,
    tokensPerSession: tokens,
  });
  expect(files).toEqual([
    about("AGENTS.md", { all: 6, native: 6 }, 12, 3),
    about("app/AGENTS.md", { all: 6, named: 6, readAfter: 1, editFirst: 6, unread: 5 }, 2, 1),
    about("lib/AGENTS.md", {}, 0, 0),
    about("old/AGENTS.md", {}, 0, 0),
  ]);
  expect(skills).toEqual([
    { name: "notes", path: tree.path(SKILLS, "notes/SKILL.md"), found: 0, loaded: 1 },
    { name: "tidy", path: tree.path(SKILLS, "tidy/SKILL.md"), found: 0, loaded: 0 },
  ]);
});

test("report advises what follows: escalate, the gate, files that never applied, skills that nobody finds", () => {
  using tree = worked();
  const { advice } = report(tree);
  const inRepo = (path: string) => tree.path("repo", path);
  expect(advice.map(({ kind, subjects }: { kind: string; subjects: string[] }) => [kind, subjects])).toEqual([
    ["named-not-read", [inRepo("app/AGENTS.md")]],
    ["named-with-edit", [inRepo("app/AGENTS.md")]],
    ["never-applied", [inRepo("lib/AGENTS.md"), inRepo("old/AGENTS.md")]],
    ["skill-not-found", [inRepo(".agents/skills/tidy/SKILL.md")]],
  ]);
  tree.write("repo/.codelia/config.yaml", "agents: { resolver: { delivery: escalate, gate: edit } }\n");
  expect(report(tree).advice.map(({ kind }: { kind: string }) => kind)).toEqual(["never-applied", "skill-not-found"]);
});

test("report leaves out what is older than --since, and refuses a time that it does not understand", () => {
  using tree = worked();
  const text = expect.stringContaining("is recorded in this time");
  expect(report(tree, "--since", "2100-01-01")).toMatchObject({ sessions: 0, advice: [{ kind: "no-sessions", text }] });
  expect(report(tree, "--since", "1h")).toMatchObject({ sessions: 6 });
  const { stdout, stderr, exitCode } = runCodelia(["report", "--since", "soon"], optionsOf(tree, ""));
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: "",
    stderr: "codelia: '--since' can't be 'soon'; it must be like 12h, 30d, 4w or 2026-11-01\n",
    exitCode: 64,
  });
});

test("report counts archived sessions too, and writes nothing", () => {
  using tree = worked();
  const ledger = JSON.parse(tree.read("repo/.codelia/session.json"));
  for (const each of Object.values(ledger.sessions) as { updatedAt: number }[]) each.updatedAt -= 26 * 3600 * 1000;
  tree.write("repo/.codelia/session.json", JSON.stringify(ledger));
  hook(tree, session("7", start()));
  expect(Object.keys(JSON.parse(tree.read("repo/.codelia/session.json")).sessions)).toEqual(["7"]);
  const present = readdirSync(tree.path("repo/.codelia"), { recursive: true });
  expect(report(tree)).toMatchObject({ sessions: 7, contexts: 7 });
  expect(readdirSync(tree.path("repo/.codelia"), { recursive: true })).toEqual(present);
});
