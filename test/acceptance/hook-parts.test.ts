import { describe, expect, test } from "bun:test";
import { makeText } from "../delivery/play.ts";
import { readMessage } from "../reliability/lib/start-oracle.ts";
import { answerOf, eventText, hook, optionsOf, start, SUB, type Fields } from "../support/hook-calls.ts";
import { CODELIA, startCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

// A start in several parts, whose processes run at the same time: each piece is told once, and none is lost.

const FILES = {
  "repo/AGENTS.md": makeText("AGENTS.md", 30_000),
  "repo/app/AGENTS.md": makeText("app/AGENTS.md", 20_000),
};
const RULES = Object.values(FILES).flatMap((text) => text.split("\n").filter((line) => line.startsWith("- Rule ")));
const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "Go." };
const TOOL = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "true" }, tool_response: {} };

function project(): TempTree {
  const skills = { "repo/.agents/skills/review/SKILL.md": skillFile("review", "Reviews") };
  return tempTree({ "home/": dir, "repo/.git/": dir, "repo/CLAUDE.md": "Be brief.\n", ...FILES, ...skills });
}

const inApp = (tree: TempTree, fields: Fields) => eventText(tree, { cwd: tree.path("repo/app"), ...fields });
const partsOf = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);

/** The texts of hook calls that run at the same time. */
async function atOnce(tree: TempTree, fields: Fields, calls: readonly (readonly string[])[]): Promise<string[]> {
  const options = optionsOf(tree, inApp(tree, fields));
  const ended = await Promise.all(calls.map((args) => startCodelia(["hook", ...args], options)));
  expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(ended.map(() => [0, ""]));
  return ended.map(({ stdout }) => answerOf(stdout).context);
}

const begin = (tree: TempTree, parts: readonly string[], source = "startup") =>
  atOnce(
    tree,
    start(source),
    parts.map((part) => ["claude", "--part", part]),
  );

const then = (tree: TempTree, fields: Fields) => hook(tree, inApp(tree, fields)).context;

/** How many lines occur how often in the texts. */
function counts(texts: readonly string[], lines = RULES): Record<number, number> {
  const all = texts.join("\n").split("\n");
  const found: Record<number, number> = {};
  for (const line of lines) {
    const count = all.filter((each) => each === line).length;
    found[count] = (found[count] ?? 0) + 1;
  }
  return found;
}

const ONCE = { 1: RULES.length };

function addSkills(tree: TempTree, count: number, length: number, more = ""): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `skill-${index}${more}`;
    tree.write(`repo/.agents/skills/${name}/SKILL.md`, skillFile(name, `Does ${"x".repeat(length - 5)}`));
    return name;
  });
}

describe("a start in parts", () => {
  test.each([
    ["at two levels", "startup", [...partsOf(16), ...partsOf(16)]],
    ["at two levels, after a compaction", "compact", [...partsOf(16), ...partsOf(16)]],
    ["by a plugin besides, of an earlier version", "startup", [...partsOf(16), ...partsOf(4)]],
    ["by a plugin besides, in one part", "startup", [...partsOf(16), ...partsOf(1)]],
  ])("registered %s: every piece is told once", async (_, source, parts) => {
    using tree = project();
    const texts = await begin(tree, parts, source);
    // Parts of another division leave something for later.
    for (let turn = 0; turn < 6; turn++) texts.push(then(tree, turn % 2 ? TOOL : PROMPT));
    expect(counts(texts)).toEqual(ONCE);
    expect(texts.join("").split("<agents_usage>")).toHaveLength(2);
    expect(texts.join("").split("<name>review</name>")).toHaveLength(2);
    expect(then(tree, PROMPT)).toBe("");
  });

  test.each([
    ["one part alone", ["1/1"]],
    ["one part after some of many", ["2/16", "3/16", "1/1", ...partsOf(16)]],
    ["one part between many", [...partsOf(16).toReversed().slice(0, 13), "1/1", "3/16", "2/16", "1/16"]],
  ])("one after another, %s: every piece is told once, and the skills with the first of them", async (_, parts) => {
    using tree = project();
    const texts: string[] = [];
    for (const part of parts) texts.push(...(await begin(tree, [part])));
    const atStart = texts.join("");
    for (let turn = 0; turn < 8; turn++) texts.push(then(tree, turn % 2 ? TOOL : PROMPT));
    expect(counts(texts)).toEqual(ONCE);
    expect(atStart.split("<name>review</name>")).toHaveLength(2);
    expect(texts.join("").split("<agents_usage>")).toHaveLength(2);
    expect(texts.join("").split("<name>review</name>")).toHaveLength(2);
  });

  test("with a list of skills as long as an output: it comes whole with a later message, before more files", async () => {
    using tree = project();
    addSkills(tree, 60, 104);
    const texts = await begin(tree, ["1/1"]);
    for (let turn = 0; turn < 9; turn++) texts.push(then(tree, turn % 2 ? TOOL : PROMPT));
    expect(counts(texts)).toEqual(ONCE);
    const named = texts.map((text) => new Set(text.match(/\bskill-\d+\b/g)).size);
    expect(named.filter((count) => count > 0)).toEqual([60]);
    expect(texts.join("")).not.toContain('truncated="true"');
  });

  test.each([
    ["four and two, mixed", ["3/4", "1/2", "1/4", "2/4", "2/2", "4/4"]],
    ["two and four, mixed", ["2/2", "4/4", "1/4", "3/4", "2/4", "1/2"]],
    ["one, then four", ["1/1", "1/4", "2/4", "3/4", "4/4"]],
    ["sixteen and four, of which some end late", [...partsOf(16).slice(0, 4), ...partsOf(4), ...partsOf(16).slice(4)]],
  ])("with a list of skills in several parts, divided in two ways (%s): each skill is named once", async (_, parts) => {
    using tree = project();
    const names = addSkills(tree, 60, 400);
    const texts: string[] = [];
    for (const part of parts) texts.push(...(await begin(tree, [part])));
    for (let turn = 0; turn < 9; turn++) texts.push(then(tree, turn % 2 ? TOOL : PROMPT));
    expect(counts(texts)).toEqual(ONCE);
    const named = texts.flatMap((text) => readMessage(text).skills);
    expect(named.toSorted()).toEqual(["review", ...names].toSorted());
    expect(texts.join("")).not.toContain('truncated="true"');
  });

  test("with more names of skills than an output holds, beside a file that fills one: as many as it can, once", async () => {
    using tree = project();
    tree.write("repo/app/AGENTS.md", makeText("app/AGENTS.md", 9000));
    const long = addSkills(tree, 199, 20, "n".repeat(50));
    const texts = await begin(tree, ["1/1"]);
    for (let turn = 0; turn < 9; turn++) texts.push(then(tree, turn % 2 ? TOOL : PROMPT));
    const named = texts.map((text) => readMessage(text).skills.length);
    expect(named.filter((count) => count > 0)).toHaveLength(1);
    expect(Math.max(...named)).toBeGreaterThan(long.length / 2);
    expect(texts.filter((text) => text.includes('truncated="true"'))).toHaveLength(1);
  });

  test("in Codex, registered twice: every piece is told once", async () => {
    using tree = project();
    const whole = ["codex", "--part", "whole"];
    const texts = await atOnce(tree, start(), [whole, whole]);
    expect(texts.filter((text) => text !== "")).toHaveLength(1);
  });

  test.each(["codex --part whole", "gemini"])(
    "registered twice, one of them slow to start: every piece is told once (%s)",
    (words) => {
      using tree = project();
      const whole = () => hook(tree, inApp(tree, start()), words.split(" ")).context;
      expect(whole()).toContain("<agents_usage>");
      expect(whole()).toBe("");
    },
  );

  test("without one of them, which was killed: the rest is carried on", async () => {
    using tree = project();
    const options = optionsOf(tree, inApp(tree, start()));
    const killed = Bun.spawn([CODELIA, "hook", "claude", "--part", "2/16"], {
      cwd: options.cwd,
      env: { HOME: options.home, PATH: "/usr/bin:/bin" },
      stdin: "pipe",
    });
    // It is killed while it waits for its event.
    killed.kill("SIGKILL");
    await killed.exited;
    const texts = await begin(
      tree,
      partsOf(16).filter((part) => part !== "2/16"),
    );
    const missing = counts(texts)[0] ?? 0;
    expect(missing).toBeGreaterThan(10);
    texts.push(then(tree, PROMPT));
    expect(counts(texts)).toEqual(ONCE);
    expect(then(tree, TOOL)).toBe("");
  });

  test("without two of them: what stands between is no gap in a text, and no mark sends to what was given", async () => {
    using tree = project();
    const texts = await begin(
      tree,
      partsOf(16).filter((part) => part !== "1/16" && part !== "3/16"),
    );
    const later: string[] = [];
    for (let turn = 0; turn < 4; turn++) later.push(then(tree, turn % 2 ? TOOL : PROMPT));
    expect(counts([...texts, ...later])).toEqual(ONCE);
    const sections = later.flatMap((text) => text.split("Instructions from: ").slice(1));
    const numbers = sections.map((text) =>
      Array.from(text.matchAll(/^- Rule (\d+) of/gm), ([, number]) => Number(number)),
    );
    expect(numbers.length).toBeGreaterThan(1);
    for (const section of numbers) {
      // Some lines are headings or blank.
      expect(section.every((number, index) => index === 0 || number === (section[index - 1] ?? 0) + 1)).toBe(true);
    }
    expect(later.join("")).toContain("; what follows was given before]");
    expect(later.join("")).not.toMatch(/read on from line/);
  });

  test("carried on by several processes at once: every piece is told once", async () => {
    using tree = project();
    const texts = await begin(tree, partsOf(1));
    const calls = [["claude"], ["claude"], ["claude"]];
    for (let turn = 0; turn < 6; turn++) texts.push(...(await atOnce(tree, turn % 2 ? TOOL : PROMPT, calls)));
    expect(counts(texts)).toEqual(ONCE);
  });

  test("compacted in the middle: all of it is told again", async () => {
    using tree = project();
    const before = await begin(tree, partsOf(1));
    before.push(then(tree, PROMPT));
    expect(counts(before)[0]).toBeGreaterThan(10);
    const texts = await begin(tree, partsOf(2), "compact");
    for (let turn = 0; turn < 8; turn++) texts.push(then(tree, turn % 2 ? TOOL : PROMPT));
    expect(counts(texts)).toEqual(ONCE);
    expect(texts.join("").split("<agents_usage>")).toHaveLength(2);
  });

  test("resumed in the middle: what was not told is told", async () => {
    using tree = project();
    const texts = await begin(tree, partsOf(2));
    texts.push(hook(tree, inApp(tree, start("resume"))).context);
    for (let turn = 0; turn < 6; turn++) texts.push(then(tree, PROMPT));
    expect(counts(texts)).toEqual(ONCE);
  });

  test("of a sub-agent in a directory below that of its session: the rest is that of its own directory", async () => {
    using tree = project();
    hook(tree, start());
    const sub = { hook_event_name: "SubagentStart", ...SUB };
    const texts = [hook(tree, inApp(tree, sub), ["claude", "--part", "1/1"]).context];
    for (let turn = 0; turn < 8; turn++) texts.push(then(tree, { ...(turn % 2 ? TOOL : PROMPT), ...SUB }));
    expect(counts(texts)).toEqual(ONCE);
    expect(texts.join("").split("<name>review</name>")).toHaveLength(2);
  });

  test("carried on in another repository, whose config names other files: the rest comes there or afterwards", async () => {
    using tree = project();
    tree.write("repo/.codelia/config.json", '{ "agents": { "fallbackFilenames": ["RULES.md"] } }');
    tree.write("repo/app/RULES.md", tree.read("repo/app/AGENTS.md"));
    tree.remove("repo/app/AGENTS.md");
    tree.write("repo/app/vendor/.git/HEAD", "ref: refs/heads/main\n");
    const texts = await begin(tree, ["1/1"]);
    const elsewhere = { cwd: tree.path("repo/app/vendor") };
    const there = [PROMPT, TOOL, PROMPT, TOOL, PROMPT].map((event) => hook(tree, { ...event, ...elsewhere }).context);
    expect(there.join("")).toContain("- Rule 1 of AGENTS.md:");
    expect(there.at(-1)).toBe("");
    texts.push(...there);
    for (let turn = 0; turn < 8; turn++) texts.push(then(tree, turn % 2 ? TOOL : PROMPT));
    expect(counts(texts)).toEqual(ONCE);
  });

  test("resumed where nothing is known of the session: it begins, in all of its parts", async () => {
    using tree = project();
    const texts = await begin(tree, partsOf(16), "resume");
    expect(counts(texts)).toEqual(ONCE);
    expect(then(tree, PROMPT)).toBe("");
  });
});
