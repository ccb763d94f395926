import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { branched, git } from "../support/git-repository.ts";
import { foundIn, runCheck } from "../support/check-project.ts";
import type { Entry, TempTree } from "../support/temp-tree.ts";

// `codelia check --changed`: findings that depend on a change elsewhere, and the revision that is compared with.

const SKILL = (name: string) => `---\nname: ${name}\ndescription: Does it\n---\nSee [it](gone.md).\n`;
const LONG_SKILL = `---\nname: s-more\ndescription: Reviews ${"this part and ".repeat(70)}that.\n---\nBegin.\n`;
/** As many as have room. */
const LONG_SKILLS = Object.fromEntries(
  Array.from({ length: 23 }, (_, at) => [`.agents/skills/s-${at}/SKILL.md`, LONG_SKILL.replace("s-more", `s-${at}`)]),
);
const AGENT = JSON.stringify({
  version: "1.0",
  name: "greeter",
  entryStep: "greet",
  completion: { type: "iterationBudget", max: 1 },
  steps: { greet: { prompt: { path: "prompts/greet.md" } } },
});
const LINKED = { "docs/r.md": "Be kind.\n", "AGENTS.md": { link: "docs/r.md" } };
const PROMPT = ".agents/agents/greeter/prompts/greet.md";

describe("what depends on what a branch changed", () => {
  const WAYS: [what: string, files: Record<string, Entry>, change: (tree: TempTree) => void, found: string[]][] = [
    [
      "a link that leads nowhere now",
      LINKED,
      (tree) => tree.remove("repo/docs/r.md"),
      ["AGENTS.md:1 instructions-dangling-link"],
    ],
    [
      "the text that a link leads to",
      LINKED,
      (tree) => tree.write("repo/docs/r.md", "Read `docs/gone.md`.\n"),
      ["AGENTS.md:1 instructions-missing-path"],
    ],
    [
      "the budget, by the text that a link leads to",
      { ...LINKED, "web/AGENTS.md": "Run the tests.\n".repeat(2500) },
      (tree) => tree.write("repo/docs/r.md", "Run the tests.\n".repeat(18_000)),
      ["AGENTS.md:1 instructions-cut"],
    ],
    [
      "a directory that a link on the way leads to",
      { "texts/r.md": "Be kind.\n", docs: { link: "texts" }, "AGENTS.md": "Keep to `docs/r.md`.\n" },
      (tree) => tree.remove("repo/docs"),
      ["AGENTS.md:1 instructions-missing-path"],
    ],
    [
      "an agent definition without its prompt",
      { ".agents/agents/greeter/agent.json": AGENT, [PROMPT]: "Say hello.\n" },
      (tree) => tree.remove(`repo/${PROMPT}`),
      [".agents/agents/greeter/agent.json:1 agent-definition"],
    ],
    [
      "a client's list of skills, by one more behind a link",
      { ...LONG_SKILLS, ".claude/skills": { link: "../.agents/skills" } },
      (tree) => tree.write("repo/.agents/skills/s-more/SKILL.md", LONG_SKILL),
      [".claude/skills:1 client-list-full"],
    ],
    [
      "what the config says of a skill that has another name now",
      {
        ".agents/skills/s/SKILL.md": SKILL("s"),
        ".agents/skills/s/gone.md": "",
        ".codelia/config.yaml": "skills:\n  disabled: [s, never]\n",
      },
      (tree) => git(tree, "mv", ".agents/skills/s", "elsewhere"),
      [".codelia/config.yaml:2 config-unknown-skill"],
    ],
    [
      "a skill that is one by a new link",
      { "shared/linked/SKILL.md": SKILL("linked"), ".agents/skills/x": "" },
      (tree) => symlinkSync("../../shared/linked", tree.path("repo/.agents/skills/other")),
      ["shared/linked/SKILL.md:5 skill-missing-file"],
    ],
    [
      "skills whose directory is gone behind a link",
      { ".claude/skills/x": "", ".agents/skills": { link: "../.claude/skills" } },
      (tree) => tree.remove("repo/.claude"),
      [".agents/skills:1 skill-unreadable"],
    ],
  ];
  for (const [what, files, change, found] of WAYS) {
    test(what, () => {
      using tree = branched({ ...files, "old/AGENTS.md": "" });
      expect(foundIn(tree, ["--changed", "main"])).toEqual([]);
      change(tree);
      expect(foundIn(tree, ["--changed", "main"])).toEqual(found);
    });
  }

  test("not what is wrong in a file that a new link leads to, and was before", () => {
    using tree = branched({ "AGENTS.md": "Read `docs/gone.md`.\n" });
    symlinkSync("AGENTS.md", tree.path("repo/CLAUDE.md"));
    expect(foundIn(tree, ["--changed", "main"])).toEqual([]);
  });
});

test("paths are the repository's where the user's git shows them from the directory it is asked in", () => {
  using tree = branched({ "web/AGENTS.md": "Run the tests.\n" });
  git(tree, "config", "diff.relative", "true");
  tree.write("repo/web/AGENTS.md", "");
  const env = { CODELIA_AGENTS_ROOT: tree.path("repo/web") };
  const { stdout } = runCheck(tree, ["--changed", "main"], { env, cwd: "repo/web" });
  expect(stdout).toStartWith("AGENTS.md:1 warning instructions-blank ");
});

test("that there is nothing to compare with is said, where nobody names it", () => {
  using tree = branched({ "web/AGENTS.md": "Run the tests.\n" });
  git(tree, "checkout", "--quiet", "--detach");
  expect(runCheck(tree, ["--changed"])).toEqual({
    stdout: "",
    stderr:
      "codelia: nothing found (1 file checked)\n" +
      "codelia: warning: '--changed' compares with the last commit, and nothing differs from that: there is no 'origin/HEAD'; name what to compare with ('--changed REV')\n",
    exitCode: 0,
  });
  expect(runCheck(tree, ["--changed", "HEAD"]).stderr).toBe("codelia: nothing found (1 file checked)\n");
  tree.write("repo/web/x.ts", "");
  expect(runCheck(tree, ["--changed"]).stderr).toBe("codelia: nothing found (1 file checked)\n");
});
