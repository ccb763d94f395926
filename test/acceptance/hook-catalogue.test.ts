import { describe, expect, test } from "bun:test";
import { hook, optionsOf, start } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// A session is told of its skills however much else it begins with. If they are shortened, the text says so.

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
    expect(context.length).toBeLessThanOrEqual(10_000);
    return context;
  });
}

const CATALOGUE = "<skills_usage>";
const namesIn = (text: string) => [...text.matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name);
/** The lines of skills whose directory is given once. */
const listedIn = (text: string) =>
  [...text.matchAll(/<skill_list [^>]*>\n([^<]*) {2}<\/skill_list>/g)].flatMap(([, list = ""]) =>
    list
      .trimEnd()
      .split("\n")
      .map((line) => /^ {4}([a-z0-9-]+): (.+)$/.exec(line)?.slice(1) ?? ["?", line]),
  );

describe("hook: the skill catalogue at a start", () => {
  const LEVELS = ["", "a/", "a/b/", "a/b/c/"];

  /** The start of a session with four skills, and a file of this many lines at each level. */
  function begin(tree: TempTree, lines: readonly number[]): string {
    for (const [index, level] of LEVELS.entries()) {
      tree.write(`repo/${level}AGENTS.md`, "twelve byte.\n".repeat(lines[index] ?? 0));
    }
    const whole = parts(tree, "claude", { ...start(), cwd: tree.path("repo/a/b/c") }).join("");
    expect(whole.split(CATALOGUE)).toHaveLength(2);
    return whole;
  }

  test("is divided over the room that instruction files leave in every part", () => {
    using tree = tempTree({ ...TREE, ...skills(4) });
    const whole = begin(tree, [656, 656, 656, 656]);
    expect(namesIn(whole)).toEqual(["skill-0", "skill-1", "skill-2", "skill-3"]);
    expect(whole).toContain('truncated="false"');
    for (const level of LEVELS) expect(whole).toContain(`Instructions from: ${tree.path(`repo/${level}AGENTS.md`)}\n`);
  });

  test("gives a directory once where its limit would leave descriptions or skills out", () => {
    const group = `${"a-long-name-of-a-group-".repeat(8)}/`;
    using tree = tempTree({ ...TREE, ...skills(150, group) });
    const whole = parts(tree, "claude", start()).join("");
    expect(namesIn(whole)).toEqual([]);
    const wanted = Array.from({ length: 150 }, (_, index) => [`skill-${index}`, `Does skill-${index}`]);
    expect(listedIn(whole).toSorted()).toEqual(wanted.toSorted());
    expect(whole).toContain('truncated="false"');
    expect(whole).not.toContain("has them whole");
    const options = optionsOf(tree, "");
    expect(runCodelia(["doctor"], options).stdout).toContain("and 150 skills.");
    const preview = runCodelia(["preview", "--as", "claude"], options);
    expect(preview.stdout).toContain("- skills: 150 of 150 are named\n");
    expect(runCodelia(["init-context", "--no-state"], options).stdout).toContain('truncated="true"');
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
    hook(tree, start(), ["claude"]);
    for (let index = 2; index < count; index++) {
      const { exitCode } = runCodelia(["skills", "load", `skill-${index}`, "--session", "s"], optionsOf(tree, ""));
      expect(exitCode).toBe(0);
    }
    const whole = parts(tree, "claude", start("compact")).join("");
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

describe("the skill catalogue names every skill", () => {
  const LONG = "Checks every line of what was agreed and writes down what differs, whenever it is asked for. ";

  function many(count: number, length: number, group = ""): Record<string, Entry> {
    const names = Array.from({ length: count }, (_, index) => `ordinary-skill-number-${index}`);
    const about = (name: string) => `About ${name}: ${LONG.repeat(12)}`.slice(0, length).trim();
    return Object.fromEntries(
      names.map((name) => [`repo/.agents/skills/${group}${name}/SKILL.md`, skillFile(name, `"${about(name)}"`)]),
    );
  }

  const named = (text: string) => [
    ...namesIn(text),
    ...listedIn(text).map(([name]) => name),
    ...[...text.matchAll(/<skill_names [^>]*>([^<]*)<\/skill_names>/g)].flatMap(([, list = ""]) => list.split(", ")),
  ];

  test("31 ordinary ones are described in full, over the parts that there are, each once", () => {
    using tree = tempTree({ ...TREE, ...many(31, 700) });
    const all = parts(tree, "claude", start(), 4);
    const whole = all.join("");
    expect(all.filter((part) => part.includes("<skills_context")).length).toBeGreaterThan(1);
    expect(new Set(named(whole)).size).toBe(31);
    expect(named(whole)).toHaveLength(31);
    expect(whole.match(/<description>About [^<]{690,}<\/description>/g)).toHaveLength(31);
    expect(whole).not.toContain('truncated="true"');
    expect(whole.split("<skills_usage>")).toHaveLength(2);
  });

  test("180 ordinary ones are described in more than a few words, each once", () => {
    using tree = tempTree({ ...TREE, ...many(180, 200) });
    const whole = parts(tree, "claude", start(), 8).join("");
    expect(listedIn(whole).map(([name]) => name)).toHaveLength(180);
    expect(new Set(named(whole)).size).toBe(180);
    for (const [, description = ""] of listedIn(whole)) expect(description.length).toBeGreaterThan(100);
    expect(whole.split(`directory="${tree.path("repo/.agents/skills")}"`).length).toBeLessThan(40);
    expect(whole).toContain("each skill is in the directory of its name below it");
    expect(whole).not.toContain('truncated="true"');
  });

  test("as many as fit, where not even their names do", () => {
    using tree = tempTree({
      ...TREE,
      ...many(60, 100),
      "home/.codelia/config.yaml": "skills: { initial: { maxBytes: 1000 } }\n",
    });
    const whole = parts(tree, "claude", start()).join("");
    expect(named(whole).length).toBeGreaterThan(25);
    expect(named(whole).length).toBeLessThan(60);
    expect(whole).toContain('truncated="true"');
  });

  for (const [count, length] of [
    [31, 700],
    [60, 1000],
    [250, 300],
  ] as const) {
    test(`${count} of ${length} characters in the only part`, () => {
      using tree = tempTree({
        ...TREE,
        ...many(count, length),
        "home/.codelia/config.yaml": "skills: { initial: { maxEntries: 2000, maxBytes: 1048576 } }\n",
      });
      const [whole = ""] = parts(tree, "claude", start(), 1);
      expect(new Set(named(whole)).size).toBe(count);
      expect(whole).not.toContain('truncated="true"');
      expect(whole).toContain("codelia skills search &lt;query&gt; has them whole");
    });
  }

  test("init-context shortens descriptions before it leaves out a skill, and keeps four fields of each", () => {
    using tree = tempTree({ ...TREE, ...many(100, 1000) });
    const { stdout } = runCodelia(["init-context", "--only", "skills"], optionsOf(tree, ""));
    expect(new Set(namesIn(stdout)).size).toBe(100);
    for (const field of ["description", "path", "scope"]) expect(stdout.split(`<${field}>`)).toHaveLength(101);
    expect(stdout).toContain('truncated="false"');
    expect(stdout).toContain("…</description>");
    expect(stdout).not.toContain("<description></description>");
  });

  test("preview and doctor say how many are named, shortened, left out", () => {
    using tree = tempTree({ ...TREE, ...many(300, 1000) });
    const preview = runCodelia(["preview", "--as", "claude"], optionsOf(tree, ""));
    expect(preview.stdout).toMatch(
      /^- skills: \d+ of 300 are named, \d+ of them without their whole description; \d+ left out$/m,
    );
    const json = JSON.parse(runCodelia(["preview", "--as", "claude", "--json"], optionsOf(tree, "")).stdout);
    expect(json.skills.named + json.skills.leftOut).toBe(300);
    const doctor = runCodelia(["doctor"], optionsOf(tree, ""));
    expect(doctor.stdout).toMatch(/begins with .* and \d+ skills \(\d+ with shortened descriptions, \d+ left out\)\./);
  });
});
