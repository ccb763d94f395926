import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { parse } from "yaml";
import { SKILLS_PROJECT, skillFile } from "../support/skills-project.ts";
import { ENTER, ESCAPE, openTerminal, type TerminalOptions } from "../support/terminal-session.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

setDefaultTimeout(30_000);

const CTRL_T = "\u0014";
const CTRL_G = "\u0007";
const CTRL_U = "\u0015";
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

test("Ctrl-T disables a skill for the project and Ctrl-G for the user; one leaves the other", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree, { columns: 200 });
  await terminal.untilShown("3 of 3");
  terminal.press("review");
  await terminal.untilShown("1 of 3");
  terminal.press(CTRL_T);
  await terminal.untilShown("'repo-review' is disabled for this project");
  expect(terminal.screen()[1]).toMatch(/^> repo-review repo {2}off: project {2}Review/);
  expect(namesOffIn(tree, "repo/.codelia")).toEqual(["repo-review"]);
  terminal.press(CTRL_G);
  await terminal.untilShown("'repo-review' is disabled for you, it was already disabled for this project in ");
  expect(terminal.screen()[1]).toContain("off: project, off: user");
  expect(namesOffIn(tree, "home/.codelia")).toEqual(["repo-review"]);
  terminal.press(ENTER);
  await terminal.untilShown("'repo-review' is disabled and can't be loaded; Ctrl-T and Ctrl-G enable it");
  terminal.press(CTRL_T);
  await terminal.untilShown("'repo-review' is enabled for this project, but still disabled for you in ");
  expect(namesOffIn(tree, "repo/.codelia")).toEqual([]);
  expect(namesOffIn(tree, "home/.codelia")).toEqual(["repo-review"]);
  terminal.press(ESCAPE);
  await terminal.end();

  await using again = open(tree);
  await again.untilShown(/repo-review +repo {2}off: user/);
  again.press(`review${CTRL_G}`);
  await again.untilShown("'repo-review' is enabled for you: ");
  again.press(ENTER);
  const { stdout, exitCode } = await again.end();
  expect({ stdout, exitCode }).toEqual({ stdout: loadCommand(tree), exitCode: 0 });
});

test("what else the user has in the config is kept", async () => {
  using tree = tempTree({ ...SKILLS_PROJECT, "repo/.codelia/config.json": '{"skills":{"disabled":["other"]}}' });
  await using terminal = open(tree);
  await terminal.untilShown("3 of 3");
  terminal.press(`review${CTRL_T}`);
  await terminal.untilShown("is disabled for this project");
  expect(namesOffIn(tree, "repo/.codelia")).toEqual(["other", "repo-review"]);
});

test("a config that can't be written is a message, and the picker goes on", async () => {
  using tree = tempTree({ ...SKILLS_PROJECT, "repo/.codelia/config.yaml": "skills: [\n", "home/.codelia": "a file" });
  await using terminal = open(tree, { columns: 200 });
  await terminal.untilShown("3 of 3");
  terminal.press(`review${CTRL_T}`);
  await terminal.untilShown("'repo-review' can't be disabled in ");
  expect(terminal.screen().join("\n")).toContain("the file can't be used; repair it first");
  terminal.press(CTRL_U + CTRL_G);
  await terminal.untilShown("'changelog' can't be disabled in ");
  terminal.press("review");
  await terminal.untilShown("1 of 3");
  terminal.press(ENTER);
  const { stdout, exitCode } = await terminal.end();
  expect({ stdout, exitCode }).toEqual({ stdout: loadCommand(tree), exitCode: 0 });
});

test("where the root is the home directory there is one config, and it is the user's", async () => {
  using tree = tempTree({ "home/.git/": dir, "home/.agents/skills/a/SKILL.md": skillFile("a", "A") });
  await using terminal = open(tree, { cwd: tree.path("home"), columns: 200 });
  await terminal.untilShown("1 of 1");
  terminal.press(CTRL_T);
  await terminal.untilShown("here the project's config is your own; switch it for yourself");
  terminal.press(CTRL_G);
  await terminal.untilShown("'a' is disabled for you: ");
  expect(namesOffIn(tree, "home/.codelia")).toEqual(["a"]);
});

test("Ctrl-Y asks the terminal to copy the command, and goes on", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree, { columns: 200 });
  await terminal.untilShown("3 of 3");
  terminal.press("review");
  await terminal.untilShown("1 of 3");
  terminal.press("\u0019");
  const base64 = Buffer.from(loadCommand(tree).trimEnd()).toString("base64");
  await terminal.untilSent(`${ESCAPE}]52;c;${base64}\u0007`);
  await terminal.untilShown("asked the terminal to copy: codelia skills load");
  terminal.press(ESCAPE);
  const { stdout, exitCode } = await terminal.end();
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
});

test("a path that needs quotes has them, and the flags that were given are in the command", async () => {
  using tree = tempTree({
    "home/": dir,
    "repo/.git/": dir,
    "repo/it's/.agents/skills/a/SKILL.md": skillFile("a", "A"),
  });
  const directory = tree.path("repo/it's");
  await using terminal = open(tree, { cwd: tree.root, args: ["skills", "--cwd", directory, "--session", "s 1"] });
  await terminal.untilShown("1 of 1");
  terminal.press(ENTER);
  const { stdout, exitCode } = await terminal.end();
  const quoted = `'${directory.replace("'", String.raw`'\''`)}`;
  const command = `codelia skills load ${quoted}/.agents/skills/a/SKILL.md' --cwd ${quoted}' --session 's 1'\n`;
  expect({ stdout, exitCode }).toEqual({ stdout: command, exitCode: 0 });
});

test("under --json it prints an object, also when nothing was picked", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree, { args: ["skills", "--json"] });
  await terminal.untilShown("3 of 3");
  terminal.press(ENTER);
  const { stdout } = await terminal.end();
  expect(JSON.parse(stdout)).toMatchObject({ skill: { name: "changelog" }, command: expect.any(String) });
  await using left = open(tree, { args: ["skills", "--json"] });
  await left.untilShown("3 of 3");
  left.press(ESCAPE);
  expect((await left.end()).stdout).toBe("{}\n");
});

test("three thousand skills are found as one types", async () => {
  const many = Array.from({ length: 3000 }, (_, index) => `skill-${index}`);
  using tree = tempTree({
    "home/": dir,
    "repo/.git/": dir,
    ...Object.fromEntries(
      many.map((name) => [`repo/.agents/skills/${name}/SKILL.md`, skillFile(name, `Does the work of ${name}`)]),
    ),
  });
  await using terminal = open(tree, { cwd: tree.path("repo") });
  await terminal.untilShown("3000 of 3000");
  terminal.press(`${ESCAPE}[F`);
  await terminal.untilShown(/^> skill-999 /m);
  terminal.press("skill-1234");
  await terminal.untilShown(/^> skill-1234 /m);
  terminal.press(ENTER);
  const { stdout, exitCode } = await terminal.end();
  const path = tree.path("repo/.agents/skills/skill-1234/SKILL.md");
  expect({ stdout, exitCode }).toEqual({ stdout: `codelia skills load ${path}\n`, exitCode: 0 });
});

function loadCommand(tree: TempTree): string {
  return `codelia skills load ${tree.path("repo/.agents/skills/repo-review/SKILL.md")}\n`;
}

/** The test works with any format of the file. */
function namesOffIn(tree: TempTree, directory: string): string[] {
  const name = readdirSync(tree.path(directory)).find((entry) => entry.startsWith("config.")) ?? "";
  const data = parse(tree.read(`${directory}/${name}`)) as { skills?: { disabled?: string[] } };
  return data.skills?.disabled ?? [];
}
