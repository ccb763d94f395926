import { describe, expect, test } from "bun:test";
import { hook, start } from "../support/hook-calls.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// The files and skills that a prompt names, on the built binary.

const SKILLED: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/lib/AGENTS.md": "Lib rules.\n",
  "repo/lib/deep/AGENTS.md": "Deep rules.\n",
  "repo/.agents/skills/release-notes/SKILL.md": skillFile("release-notes", "Draft release notes"),
};

describe("hook: a prompt", () => {
  test("is told what applies to its files, and where its skills are", () => {
    using tree = tempTree(SKILLED);
    hook(tree, start());
    const prompt = (text: string) => hook(tree, { hook_event_name: "UserPromptSubmit", prompt: text }).context;
    const path = tree.path("repo/.agents/skills/release-notes/SKILL.md");
    expect(prompt("Use $release-notes now")).toContain(`- release-notes: codelia skills load ${path}\n`);
    expect(prompt("costs $5 or $HOME or $unknown-skill")).toBe("");
    expect(prompt("look at @lib/deep/x.ts")).toContain("repo/lib/deep/AGENTS.md");
    expect(prompt("look at @lib/deep/x.ts")).toBe("");
  });

  test("is given a command that loads the skill even when its path has a blank", () => {
    using tree = tempTree(SKILLED);
    const spaced = { cwd: tree.path("my notes") };
    tree.write("my notes/.agents/skills/release-notes/SKILL.md", skillFile("release-notes", "Drafts"));
    tree.write("my notes/.git/HEAD", "");
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Use $release-notes now", ...spaced };
    const path = `${spaced.cwd}/.agents/skills/release-notes/SKILL.md`;
    expect(hook(tree, prompt).context).toContain(`- release-notes: codelia skills load '${path}'\n`);
  });

  test("that names a skill by path is told exactly that one", () => {
    const other = skillFile("release-notes", "Another one");
    using tree = tempTree({ ...SKILLED, "home/.agents/skills/release-notes/SKILL.md": other });
    const prompt = (text: string) => hook(tree, { hook_event_name: "UserPromptSubmit", prompt: text }).context;
    const [mine, theirs] = [
      tree.path("repo/.agents/skills/release-notes/SKILL.md"),
      tree.path("home/.agents/skills/release-notes/SKILL.md"),
    ];
    expect(prompt("Use $release-notes")).toContain("is the name of 2 skills");
    for (const text of [
      "Use .agents/skills/release-notes/SKILL.md, please.",
      "Use @.agents/skills/release-notes/SKILL.md.",
      "Use (.agents/skills/release-notes)!",
      `Use \`${tree.path("repo/.agents/skills/release-notes/")}\``,
    ]) {
      expect([text, prompt(text)]).toEqual([
        text,
        expect.stringContaining(`- release-notes: codelia skills load ${mine}\n`),
      ]);
      expect(prompt(text)).not.toContain(theirs);
    }
    expect(prompt("Use ~/.agents/skills/release-notes")).toContain(`codelia skills load ${theirs}\n`);
    expect(prompt("and/or src/x.ts https://example.com/SKILL.md")).toBe("");
  });

  test("is not told skills that are forbidden or disabled", () => {
    const deny = { permissions: { deny: [{ tool: "skill_load" }] } };
    for (const settings of [deny, { skills: { disabled: ["release-notes"] } }, { skills: { enabled: false } }]) {
      using tree = tempTree({ ...SKILLED, "repo/.codelia/config.json": JSON.stringify(settings) });
      const prompt = "Use $release-notes or .agents/skills/release-notes/SKILL.md";
      expect(hook(tree, { hook_event_name: "UserPromptSubmit", prompt }).stdout).toBe("");
    }
  });

  test("gets suggestions of skills that fit only if the settings ask for them", () => {
    const files = {
      ...SKILLED,
      "repo/.agents/skills/changelog/SKILL.md": skillFile(
        "changelog",
        "Write the notes of a release into the changelog",
      ),
      "repo/.agents/skills/deploy/SKILL.md": skillFile("deploy", "Deploy the shop"),
    };
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Please draft the release notes" };
    {
      using tree = tempTree(files);
      expect(hook(tree, prompt).stdout).toBe("");
    }
    using tree = tempTree({ ...files, "repo/.codelia/config.json": '{ "skills": { "suggest": 1 } }' });
    const { context } = hook(tree, prompt);
    expect(context).toStartWith("<skills_suggested>\n");
    expect([...context.matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name)).toEqual(["release-notes"]);
    expect(hook(tree, { ...prompt, prompt: "xyzzy" }).stdout).toBe("");
    // A skill that the prompt names is not suggested.
    expect(hook(tree, { ...prompt, prompt: "$release-notes for the release" }).context).toContain(
      "<name>changelog</name>",
    );
  });
});

// What a prompt names comes first: the files that apply, then the skills. Suggestions get the room that is left.

const LONG = "リリースノートを書く。".repeat(89).slice(0, 980);
const named = (group: string, name: string) => `repo/.agents/skills/${group}${name}/SKILL.md`;
const TREE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/lib/AGENTS.md": "Lib rules.\n",
  "repo/lib/c.ts": "",
  [named("", "tool")]: skillFile("tool", "A tool"),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((nth) => [named("", `notes-${nth}`), skillFile(`notes-${nth}`, LONG)])),
};

function config(delivery: "paths" | "body", suggest = 5): Readonly<Record<string, Entry>> {
  const settings = { skills: { suggest }, agents: { resolver: { delivery } } };
  return { "repo/.codelia/config.json": JSON.stringify(settings) };
}

function ask(tree: TempTree, prompt: string): string {
  const { context } = hook(tree, { hook_event_name: "UserPromptSubmit", prompt }, ["codex"]);
  expect(new TextEncoder().encode(context).length).toBeLessThanOrEqual(10_000);
  return context;
}

/** Skills of one name in directories with such long names that a client would not accept even all of their paths. */
function namesakes(names: readonly string[], each: number): Record<string, Entry> {
  const groups = Array.from({ length: each }, (_, index) => `${"long-group-name-".repeat(15)}${index}/`);
  const places = names.flatMap((name) => groups.map((group) => [named(group, name), skillFile(name, "Another")]));
  return Object.fromEntries(places);
}

const suggestedIn = (text: string) => text.split("<name>").length - 1;
const PROMPT = "@lib/c.ts を見て $tool でリリースノート";

describe("hook: a prompt with more to tell than the client lets through", () => {
  for (const delivery of ["paths", "body"] as const) {
    test(`tells the files and skills that the prompt names, and as many suggestions as fit (${delivery})`, () => {
      using tree = tempTree({ ...TREE, ...config(delivery) });
      const context = ask(tree, PROMPT);
      expect(context).toContain(delivery === "paths" ? tree.path("repo/lib/AGENTS.md") : "Lib rules.\n");
      expect(context).toContain(`- tool: codelia skills load ${tree.path(named("", "tool"))}\n`);
      expect([1, 2, 3, 4]).toContain(suggestedIn(context));
      // The files are not told again.
      expect(ask(tree, PROMPT)).not.toContain("lib/AGENTS.md");
    });
  }

  test("without files, tells the skill that the prompt names, and as many suggestions as fit", () => {
    using tree = tempTree({ ...TREE, ...config("paths") });
    const context = ask(tree, "$tool でリリースノート");
    expect(context).toContain("- tool: codelia");
    expect([1, 2, 3, 4]).toContain(suggestedIn(context));
  });

  for (const prompt of ["@lib/c.ts $alpha $beta $gamma", "$alpha $beta $gamma"]) {
    test(`tells the skills that fit, and how many do not: ${prompt}`, () => {
      using tree = tempTree({ ...TREE, ...config("paths", 0), ...namesakes(["alpha", "beta", "gamma"], 14) });
      const context = ask(tree, prompt);
      if (prompt.startsWith("@")) expect(context).toContain(tree.path("repo/lib/AGENTS.md"));
      expect(context).toContain("- alpha is the name of 14 skills");
      expect(context).toContain("- beta is the name of 14 skills");
      expect(context).toContain("1 more skill that the user names");
      expect(context).not.toContain("gamma");
    });
  }

  test("says so when no skill fits at all", () => {
    using tree = tempTree({ ...TREE, ...config("body", 0), ...namesakes(["alpha"], 50) });
    const context = ask(tree, "@lib/c.ts $alpha");
    expect(context).toContain("Lib rules.\n");
    expect(context).toContain("1 more skill that the user names");
  });

  test("leaves out no instruction file for the sake of skills", () => {
    const many = Array.from({ length: 8 }, (_, index) => "d/".repeat(index + 1));
    const files = Object.fromEntries(many.map((way) => [`repo/lib/${way}AGENTS.md`, "Rules.\n"]));
    const skills = namesakes(["alpha", "beta", "gamma"], 10);
    using tree = tempTree({ ...TREE, ...config("paths"), ...files, ...skills, [`repo/lib/${many.at(-1)}x.ts`]: "" });
    const context = ask(tree, `@lib/${many.at(-1)}x.ts $alpha $beta $gamma リリースノート`);
    expect(context.split("AGENTS.md (mtime").length - 1).toBe(8);
    expect(context).toContain("- alpha is");
  });
});
