import { describe, expect, test } from "bun:test";
import { hook, optionsOf, read, start } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// A shell of Claude Code can't tell which context it belongs to. The skills that it loads count for the main context.

const SKILL = "repo/.agents/skills/deploy2/SKILL.md";
const TREE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/AGENTS.md": "Root rules.\n",
  "repo/lib/AGENTS.md": "Lib rules.\n",
  [SKILL]: skillFile("deploy2", "Deploy the shop"),
};

/** As Claude Code runs a command. */
function inShell(tree: TempTree, ...args: string[]): string {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s" };
  const { stdout, stderr, exitCode } = runCodelia(args, { ...optionsOf(tree, ""), env });
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

/** A session that has begun and loaded the skill. */
function loaded(more: Readonly<Record<string, Entry>> = {}): TempTree {
  const tree = tempTree({ ...TREE, ...more });
  hook(tree, start());
  expect(inShell(tree, "skills", "load", "deploy2")).toContain("<skill_context ");
  return tree;
}

const LISTED = /<skills_loaded>\n.*\n {2}<path>(.*)<\/path>\n<\/skills_loaded>/;
const CHANGED = "Loaded skills that changed";
const end = { hook_event_name: "SessionEnd", reason: "other" };

describe("hook claude: skills loaded in a shell", () => {
  test("are named after each compaction", () => {
    using tree = loaded();
    for (let compaction = 1; compaction <= 2; compaction++) {
      expect(hook(tree, start("compact")).context.match(LISTED)?.[1]).toBe(tree.path(SKILL));
    }
    expect(inShell(tree, "skills", "load", "deploy2")).toContain("<skill_context ");
  });

  test("are named in exactly one part of a start", () => {
    using tree = loaded();
    const parts = [1, 2].map((part) => hook(tree, start("compact"), ["claude", "--part", `${part}/2`]).context);
    expect(parts.filter((part) => LISTED.test(part))).toHaveLength(1);
  });

  test("are reported on resume, once, when they have changed", () => {
    using tree = loaded();
    expect(hook(tree, start("resume")).stdout).toBe("");
    tree.touch(SKILL, 1_000_000);
    expect(hook(tree, start("resume")).context).toContain(CHANGED);
    expect(hook(tree, start("resume")).stdout).toBe("");
    expect(hook(tree, start("compact")).context).toMatch(LISTED);
  });

  test("are reported when they changed after the session's end", () => {
    using tree = loaded();
    hook(tree, end);
    tree.touch(SKILL, 1_000_000);
    expect(hook(tree, start("resume")).context).toContain(CHANGED);
    expect(hook(tree, start("resume")).stdout).toBe("");
  });

  test("are reported once when they are gone, and no longer named", () => {
    using tree = loaded();
    tree.remove("repo/.agents/skills/deploy2");
    expect(hook(tree, start("resume")).context).toContain(tree.path(SKILL));
    expect(hook(tree, start("resume")).stdout).toBe("");
    expect(hook(tree, start("compact")).context).not.toContain("skills_loaded");
  });

  test("are not suggested before the next compaction", () => {
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Deploy the shop" };
    using tree = loaded({ "repo/.codelia/config.json": '{ "skills": { "suggest": 1 } }' });
    expect(hook(tree, prompt).stdout).toBe("");
    hook(tree, start("compact"));
    expect(hook(tree, prompt).context).toContain("<name>deploy2</name>");
  });

  test("are not named to a sub-agent", () => {
    using tree = loaded();
    const sub = { hook_event_name: "SubagentStart", agent_id: "a", agent_type: "general-purpose" };
    expect(hook(tree, sub).context).not.toContain("skills_loaded");
  });

  test("never keep a hook from telling instruction files", () => {
    using tree = loaded();
    expect(inShell(tree, "resolve", "lib/x.ts")).toContain(tree.path("repo/lib/AGENTS.md"));
    expect(hook(tree, read(tree.path("repo/lib/x.ts"))).context).toContain(tree.path("repo/lib/AGENTS.md"));
    const resumed = { ...start("resume"), cwd: tree.path("repo/lib") };
    tree.touch("repo/lib/AGENTS.md", 1_000_000);
    inShell(tree, "resolve", "lib/x.ts");
    expect(hook(tree, resumed).context).toContain(tree.path("repo/lib/AGENTS.md"));
  });
});
