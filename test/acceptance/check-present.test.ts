import { describe, expect, test } from "bun:test";
import { checkProject, foundIn, runCheck } from "../support/check-project.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { dir, type Entry } from "../support/temp-tree.ts";

// Without `--as`, `codelia check` judges for the clients that are used here. What codelia's hooks tell them is no finding.

const HIDDEN = { "AGENTS.md": "Be brief.\n", "web/AGENTS.md": "Run the tests.\n", "CLAUDE.md": "Be kind.\n" };
const LONG = `${"Run the tests before you commit. ".repeat(1500)}\n`;

const THERE: [what: string, files: Readonly<Record<string, Entry>>, found: string[]][] = [
  ["no client", { "AGENTS.md": LONG }, []],
  ["Claude Code, by its file", HIDDEN, ["CLAUDE.md:1 instructions-shadowed"]],
  ["Claude Code, by its settings", { "AGENTS.md": "Be brief.\n", ".claude/": dir }, []],
  ["Codex, by its settings", { "AGENTS.md": LONG, ".codex/": dir }, ["AGENTS.md:1 instructions-cut"]],
];
test.each(THERE)("%s", (_what, files, found) => {
  using tree = checkProject(files);
  expect(foundIn(tree)).toEqual(found);
});

test("only codelia's own reading, where that is named", () => {
  using tree = checkProject(HIDDEN);
  expect(foundIn(tree, ["--as", "raw"])).toEqual([]);
});

describe("with hooks", () => {
  test.each(["project", "local", "user"])("of scope %s, hidden files are told and no finding", (scope) => {
    using tree = checkProject(HIDDEN);
    expect(runCheck(tree, ["--fail-on", "warning"]).exitCode).toBe(1);
    const options = { cwd: tree.path("repo"), home: tree.path("home") };
    expect(runCodelia(["install", "claude", "--scope", scope, "--yes"], options).exitCode).toBe(0);
    expect(foundIn(tree).filter((place) => place.endsWith("instructions-shadowed"))).toEqual([]);
    expect(runCodelia(["uninstall", "claude", "--scope", scope, "--yes"], options).exitCode).toBe(0);
    expect(foundIn(tree)).toEqual(["CLAUDE.md:1 instructions-shadowed"]);
  });

  test("a cut file is told by Codex's", () => {
    using tree = checkProject({ "AGENTS.md": LONG, ".codex/": dir });
    const options = { cwd: tree.path("repo"), home: tree.path("home") };
    expect(runCodelia(["install", "codex", "--scope", "user", "--yes"], options).exitCode).toBe(0);
    expect(foundIn(tree)).toEqual([]);
  });
});

describe("--fix --unsafe", () => {
  test("writes the import that mends it", () => {
    using tree = checkProject(HIDDEN);
    const before = runCheck(tree, ["--fix"]);
    expect(before.stderr).toBe("codelia: 1 warning (3 files checked); 1 with --fix --unsafe\n");
    expect(tree.read("repo/CLAUDE.md")).toBe("Be kind.\n");
    expect(runCheck(tree, ["--fix", "--unsafe"])).toEqual({
      stdout: "CLAUDE.md:1 fixed instructions-shadowed wrote 2 imports\n",
      stderr: "codelia: nothing found (4 files checked)\n",
      exitCode: 0,
    });
    expect(tree.read("repo/CLAUDE.md")).toBe("Be kind.\n\n@AGENTS.md\n");
    expect(tree.read("repo/web/CLAUDE.md")).toBe("@AGENTS.md\n");
  });

  test("writes nothing for a file that is the user's own", () => {
    using tree = checkProject({ "AGENTS.md": "Be brief.\n", "CLAUDE.local.md": "Be kind.\n" });
    runCheck(tree, ["--as", "claude", "--fix", "--unsafe"]);
    expect(tree.read("repo/CLAUDE.local.md")).toBe("Be kind.\n");
  });

  test("writes nothing into a text that a link leads to", () => {
    using tree = checkProject({
      "AGENTS.md": "Be brief.\n",
      "GUIDE.md": "Be kind.\n",
      "CLAUDE.md": { link: "GUIDE.md" },
    });
    const { stderr } = runCheck(tree, ["--fix", "--unsafe"]);
    expect([stderr, tree.read("repo/GUIDE.md")]).toEqual(["codelia: 1 warning (2 files checked)\n", "Be kind.\n"]);
  });

  test("links a skill as its siblings are linked", () => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: Review ${name}\n---\nBegin.\n`;
    using tree = checkProject({
      ".agents/skills/a1/SKILL.md": skill("a1"),
      ".agents/skills/b1/SKILL.md": skill("b1"),
      ".agents/skills/c1/SKILL.md": skill("c1"),
      ".claude/skills/a1": { link: "../../.agents/skills/a1" },
      ".claude/skills/b1": { link: "../../.agents/skills/b1" },
    });
    const { stdout, exitCode } = runCheck(tree, ["--fix", "--unsafe"]);
    expect([stdout, exitCode]).toEqual([
      ".agents/skills/c1/SKILL.md:1 fixed skill-not-linked made the link to '../../.agents/skills/c1'\n",
      0,
    ]);
    expect(tree.read("repo/.claude/skills/c1/SKILL.md")).toBe(skill("c1"));
  });
});
