import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { before, bash, eventText, hook, read } from "../support/hook-calls.ts";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, file, type Bench } from "./agents-bench.ts";

setDefaultTimeout(60_000);

// No config of a clone can keep a command from ending, or allow what the user forbids.

const skill = (name: string) => `---\nname: ${name}\ndescription: Does it\n---\nBody of ${name}.\n`;

function forbidding(table: Readonly<Record<string, Entry>>): Bench {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file("root\n"),
    "repo/.agents/skills/deploy/SKILL.md": skill("deploy"),
    "repo/.agents/skills/greet/SKILL.md": skill("greet"),
    "home/.codelia/config.yaml": "permissions: { deny: [{ tool: skill_load, skill_name: deploy }] }\n",
    ...table,
  });
}

const DENIED = "permissions.deny[0] in ";
/** Much more than a call takes, and much less than a test may take. */
const timeoutMs = 5_000;
/** 60 KB of valid YAML with many values. */
const RULES = Array.from({ length: 1000 }, (_, index) => `    - tool: skill_load\n      skill_name: s${index}\n`);
const MANY = `permissions:\n  confirm:\n${RULES.join("")}`;
/** Makes Bun collect garbage all the time, as if on a machine on which every parser takes many times as long. */
const SLOW = { BUN_JSC_slowPathAllocsBetweenGCs: "20" };

const UNUSABLE: readonly (readonly [what: string, entries: Readonly<Record<string, Entry>>])[] = [
  ["a comment in a list without an end (TOML)", { "config.toml": "a=[1#" }],
  ["a comment in a table without an end (TOML)", { "config.toml": "a={a=1#" }],
  ["tables in each other by their keys (TOML)", { "config.toml": `${"a.".repeat(30_000)}a=1` }],
  ["lists in each other (TOML)", { "config.toml": `a=${"[".repeat(60_000)}` }],
  ["lists in each other (YAML)", { "config.yaml": `a: ${"[".repeat(60_000)}` }],
  ["brackets that close nothing (YAML)", { "config.yaml": `a: ${"]".repeat(60_000)}` }],
  ["16,000 keys (YAML)", { "config.yaml": `x: {${keys(16_000).join(",")}}\n` }],
  ["lists in each other (JSON)", { "config.json": "[".repeat(60_000) }],
  ["comments that never end (JSON)", { "config.jsonc": `{} ${"/*".repeat(30_000)}` }],
  ["more than 64 KiB", { "config.json": `{}${" ".repeat(70_000)}` }],
  ["a key that lifts what it may not", { "config.json": '{"permissions":{"deny":[],"denyy":[]}}' }],
  ["two files", { "config.json": "{}", "config.toml": "" }],
  ["a FIFO", { "config.toml": { fifo: true } }],
  ["a directory", { "config.yaml": dir }],
  ["a link to nothing", { "config.yaml": { link: "nothing" } }],
];

/** 1 to 3 letters each, so that most of them fit. */
function keys(count: number): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  return [...letters, ...pairs, ...pairs.flatMap((pair) => letters.map((last) => pair + last))].slice(0, count);
}

describe("what the user forbids stays forbidden while the project's config is", () => {
  for (const [what, entries] of UNUSABLE) {
    test(what, () => {
      const placed = Object.entries(entries).map(([name, entry]) => [`repo/.codelia/${name}`, entry]);
      using tree = forbidding(Object.fromEntries(placed));
      const loaded = tree.codelia(["skills", "load", "deploy"], { timeoutMs });
      expect(loaded.exitCode).toBe(1);
      expect(loaded.stdout).toContain(DENIED + tree.path("home/.codelia/config.yaml"));
      expect(loaded.stderr).toStartWith(`codelia: warning: config '${tree.path("repo/.codelia")}/`);
      expect(loaded.stderr).toMatch(/; the (file is ignored until this is fixed|rest of the file is used)\n/);
      // The unreadable part may forbid skills, so none is loaded.
      const greeted = tree.codelia(["skills", "load", "greet"], { timeoutMs });
      expect(greeted.exitCode).toBe(greeted.stderr.includes("the file is ignored") ? 3 : 0);
      for (const event of [
        before("Skill", { skill: "deploy" }),
        read(tree.path("repo/.agents/skills/deploy/SKILL.md")),
        bash("cat .agents/skills/deploy/SKILL.md"),
      ]) {
        expect(hook(tree, event).refusal).toMatchObject({ decision: "deny" });
      }
      const codex = hook(tree, bash("cat .agents/skills/deploy/SKILL.md"), ["codex"]);
      expect(codex.refusal).toMatchObject({ decision: "deny" });
    });
  }
});

describe("a config of the project whose parser takes too long", () => {
  const placed = { "repo/.codelia/config.yaml": MANY };

  test("is not used and named, and what the user forbids holds", () => {
    using tree = forbidding(placed);
    const { stdout, stderr, exitCode } = tree.codelia(["skills", "load", "deploy"], { env: SLOW });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(DENIED);
    expect(stderr).toStartWith(
      `codelia: warning: config '${tree.path("repo/.codelia/config.yaml")}': parsing it takes longer than 500 ms; make it smaller or simpler; the file is ignored until this is fixed\n`,
    );
    const event = { stdin: eventText(tree, before("Skill", { skill: "deploy" })), env: SLOW };
    const hooked = tree.codelia(["hook", "claude"], event);
    expect(hooked).toMatchObject({ stderr: "", exitCode: 0 });
    expect(JSON.parse(hooked.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  });

  test("is used by the next call that has the time", () => {
    using tree = forbidding(placed);
    expect(tree.codelia(["config"], { env: SLOW })).toMatchObject({ exitCode: 3 });
    const { stdout, stderr, exitCode } = tree.codelia(["config"]);
    expect([stderr, exitCode]).toEqual(["", 0]);
    expect(stdout).toContain('permissions.confirm[999] = {"tool":"skill_load","skill_name":"s999"}');
    // It is cached now, so nothing is parsed even there.
    for (let calls = 0; isParsed(tree); calls++) if (calls > 200) throw new Error("it is never remembered");
    expect(tree.codelia(["config"], { env: SLOW })).toMatchObject({ exitCode: 0 });
  });

  test("is the user's own: it gets the time that it takes", () => {
    using tree = bench({ "home/.codelia/config.yaml": MANY });
    expect(tree.codelia(["config"], { env: SLOW })).toMatchObject({ stderr: "", exitCode: 0 });
  });
});

function isParsed(tree: Bench): boolean {
  const { stderr } = tree.codelia(["config"], { env: { CODELIA_TRACE: "1" } });
  return stderr.includes('"stage":"config-parse"');
}

describe("Codex's config with a comment in a list without an end keeps nothing from ending", () => {
  const trusted = (tree: Bench) => `[projects."${tree.path("repo")}"]\ntrust_level = "trusted"\n`;
  for (const place of ["home/.codex/config.toml", "repo/.codex/config.toml"]) {
    test(place, () => {
      using tree = forbidding({});
      if (place.startsWith("repo")) tree.write("home/.codex/config.toml", trusted(tree));
      tree.write(place, "a=[1#");
      for (const args of [
        ["explain", "--as", "codex"],
        ["init-context", "--as", "codex"],
        ["check", "--as", "codex"],
        ["doctor", "codex"],
      ]) {
        const { exitCode } = tree.codelia(args, { timeoutMs });
        // No hooks are installed, and Codex does not start with a project's config that is not TOML.
        const isFault = args[0] === "doctor" || (args[0] === "check" && place.startsWith("repo"));
        expect([args, exitCode]).toEqual([args, isFault ? 1 : 0]);
      }
      const start = eventText(tree, { hook_event_name: "SessionStart", source: "startup" });
      expect(tree.codelia(["hook", "codex"], { stdin: start, timeoutMs })).toMatchObject({ stderr: "", exitCode: 0 });
    });
  }
});
