import { expect, test } from "bun:test";
import { SKILLS_PROJECT, skillFile } from "../support/skills-project.ts";
import { ENTER, ESCAPE, openTerminal, type TerminalOptions } from "../support/terminal-session.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const LEAVE = `${ESCAPE}[?7h${ESCAPE}[?2004l${ESCAPE}[?25h${ESCAPE}[0m${ESCAPE}[?1049l`;

function open(tree: TempTree, options: Partial<TerminalOptions> = {}) {
  return openTerminal({ cwd: tree.path("repo/p/src"), home: tree.path("home"), args: ["skills"], ...options });
}

test("typing finds a skill, Enter prints the command that loads it on standard output alone", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree);
  await terminal.untilShown("3 of 3");
  terminal.press("review");
  await terminal.untilShown("1 of 3");
  expect(terminal.screen()[1]).toMatch(/^> repo-review +repo +Review PR with risk-first checklist/);
  terminal.press(ENTER);
  const { stdout, exitCode, sent, settings } = await terminal.end();
  const path = tree.path("repo/.agents/skills/repo-review/SKILL.md");
  expect({ stdout, exitCode }).toEqual({ stdout: `codelia skills load ${path}\n`, exitCode: 0 });
  expect(sent).toEndWith(LEAVE);
  expect(settings[1]).toBe(settings[0]);
});
