import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { bash, edit, eventText, hook, named, optionsOf, read, start, SUB, type Fields } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { outputOf, runIn, skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Skills of directories below the working directory: told with the first touch, once per context.

const TREE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/.agents/skills/review/SKILL.md": skillFile("review", "Reviews changes"),
  "repo/web/AGENTS.md": "Web rules.\n",
  "repo/web/src/page.ts": "",
  "repo/web/.agents/skills/deploy-web/SKILL.md": skillFile("deploy-web", "Puts the web online"),
  "repo/web/admin/.agents/skills/add-user/SKILL.md": skillFile("add-user", "Adds a user"),
  "repo/web/admin/form.ts": "",
  "repo/api/main.ts": "",
  "repo/api/.agents/skills/migrate/SKILL.md": skillFile("migrate", "Changes the database"),
  "repo/p/src/": dir,
};

const repo = (more: Readonly<Record<string, Entry>> = {}) => tempTree({ ...TREE, ...more });
const skillsIn = (text: string) => [...text.matchAll(/<name>(.+?)<\/name>/g)].map(([, name]) => name);
const nearby = (tree: TempTree, path: string) => skillsIn(hook(tree, read(tree.path(`repo/${path}`))).context);

test("the skills of a package come with the first touch of it, with its instruction files, once", () => {
  using tree = repo();
  expect(hook(tree, start()).context).toContain("<name>review</name>");
  const { context } = hook(tree, edit(tree.path("repo/web/src/page.ts")));
  expect(named(tree, context)).toEqual(["web/AGENTS.md"]);
  expect(context).toEndWith(`<skills_nearby>
More skills apply here. Load one before you begin a task that its description fits: codelia skills load &lt;path&gt;.
  <skill>
    <name>deploy-web</name>
    <description>Puts the web online</description>
    <path>${tree.path("repo/web/.agents/skills/deploy-web/SKILL.md")}</path>
    <scope>repo</scope>
  </skill>
</skills_nearby>
`);
  expect(nearby(tree, "web/src/page.ts")).toEqual([]);
  expect(nearby(tree, "web/admin/form.ts")).toEqual(["add-user"]);
  const { mtimeMs, ino } = statSync(tree.path("repo/.codelia/session.json"));
  expect(hook(tree, bash("cat api/../web/admin/form.ts")).context).toBe("");
  expect(statSync(tree.path("repo/.codelia/session.json"))).toMatchObject({ mtimeMs, ino });
});

test.each([
  ["below", "repo", "repo/web", ["deploy-web", "review"], ["add-user"]],
  ["above", "repo/web/admin", "repo", ["review"], ["deploy-web", "add-user"]],
])("a sub-agent that begins %s its session is told what its own start did not list", (_, main, sub, listed, more) => {
  using tree = repo();
  hook(tree, { ...start(), cwd: tree.path(main) });
  const begun = hook(tree, { hook_event_name: "SubagentStart", cwd: tree.path(sub), ...SUB });
  expect(skillsIn(begun.context).toSorted()).toEqual(listed);
  const touch = { ...read(tree.path("repo/web/admin/form.ts")), cwd: tree.path(sub), ...SUB };
  expect(skillsIn(hook(tree, touch).context)).toEqual(more);
  expect(hook(tree, touch).context).toBe("");
});

test("one touch of several packages brings the skills of all, and those of directories on the way", () => {
  using tree = repo();
  hook(tree, start());
  const { context } = hook(tree, bash("cat web/admin/form.ts api/main.ts"));
  expect(skillsIn(context)).toEqual(["migrate", "deploy-web", "add-user"]);
});

test.each([
  ["rules", { "repo/.claude/rules/types.md": '---\npaths: "**/*.ts"\n---\nTypes.\n' }],
  ["skills", { "repo/.claude/skills/format/SKILL.md": skillFile("format", "Formats") }],
  ["nested instructions", { "repo/CLAUDE.md": "Brief.\n", "repo/api/CLAUDE.md": "Api memory.\n" }],
])("the client's own %s on the way don't keep them back", (_, own) => {
  using tree = repo(own);
  hook(tree, start());
  expect(skillsIn(hook(tree, bash("ls api")).context)).toEqual(["migrate"]);
  expect(hook(tree, bash("ls api")).context).toBe("");
});

describe("Claude Code's own skills of a package", () => {
  const OWN: Readonly<Record<string, Entry>> = {
    "repo/api/.claude/skills/seed/SKILL.md": skillFile("seed", "Fills the database"),
    "repo/api/.claude/skills/off/SKILL.md": skillFile("off", "Is switched off"),
    "repo/api/.claude/skills/asked/SKILL.md":
      "---\nname: asked\ndescription: By the user\ndisable-model-invocation: true\n---\n",
    "repo/api/.claude/skills/migrate": { link: "../../.agents/skills/migrate" },
    "repo/api/.agents/skills/plain/SKILL.md": skillFile("plain", "Is not linked"),
    "repo/.codelia/config.json": JSON.stringify({ skills: { disabled: ["off"] } }),
  };
  const later = (tree: TempTree, names: string) =>
    `These skills are listed to you once you read or edit a file here with a tool other than the shell:
  <skill_names scope="repo" directory="${tree.path("repo/api/.claude/skills")}">${names}</skill_names>
</skills_nearby>
`;

  test("are named with a shell command, which lists none of them, once", () => {
    using tree = repo(OWN);
    hook(tree, start());
    const { context } = hook(tree, bash("ls api"));
    expect(skillsIn(context)).toEqual(["plain"]);
    expect(context).toEndWith(later(tree, "migrate, seed"));
    expect(hook(tree, bash("ls api")).context).toBe("");
    expect(hook(tree, read(tree.path("repo/api/main.ts"))).context).toBe("");
  });

  test("are named where the package has no others", () => {
    using tree = repo(OWN);
    tree.remove("repo/api/.agents/skills");
    hook(tree, start());
    expect(hook(tree, bash("ls api")).context).toBe(`<skills_nearby>\n${later(tree, "seed")}`);
  });

  test("are left to the client with a tool that lists them", () => {
    using tree = repo(OWN);
    hook(tree, start());
    expect(nearby(tree, "api/main.ts")).toEqual(["plain"]);
    expect(hook(tree, bash("ls api")).context).toBe("");
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "look at @api/main.ts", session_id: "other" };
    hook(tree, { ...start(), session_id: "other" });
    expect(skillsIn(hook(tree, prompt).context)).toEqual(["plain"]);
  });

  test("mean nothing to another client", () => {
    using tree = repo(OWN);
    hook(tree, start(), ["codex"]);
    const { context } = hook(tree, bash("ls api"), ["codex"]);
    expect(skillsIn(context)).toEqual(["migrate", "plain"]);
    expect(context).not.toContain("seed");
  });
});

test("each context is told by itself, and again once it was compacted", () => {
  using tree = repo();
  hook(tree, start());
  expect(nearby(tree, "api/main.ts")).toEqual(["migrate"]);
  const sub = () => skillsIn(hook(tree, read(tree.path("repo/api/main.ts"), SUB)).context);
  hook(tree, { hook_event_name: "SubagentStart", ...SUB });
  expect([sub(), sub()]).toEqual([["migrate"], []]);
  hook(tree, start("compact"));
  expect(nearby(tree, "api/main.ts")).toEqual(["migrate"]);
  expect(nearby(tree, "api/main.ts")).toEqual([]);
});

test("a package that the agent changes to counts as below where the session began", () => {
  using tree = repo();
  hook(tree, start());
  const there = { ...read(tree.path("repo/api/main.ts")), cwd: tree.path("repo/api") };
  expect(skillsIn(hook(tree, there).context)).toEqual(["migrate"]);
  expect(skillsIn(hook(tree, there).context)).toEqual([]);
});

test("what the start has listed is not told again", () => {
  using tree = repo({ "repo/.agents/skills/migrate": { link: "../../api/.agents/skills/migrate" } });
  expect(hook(tree, start()).context).toContain("<name>migrate</name>");
  expect(nearby(tree, "api/main.ts")).toEqual([]);
  // The session began in the package itself.
  const inside = { cwd: tree.path("repo/web"), session_id: "other" };
  expect(hook(tree, { ...start(), ...inside }).context).toContain("<name>deploy-web</name>");
  expect(hook(tree, { ...read(tree.path("repo/web/src/page.ts")), ...inside }).context).toBe("");
});

test("a file that a prompt mentions is a touch, too", () => {
  using tree = repo();
  hook(tree, start());
  const prompt = { hook_event_name: "UserPromptSubmit", prompt: "look at @api/main.ts" };
  expect(skillsIn(hook(tree, prompt).context)).toEqual(["migrate"]);
  expect(hook(tree, prompt).context).toBe("");
});

test.each([
  { skills: { disabled: ["migrate"] } },
  { skills: { enabled: false } },
  { agents: { resolver: { enabled: false } } },
])("with %j nothing is told", (config) => {
  using tree = repo({ "repo/.codelia/config.json": JSON.stringify(config) });
  hook(tree, start());
  expect(hook(tree, read(tree.path("repo/api/main.ts"))).context).toBe("");
});

test("the client's own skills are named with a shell command, but none behind a link out of the clone", () => {
  using tree = repo({
    "outside/secret/SKILL.md": skillFile("secret", "Not of this clone"),
    "repo/web/.claude/skills": { link: "../../../outside" },
    "repo/api/.claude/skills/secret": { link: "../../../../outside/secret" },
    "repo/api/.claude/skills/own/SKILL.md": skillFile("own", "Of this clone"),
  });
  hook(tree, start());
  expect(hook(tree, bash("cat web/src/page.ts")).context).not.toContain("secret");
  const { context } = hook(tree, bash("cat api/main.ts"));
  expect(context).toContain(">own</skill_names>");
  expect(context).not.toContain("secret");
});

test("the directories of the config count", () => {
  using tree = repo({
    "repo/.codelia/config.json": JSON.stringify({ skills: { directories: ["tools/skills"] } }),
    "repo/api/tools/skills/seed/SKILL.md": skillFile("seed", "Fills the database"),
  });
  hook(tree, start());
  expect(nearby(tree, "api/main.ts")).toEqual(["seed"]);
});

describe("where the client's limit is short", () => {
  const many = (count: number, description: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        return [`repo/api/.agents/skills/skill-${index}/SKILL.md`, skillFile(`skill-${index}`, description)];
      }),
    );

  test("descriptions are shortened, then left out, before a skill is", () => {
    using tree = repo(many(30, "Does a thing. ".repeat(40)));
    hook(tree, start());
    const { context } = hook(tree, read(tree.path("repo/api/main.ts")));
    expect(context.match(/^ {4}[a-z0-9-]+: Does a thing\. Does .{80,}…$/gm)).toHaveLength(30);
    expect(context.length).toBeLessThanOrEqual(10_000);
    const directory = (of: TempTree) => `scope="repo" directory="${of.path("repo/api/.agents/skills")}">`;
    expect(context).toContain(`<skill_list ${directory(tree)}\n    migrate: `);
    expect(context).toContain("each skill is in the directory of its name below it");
    using names = repo(many(600, "Does a thing"));
    names.write("home/.codelia/config.yaml", "skills: { initial: { maxEntries: 2000 } }\n");
    hook(names, start());
    const listed = hook(names, read(names.path("repo/api/main.ts"))).context;
    expect(listed.match(/skill-\d+/g)).toHaveLength(600);
    expect(listed).toContain(`<skill_names ${directory(names)}`);
  });

  test("with the text of instruction files in the way they come with the next touch", () => {
    const config = { agents: { resolver: { delivery: "body" } } };
    using tree = repo({
      "repo/.codelia/config.json": JSON.stringify(config),
      "repo/api/AGENTS.md": "Api rules.\n".repeat(1000),
      ...many(100, "Does a thing"),
    });
    hook(tree, start());
    const touch = () => hook(tree, edit(tree.path("repo/api/main.ts"))).context;
    expect(touch()).not.toContain("skills_nearby");
    expect(touch()).toContain("skill-99");
    expect(touch()).toBe("");
  });
});

test("a touch that a gate keeps back announces nothing, and the same call again does", () => {
  using tree = repo({ "repo/.codelia/config.json": JSON.stringify({ agents: { resolver: { gate: "edit" } } }) });
  hook(tree, start());
  const touch = edit(tree.path("repo/web/src/page.ts"));
  expect(hook(tree, touch).refusal?.reason).not.toContain("skills_nearby");
  expect(skillsIn(hook(tree, touch).context)).toEqual(["deploy-web"]);
});

test("the module in Claude Code is told, too", () => {
  using tree = repo();
  const ask = (fields: Fields) => {
    const { stdout } = runCodelia(["hook", "claude", "--mod"], optionsOf(tree, eventText(tree, fields)));
    return skillsIn(stdout);
  };
  ask(start());
  expect(ask(read(tree.path("repo/api/main.ts")))).toEqual(["migrate"]);
  expect(ask(read(tree.path("repo/api/main.ts")))).toEqual([]);
});

test("preview shows it with the first edit of a path", () => {
  using tree = repo();
  expect(outputOf(tree, "preview", "../../api/main.ts")).toContain("<name>migrate</name>");
});

describe("skills load", () => {
  test("loads by its path what was announced", () => {
    using tree = repo();
    const path = tree.path("repo/api/.agents/skills/migrate/SKILL.md");
    for (const typed of [path, "api/.agents/skills/migrate"]) {
      const { stdout, stderr, exitCode } = runIn(tree, ["skills", "load", typed, "--again"], "repo");
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`<skill_context name="migrate" path="${path}">`);
    }
    expect(runIn(tree, ["skills", "load", "migrate"], "repo").exitCode).toBe(1);
  });

  test("asks the rules about it, and leaves the project for none", () => {
    const deny = { permissions: { deny: [{ tool: "skill_load", skill_name: "migrate" }] } };
    using tree = repo({
      "repo/.codelia/config.json": JSON.stringify(deny),
      "other/.agents/skills/strange/SKILL.md": skillFile("strange", "Elsewhere"),
      "repo/node_modules/x/.agents/skills/theirs/SKILL.md": skillFile("theirs", "A dependency's"),
    });
    const load = (path: string) => runIn(tree, ["skills", "load", path], "repo");
    expect(load("api/.agents/skills/migrate").stderr).toContain("denied by permissions.deny[0]");
    expect(load("../other/.agents/skills/strange").stderr).toContain("no skill '../other/.agents/skills/strange'");
    expect(load("node_modules/x/.agents/skills/theirs").stderr).toContain("no skill 'node_modules/x");
  });
});
