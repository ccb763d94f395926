import { describe, expect, test } from "bun:test";
import { hook, optionsOf, start } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// However much a session begins with, it is told its skills: shortened if need be, and then it says so.

const TREE: Readonly<Record<string, Entry>> = { "home/": dir, "repo/.git/": dir, "repo/CLAUDE.md": "Be brief.\n" };

function skills(count: number, group = ""): Record<string, Entry> {
  const names = Array.from({ length: count }, (_, index) => `skill-${index}`);
  return Object.fromEntries(
    names.map((name) => [`repo/.agents/skills/${group}${name}/SKILL.md`, skillFile(name, `Does ${name}`)]),
  );
}

function parts(tree: TempTree, host: string, event: object, count = 4): string[] {
  return Array.from({ length: count }, (_, index) => {
    const { context } = hook(tree, { ...event }, [host, "--part", `${index + 1}/${count}`]);
    expect(new TextEncoder().encode(context).length).toBeLessThanOrEqual(10_000);
    return context;
  });
}

const CATALOGUE = "<skills_context>";
const namesIn = (text: string) => [...text.matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name);

describe("hook: the skill catalogue at a start", () => {
  const LEVELS = ["", "a/", "a/b/", "a/b/c/"];

  /** The start of a session with a file of so many lines at each level, and four skills. */
  function begin(tree: TempTree, lines: readonly number[]): string {
    for (const [index, level] of LEVELS.entries()) {
      tree.write(`repo/${level}AGENTS.md`, "twelve byte.\n".repeat(lines[index] ?? 0));
    }
    const whole = parts(tree, "claude", { ...start(), cwd: tree.path("repo/a/b/c") }).join("");
    expect(whole.split(CATALOGUE)).toHaveLength(2);
    return whole;
  }

  test("is shortened to the room that instruction files leave in every part, and says so", () => {
    using tree = tempTree({ ...TREE, ...skills(4) });
    const whole = begin(tree, [656, 656, 656, 656]);
    expect(namesIn(whole).length).toBeLessThan(4);
    expect(whole).toContain('truncated="true"');
    for (const level of LEVELS) expect(whole).toContain(`Instructions from: ${tree.path(`repo/${level}AGENTS.md`)}\n`);
  });

  test("replaces the farthest instruction file when the files leave it no room", () => {
    using tree = tempTree({ ...TREE, ...skills(4) });
    const whole = begin(tree, [1500, 638, 638, 638]);
    expect(namesIn(whole)).toEqual(["skill-0", "skill-1", "skill-2", "skill-3"]);
    expect(whole).toContain('truncated="false"');
    expect(whole).toMatch(/\[shown: lines \d+–\d+ of 1500; the rest comes with the next messages/);
    for (const level of LEVELS.slice(1)) {
      expect(whole).toContain(`Instructions from: ${tree.path(`repo/${level}AGENTS.md`)}\n`);
    }
  });

  test("is there even when the nearest file alone fills the only part; that file is cut", () => {
    using tree = tempTree({ ...TREE, ...skills(4), "repo/AGENTS.md": "A rule of many.\n".repeat(600) });
    const whole = parts(tree, "claude", start(), 1).join("");
    expect(whole).toContain(CATALOGUE);
    expect(whole).toMatch(/\[shown: lines 1–\d+ of 600; the rest comes with the next messages/);
  });

  test("is there after a compaction, however many skills were loaded; it says how many of those it leaves out", () => {
    const count = 40;
    using tree = tempTree({ ...TREE, ...skills(count, `${"long-group-name-".repeat(15)}/`), ...skills(2) });
    hook(tree, start(), ["codex"]);
    for (let index = 2; index < count; index++) {
      const { exitCode } = runCodelia(["skills", "load", `skill-${index}`, "--session", "s"], optionsOf(tree, ""));
      expect(exitCode).toBe(0);
    }
    const whole = parts(tree, "codex", start("compact")).join("");
    expect(whole).toContain(CATALOGUE);
    expect(namesIn(whole).length).toBeGreaterThan(5);
    const [, list = ""] = whole.split("<skills_loaded>");
    const named = list.split("  <path>").length - 1;
    expect(named).toBeGreaterThan(5);
    expect(list).toContain(
      `\n${count - 2 - named} of them are not named here: codelia skills search &lt;query&gt; finds`,
    );
  });
});
