import { expect, setDefaultTimeout, test } from "bun:test";
import { runIn, SKILLS_PROJECT, skillFile } from "../support/skills-project.ts";
import { ESCAPE, openTerminal, type TerminalOptions } from "../support/terminal-session.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

setDefaultTimeout(30_000);

const CTRL_T = "\u0014";
const LEAVE = `${ESCAPE}[?7h${ESCAPE}[?2004l${ESCAPE}[?25h${ESCAPE}[0m${ESCAPE}[?1049l`;

function open(tree: TempTree, options: Partial<TerminalOptions> = {}) {
  return openTerminal({ cwd: tree.path("repo/p/src"), home: tree.path("home"), args: ["skills"], ...options });
}

for (const [name, keys, status] of [
  ["Escape", ESCAPE, 0],
  ["Ctrl-C", "\u0003", 130],
] as const) {
  test(`${name} ends it with nothing on standard output, and the terminal as it was`, async () => {
    using tree = tempTree(SKILLS_PROJECT);
    await using terminal = open(tree);
    await terminal.untilShown("3 of 3");
    terminal.press(keys);
    const { stdout, exitCode, sent, settings } = await terminal.end();
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: status });
    expect(sent).toStartWith(`${ESCAPE}[?1049h${ESCAPE}[?2004h${ESCAPE}[?7l`);
    expect(sent).toEndWith(LEAVE);
    expect(settings[1]).toBe(settings[0]);
  });
}

for (const [signal, status] of [
  ["TERM", 143],
  ["HUP", 129],
  ["INT", 130],
] as const) {
  test(`killed by SIG${signal} it leaves the terminal as it was`, async () => {
    using tree = tempTree(SKILLS_PROJECT);
    await using terminal = open(tree);
    await terminal.untilShown("3 of 3");
    terminal.signal(signal);
    const { stdout, exitCode, sent, settings } = await terminal.end();
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: status });
    expect(sent).toContain(LEAVE);
    expect(settings[1]).toBe(settings[0]);
  });
}

test("what is pasted is text, whatever is in it", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree);
  await terminal.untilShown("3 of 3");
  terminal.press(`${ESCAPE}[200~review\r\n${CTRL_T}\u0003${ESCAPE}[201~`);
  await terminal.untilShown("> review");
  expect(terminal.screen().join("\n")).toContain("1 of 3");
  expect(terminal.screen().join("\n")).not.toContain("off:");
  terminal.press(ESCAPE);
  const { stdout, exitCode } = await terminal.end();
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
});

test("another size of the terminal is another picture", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree);
  await terminal.untilShown("Enter print  Ctrl-Y copy  Ctrl-T");
  expect(terminal.screen()).toHaveLength(24);
  terminal.resize(20, 5);
  await terminal.untilShown("Enter  ^Y");
  expect(terminal.screen()).toHaveLength(5);
  for (const line of terminal.screen()) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(20);
  terminal.resize(100, 30);
  await terminal.untilShown("Enter print  Ctrl-Y copy  Ctrl-T");
  expect(terminal.screen()).toHaveLength(30);
});

test("a description can't speak to the terminal", async () => {
  const evil = String.raw`"evil \e]0;owned\a \e[2J\x9b31m \u202e end"`;
  using tree = tempTree({ ...SKILLS_PROJECT, "repo/.agents/skills/evil/SKILL.md": skillFile("evil", evil) });
  await using terminal = open(tree, { columns: 200 });
  await terminal.untilShown("4 of 4");
  terminal.press("evil");
  await terminal.untilShown("1 of 4");
  expect(terminal.screen()[1]).toContain(String.raw`evil \u{1b}]0;owned\u{7} \u{1b}[2J\u{9b}31m \u{202e} end`);
  terminal.press(ESCAPE);
  const { sent } = await terminal.end();
  expect(sent).not.toContain(`${ESCAPE}]0;`);
  expect(sent).not.toContain("\u009B");
});

test("without colours there are none", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree, { env: { NO_COLOR: "1" } });
  await terminal.untilShown("3 of 3");
  terminal.press(ESCAPE);
  // eslint-disable-next-line no-control-regex -- the escape sequences are what is looked for
  expect((await terminal.end()).sent).not.toMatch(/\u001B\[[1-9]\d*m/);
});

test("without a skill it says where to put one", async () => {
  using tree = tempTree({ "home/": dir, "repo/.git/": dir });
  await using terminal = open(tree, { cwd: tree.path("repo") });
  await terminal.untilShown("there are no skills here; put one into .agents/skills/NAME/SKILL.md");
  terminal.press("\r");
  await terminal.untilShown("no skill matches");
  terminal.press(ESCAPE);
  const { stdout, exitCode } = await terminal.end();
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
});

test("skills that are off are not picked from", async () => {
  using tree = tempTree({ ...SKILLS_PROJECT, "home/.codelia/config.yaml": "skills: { enabled: false }\n" });
  await using terminal = open(tree, { env: { NO_COLOR: "1" } });
  const { stdout, exitCode, sent } = await terminal.end();
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
  expect(sent).toBe("codelia: warning: skills are off: 'skills.enabled' is false\r\n");
});

test("a dumb terminal gets the overview", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree, { env: { TERM: "dumb" } });
  const { stdout, exitCode, sent } = await terminal.end();
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 64 });
  expect(sent).toStartWith("Usage: codelia skills <command> [flags]");
});

test("without a terminal it is the overview, and a mistake", () => {
  using tree = tempTree(SKILLS_PROJECT);
  const { stdout, stderr, exitCode } = runIn(tree, ["skills"]);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 64 });
  expect(stderr).toStartWith("Usage: codelia skills <command> [flags]");
});

test("its help is the group's, and says what it does alone", async () => {
  using tree = tempTree(SKILLS_PROJECT);
  await using terminal = open(tree, { args: ["skills", "--help"] });
  const { stdout, exitCode } = await terminal.end();
  expect(exitCode).toBe(0);
  expect(stdout).toContain("On a terminal, 'codelia skills' alone opens a picker");
});

test("the letters of a name in their order find it, and what is broken is shown with the reason", async () => {
  const broken = { "repo/.agents/skills/broken-one/SKILL.md": "---\nname: broken-one\n---\n" };
  using tree = tempTree({ ...SKILLS_PROJECT, ...broken });
  await using terminal = open(tree);
  await terminal.untilShown("4 of 4");
  terminal.press("relnot");
  await terminal.untilShown("1 of 4");
  expect(terminal.screen().join("\n")).toContain("> release-notes");
  terminal.press("\u0015brokn");
  await terminal.untilShown("> broken-one");
  expect(terminal.screen().join("\n")).toContain("'description' is missing");
  terminal.press("\r");
  await terminal.untilShown("'broken-one' can't be loaded: ");
  terminal.press("\u0003");
  const { stdout, exitCode } = await terminal.end();
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 130 });
});
