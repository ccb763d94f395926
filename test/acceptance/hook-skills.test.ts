import { describe, expect, test } from "bun:test";
import { before, bash, hook, read, type Fields } from "../support/hook-calls.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";

// Skills that the permission rules forbid, against all tools that could load or read them.

const skill = (name: string) => `---\nname: ${name}\ndescription: Does it\n---\nBody of ${name}.\n`;

const TREE: Readonly<Record<string, Entry>> = {
  "home/": { dir: true },
  "repo/.git/": { dir: true },
  "repo/.codelia/config.json": JSON.stringify({
    permissions: {
      deny: [{ tool: "skill_load", skill_name: "deploy" }],
      confirm: [{ tool: "skill_load", skill_name: "publish" }],
    },
  }),
  "repo/.agents/skills/deploy/SKILL.md": skill("deploy"),
  "repo/.agents/skills/deploy/notes.md": "Notes.\n",
  "repo/.agents/skills/publish/SKILL.md": skill("publish"),
  "repo/.agents/skills/greet/SKILL.md": skill("greet"),
  "repo/.claude/skills": { link: "../.agents/skills" },
  "repo/other/SKILL.md": { link: "../.agents/skills/deploy/SKILL.md" },
  "repo/shortcut.md": { link: ".agents/skills/deploy/SKILL.md" },
  "repo/renamed/inner/SKILL.md": skill("deploy"),
  "repo/quoted/SKILL.md": '---\nname: "deploy"\ndescription: >-\n  Does\n  it\n---\nBody.\n',
  "repo/plain.md": "Nothing.\n",
  "home/.claude/skills/ship/SKILL.md": skill("deploy"),
};

const skillTool = (name: string) => before("Skill", { skill: name });
const DENIED = "permissions.deny[0] in ";

describe("hook: skills that the rules forbid", () => {
  const claude: [what: string, event: (path: (name: string) => string) => Fields, decision: string | undefined][] = [
    ["Read of its SKILL.md", (path) => read(path("repo/.agents/skills/deploy/SKILL.md")), "deny"],
    ["Read through a linked directory", (path) => read(path("repo/.claude/skills/deploy/SKILL.md")), "deny"],
    ["Read of a link to it", (path) => read(path("repo/shortcut.md")), "deny"],
    ["Read of a link in a directory of another name", (path) => read(path("repo/other/SKILL.md")), "deny"],
    ["Read of a copy that says the name", (path) => read(path("repo/renamed/inner/SKILL.md")), "deny"],
    ["Read of a header that takes YAML", (path) => read(path("repo/quoted/SKILL.md")), "deny"],
    ["Read of a part", (path) => before("Read", { file_path: path("repo/shortcut.md"), limit: 3 }), "deny"],
    ["cat", () => bash("cat .agents/skills/deploy/SKILL.md | head"), "deny"],
    ["cat after cd", () => bash("cd .agents/skills/deploy && cat SKILL.md"), "deny"],
    ["cat of a pattern", () => bash("cat .agents/skills/*/SKILL.md"), "deny"],
    ["grep through its directory", () => bash("grep -r Body .agents/skills/deploy"), "deny"],
    ["an MCP tool", (path) => before("mcp__fs__read_file", { path: path("repo/shortcut.md") }), "deny"],
    ["the Skill tool", () => skillTool("deploy"), "deny"],
    ["the Skill tool, as a command", () => skillTool(" /deploy"), "deny"],
    ["the Skill tool, in another letter case", () => skillTool("Deploy"), "deny"],
    ["the Skill tool, by the directory's name", () => skillTool("ship"), "deny"],
    ["the Skill tool, of a plugin", () => skillTool("tools:deploy"), "deny"],
    ["a rule that asks", () => skillTool("publish"), "ask"],
    ["a rule that asks, read", () => bash("cat .agents/skills/publish/SKILL.md"), "ask"],
    ["another skill", () => skillTool("greet"), undefined],
    ["another skill's file", (path) => read(path("repo/.agents/skills/greet/SKILL.md")), undefined],
    ["another file of the skill", (path) => read(path("repo/.agents/skills/deploy/notes.md")), undefined],
    ["names of the skills", () => bash("ls .agents/skills/deploy"), undefined],
    ["a search through everything", () => bash("grep -r Body ."), undefined],
    [
      "codelia's own loading, which checks the rules by itself",
      () => bash("codelia skills load .agents/skills/deploy"),
      undefined,
    ],
    ["the same by its path", (path) => bash(`${path("bin/codelia")} skills check .agents/skills/publish`), undefined],
    [
      "its name staged and committed",
      () => bash("git add .agents/skills/deploy/SKILL.md && git commit -m x"),
      undefined,
    ],
    ["a commit of it", () => bash("git commit -m x .agents/skills/deploy/SKILL.md"), undefined],
    ["a look at its changes while staging", () => bash("git add -p .agents/skills/deploy/SKILL.md"), "deny"],
    ["its size and time", () => bash("cd .agents/skills/deploy && stat SKILL.md; wc -l SKILL.md"), undefined],
    ["its checksum", () => bash("sha256sum .agents/skills/deploy/SKILL.md"), undefined],
    ["its text as a list of names", () => bash("wc --files0-from=.agents/skills/deploy/SKILL.md"), "deny"],
    ["any other file", (path) => read(path("repo/plain.md")), undefined],
  ];
  for (const [what, event, decision] of claude) {
    test(`Claude Code: ${what}: ${decision ?? "goes on"}`, () => {
      using tree = tempTree(TREE);
      const { refusal, context } = hook(
        tree,
        event((name) => tree.path(name)),
      );
      expect(refusal?.decision).toBe(decision as string);
      if (decision === "deny") {
        expect(refusal?.reason).toStartWith('<codelia-reminder type="permission.decision">\n');
        expect(refusal?.reason).toContain(DENIED + tree.path("repo/.codelia/config.json"));
      }
      if (decision === "ask") expect(refusal?.reason).toContain("load skill 'publish'");
      expect(context).toBe("");
    });
  }

  test("a name in a refusal is cut to the length that a skill's name may have", () => {
    const rules = { permissions: { deny: [{ tool: "skill_load", scope: "repo" }], confirm: [{ tool: "skill_load" }] } };
    using tree = tempTree({ ...TREE, "repo/.codelia/config.json": JSON.stringify(rules) });
    const { refusal } = hook(tree, skillTool("\u{1F600}".repeat(100_000)));
    expect(refusal?.reason).toContain(`\n- skill: ${"\u{1F600}".repeat(64)}…\n`);
    tree.write("repo/.codelia/config.json", JSON.stringify({ permissions: { confirm: [{ tool: "skill_load" }] } }));
    const asked = hook(tree, skillTool("a".repeat(300_000))).refusal;
    expect(asked?.reason).toStartWith(`codelia: load skill '${"a".repeat(64)}…'? `);
  });

  test("Codex can't ask the user: the skill is denied, with how the user can load it", () => {
    using tree = tempTree(TREE);
    const { refusal } = hook(tree, bash("cat .agents/skills/publish/SKILL.md"), ["codex"]);
    expect(refusal?.decision).toBe("deny");
    expect(refusal?.reason).toStartWith('<system-reminder type="permission.decision">\n');
    expect(refusal?.reason).toContain(`codelia skills load ${tree.path("repo/.agents/skills/publish/SKILL.md")}`);
  });

  test("Kimi Code's own tool for skills, and a shell command", () => {
    using tree = tempTree(TREE);
    for (const event of [skillTool("deploy"), skillTool("publish"), bash("cat .agents/skills/deploy/SKILL.md")]) {
      expect(hook(tree, event, ["kimi"]).refusal?.decision).toBe("deny");
    }
    expect(hook(tree, skillTool("greet"), ["kimi"]).stdout).toBe("");
  });

  test("a rule for a scope goes by where the skill is", () => {
    const rules = { permissions: { deny: [{ tool: "skill_load", scope: "user" }] } };
    using tree = tempTree({ ...TREE, "repo/.codelia/config.json": JSON.stringify(rules) });
    expect(hook(tree, skillTool("ship")).refusal?.decision).toBe("deny");
    expect(hook(tree, read(tree.path("home/.claude/skills/ship/SKILL.md"))).refusal?.decision).toBe("deny");
    expect(hook(tree, skillTool("greet")).refusal).toBeUndefined();
  });

  test("they are denied every time", () => {
    using tree = tempTree(TREE);
    for (let count = 0; count < 3; count++) expect(hook(tree, skillTool("deploy")).refusal?.decision).toBe("deny");
  });

  test.each([
    ["the user's own", { "repo/.codelia/config.json": "{}", "home/.codelia/config.json": "{" }],
    ["the project's", { "repo/.codelia/config.json": '{ "permissions": { "deny": [{}] } }' }],
  ])("while %s config can't be used, every skill is denied and nothing else", (_, configs) => {
    using tree = tempTree({ ...TREE, ...configs });
    for (const host of ["claude", "codex"]) {
      const { refusal } = hook(tree, bash("cat .agents/skills/greet/SKILL.md"), [host]);
      expect(refusal?.decision).toBe("deny");
      expect(refusal?.reason).toContain("config can't be used");
    }
    expect(hook(tree, skillTool("greet")).refusal?.decision).toBe("deny");
    expect(hook(tree, read(tree.path("repo/plain.md"))).refusal).toBeUndefined();
  });

  test("they are denied even where instructions are off", () => {
    const off = { agents: { enabled: false }, permissions: { deny: [{ tool: "skill_load" }] } };
    using tree = tempTree({ ...TREE, "repo/.codelia/config.json": JSON.stringify(off) });
    expect(hook(tree, skillTool("greet")).refusal?.decision).toBe("deny");
  });

  describe("a skill that is only turned off", () => {
    const off = { skills: { disabled: ["greet"] } };
    const turnedOff = { ...TREE, "repo/.codelia/config.json": JSON.stringify(off) };

    test.each(["greet", " /greet", "Greet", "tools:greet"])("is not loaded by the client's own tool: %j", (name) => {
      using tree = tempTree(turnedOff);
      const { refusal } = hook(tree, skillTool(name));
      expect(refusal?.decision).toBe("deny");
      expect(refusal?.reason).toContain(`(skills.disabled in ${tree.path("repo/.codelia/config.json")})`);
      expect(hook(tree, skillTool("publish")).refusal).toBeUndefined();
    });

    test("by the user as well, whatever a rule of the project allows", () => {
      const allowed = { permissions: { allow: [{ tool: "skill_load", skill_name: "greet" }] } };
      using tree = tempTree({
        ...TREE,
        "repo/.codelia/config.json": JSON.stringify(allowed),
        "home/.codelia/config.json": JSON.stringify(off),
      });
      expect(hook(tree, skillTool("greet")).refusal?.decision).toBe("deny");
    });

    test("may be read, so that it can be worked on", () => {
      using tree = tempTree(turnedOff);
      expect(hook(tree, read(tree.path("repo/.agents/skills/greet/SKILL.md"))).refusal).toBeUndefined();
      expect(hook(tree, bash("cat .agents/skills/greet/SKILL.md")).refusal).toBeUndefined();
    });
  });
});
