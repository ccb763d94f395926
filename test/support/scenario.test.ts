import { expect, test } from "bun:test";
import { parseScenario, playScenario } from "./scenario.ts";
import { tempTree } from "./temp-tree.ts";

const FAKE_CODELIA = `#!/bin/sh
case "$1" in
  read) cat "$2" ;;
  where) pwd; echo "at $PWD" >&2 ;;
  *) echo "codelia: unknown command '$1'" >&2; exit 64 ;;
esac
`;

async function play(text: string): Promise<{ mismatches: readonly string[]; corrected: string }> {
  using tree = tempTree({ codelia: { text: FAKE_CODELIA, mode: 0o755 } });
  return await playScenario(text, tree.path("codelia"));
}

const HEAD = `What it shows,
in prose.

-- repo/.git/ --
-- repo/AGENTS.md --
Root rules.

Kept in {WORK}.
-- repo/packages/foo/AGENTS.md -> ../../AGENTS.md --

-- home/.codelia/config.json --
-- commands --
`;
const SESSION = `$ cd repo
$ codelia read packages/foo/AGENTS.md
Root rules.
…
Kept in {WORK}.
$ codelia where
{WORK}/repo
2> at {WORK}/repo
$ cat "\${HOME}/.codelia/config.json" {WORK}/repo/missing 2>/dev/null; WORK=x; echo \${WORK}
x
$ codelia frobnicate
2> codelia: unknown command 'frobnicate'
[exit 64]
`;

test("parseScenario() reads prose, files and commands", () => {
  const { prose, files, steps } = parseScenario(HEAD + SESSION);
  expect(prose).toBe("What it shows,\nin prose.");
  expect(files).toEqual({
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": "Root rules.\n\nKept in {WORK}.\n",
    "repo/packages/foo/AGENTS.md": { link: "../../AGENTS.md" },
    "home/.codelia/config.json": "",
  });
  expect(steps.map(({ line, command }) => [line, command])[0]).toEqual([13, "cd repo"]);
});

const MALFORMED: [name: string, text: string, complaint: string][] = [
  ["no prose", "-- commands --\n$ true\n", "must begin with prose"],
  ["no commands", "Prose.\n-- a --\n", "must end with '-- commands --'"],
  ["commands before files", "Prose.\n-- commands --\n$ true\n-- a --\n", "must end with '-- commands --'"],
  ["an empty session", "Prose.\n-- commands --\n", "must have a command"],
  ["output before a command", "Prose.\n-- commands --\nout\n$ true\n", "line 3: expected a command"],
  ["a file twice", "Prose.\n-- a --\n-- a --\n-- commands --\n$ true\n", "line 3: there are two files 'a'"],
  ["text in a directory", "Prose.\n-- a/ --\ntext\n-- commands --\n$ true\n", "line 2: 'a/' is not a file"],
  ["text in a link", "Prose.\n-- a -> b --\ntext\n-- commands --\n$ true\n", "line 2: 'a' is not a file"],
  ["two arrows", "Prose.\n-- a -> b -> c --\n-- commands --\n$ true\n", "must have one arrow"],
];
for (const [name, text, complaint] of MALFORMED) {
  test(`parseScenario() refuses ${name}`, () => {
    expect(() => parseScenario(text)).toThrow(complaint);
  });
}

test("playScenario() finds nothing wrong when all is as written", async () => {
  expect(await play(HEAD + SESSION)).toEqual({ mismatches: [], corrected: HEAD + SESSION });
});

const WRONG: [name: string, right: string, wrong: string, told: string][] = [
  ["a missing stderr", "2> at {WORK}/repo\n", "", "+ 2> at {WORK}/repo"],
  ["an extra stdout", "$ codelia where\n", "$ codelia where\nmore\n", "- more"],
  ["a wrong exit code", "[exit 64]", "[exit 1]", "- [exit 1]\n+ [exit 64]"],
  ["a missing exit code", "[exit 64]\n", "", "+ [exit 64]"],
  ["a path elsewhere", "{WORK}/repo\n2>", "/repo\n2>", "- /repo\n+ {WORK}/repo"],
  ["a first step, though the rest is right", "$ cd repo\n", "$ cd repo\nout\n", "  $ cd repo\n- out"],
];
for (const [name, right, wrong, told] of WRONG) {
  test(`playScenario() tells and corrects ${name}`, async () => {
    expect(SESSION).toContain(right);
    const { mismatches, corrected } = await play(HEAD + SESSION.replace(right, wrong));
    expect(mismatches.length).toBe(1);
    expect(mismatches[0]).toContain(told);
    expect(corrected).toBe(HEAD + SESSION);
  });
}

test("playScenario() tells of every step that went wrong, by its line", async () => {
  const { mismatches } = await play("Prose.\n-- commands --\n$ echo a\nb\n$ echo c\nc\n$ echo d\ne\n");
  expect(mismatches.map((text) => text.split(":")[0])).toEqual(["line 3", "line 7"]);
});
