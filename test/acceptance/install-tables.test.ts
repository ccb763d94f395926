import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

// Our hooks in the TOML file of Kimi Code, which has other settings in it.

const FILE = "home/.kimi-code/config.toml";
const CALL = `'${CODELIA}' hook kimi`;
const table = (event: string, more = "") =>
  `[[hooks]]\nevent = "${event}"\n${more}command = ${JSON.stringify(CALL)}\ntimeout = 10\n`;
const BLOCK = [
  "# Written by 'codelia install kimi'.\n",
  table("SessionStart", 'matcher = "resume"\n'),
  ...["UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SessionEnd"].map((event) => table(event)),
].join("");
const MINE = `# mine
default_model = "k3" # the usual

[[hooks]]
event = "Stop"
command = "notify-send done"

[models.k3]
provider = "p"
`;

function project(text?: string): TempTree {
  return tempTree({ "home/": dir, "repo/.git/": dir, ...(text !== undefined && { [FILE]: text }) });
}

function run(tree: TempTree, args: string, env: Readonly<Record<string, string>> = {}) {
  return runCodelia(args.split(" "), { cwd: tree.path("repo"), home: tree.path("home"), env });
}

function quietly(tree: TempTree, args: string): void {
  expect(run(tree, `${args} --yes --quiet`)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
}

const stateOf = (tree: TempTree): string =>
  JSON.parse(run(tree, "doctor kimi --calls 1 --json").stdout).hosts[0].scopes[0].state;

test("a new file has nothing else in it, and is removed again", () => {
  using tree = project();
  quietly(tree, "install kimi");
  expect(tree.read(FILE)).toBe(BLOCK);
  expect(stateOf(tree)).toBe("current");
  expect(run(tree, "doctor kimi --calls 1").exitCode).toBe(0);
  expect(run(tree, "install kimi").stderr).toContain(`'${tree.path(FILE)}' is up to date\n`);
  quietly(tree, "uninstall kimi");
  expect(existsSync(tree.path(FILE))).toBe(false);
});

describe("uninstalling gives back the bytes of", () => {
  const TEXTS: [what: string, text: string][] = [
    ["a file with other hooks", MINE],
    ["one without a line end", MINE.trimEnd()],
    ["one with Windows' line ends", MINE.replaceAll("\n", "\r\n")],
    ["an empty one", ""],
    ["one with blank lines at its end", `${MINE}\n\n`],
    ["one that speaks of such tables", `note = """\n[[hooks]]\n"""\n`],
  ];
  test.each(TEXTS)("%s", (_, text) => {
    using tree = project(text);
    quietly(tree, "install kimi");
    expect(tree.read(FILE)).toBe(`${text}\n${BLOCK}`);
    quietly(tree, "uninstall kimi");
    expect(tree.read(FILE)).toBe(text);
  });
});

test("what was added behind them stays", () => {
  using tree = project(MINE);
  quietly(tree, "install kimi");
  tree.write(FILE, `${tree.read(FILE)}\n# more\n[[hooks]]\nevent = "Stop"\ncommand = "./x.sh"\n`);
  quietly(tree, "uninstall kimi");
  expect(tree.read(FILE)).toBe(`${MINE}\n# more\n[[hooks]]\nevent = "Stop"\ncommand = "./x.sh"\n`);
});

test("hooks are known again after the client has written the file anew", () => {
  using tree = project();
  const tables = BLOCK.split("\n").slice(1).join("\n").replaceAll("[[hooks]]", "\n[[hooks]]");
  tree.write(FILE, `telemetry = false\n${tables}\n[[hooks]]\nevent = "Stop"\ncommand = "./x.sh"\n`);
  expect(stateOf(tree)).toBe("current");
  quietly(tree, "uninstall kimi");
  expect(tree.read(FILE).replaceAll(/\n+/g, "\n")).toBe(
    'telemetry = false\n[[hooks]]\nevent = "Stop"\ncommand = "./x.sh"\n',
  );
});

test("another program's path is brought up to date; what was edited stays, unless told otherwise", () => {
  using tree = project(MINE);
  quietly(tree, "install kimi");
  const text = tree.read(FILE);
  tree.write(FILE, text.replaceAll(CODELIA, "/elsewhere/codelia"));
  expect(stateOf(tree)).toBe("stale");
  quietly(tree, "install kimi");
  expect(tree.read(FILE)).toBe(text);
  tree.write(FILE, text.replace('event = "PreToolUse"\n', 'event = "PreToolUse"\nmatcher = "Bash"\n'));
  expect(stateOf(tree)).toBe("edited");
  const { stderr } = run(tree, "install kimi --yes");
  expect(stderr).toContain("'PreToolUse' was edited by hand (its matcher was changed to 'Bash') and is kept");
  expect(tree.read(FILE)).toContain('matcher = "Bash"');
  quietly(tree, "install kimi --force");
  expect(stateOf(tree)).toBe("current");
  quietly(tree, "uninstall kimi");
  expect(tree.read(FILE)).toBe(MINE);
});

describe("a file that can't be used stays as it is", () => {
  const TEXTS: [what: string, text: string, why: string][] = [
    ["not TOML", "a = \n", "can't be used: line 1: "],
    ["hooks are no list", 'hooks = "none"\n', "its 'hooks' is not a list of tables"],
    ["ours in one line", `hooks = [{ event = "Stop", command = "${CALL}" }]\n`, "only you can change"],
  ];
  test.each(TEXTS)("%s", (_, text, why) => {
    using tree = project(text);
    for (const verb of ["install", "uninstall"]) {
      const { stderr, exitCode } = run(tree, `${verb} kimi --yes`);
      expect(stderr).toContain(why);
      expect(exitCode).toBe(3);
      expect(tree.read(FILE)).toBe(text);
    }
  });
});

test("the client's own variable says where the file is; a project has none", () => {
  using tree = project();
  expect(run(tree, "install kimi --yes --quiet", { KIMI_CODE_HOME: tree.path("elsewhere") }).exitCode).toBe(0);
  expect(tree.read("elsewhere/config.toml")).toBe(BLOCK);
  expect(run(tree, "install kimi --scope project --yes")).toEqual({
    stdout: "",
    stderr: "codelia: '--scope' can't be 'project' for kimi; one of user\n",
    exitCode: 64,
  });
});
