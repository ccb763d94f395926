import { expect, test } from "bun:test";
import { commandPaths } from "../../../src/core/paths/command-paths.ts";
import { pathsOfToolUse } from "../../../src/core/paths/payload-paths.ts";
import { CWD, HOME } from "./command-table.ts";

/** Each repeated to the asked length; what takes more than a few times as long at four times the length isn't linear. */
const PIECES = [
  "'",
  '"',
  "`",
  "\\`",
  "$(",
  "$((",
  "((",
  "(",
  ")",
  "{",
  "{a,",
  "{a,b}",
  "${",
  "${a:-",
  "[",
  "*",
  "a[b]",
  "<(",
  "<<a ",
  "<<a\n",
  "<<a\n`",
  "$(<<a\n",
  ";",
  "&",
  "|",
  "a|",
  "a;",
  "a=b ",
  "a=$a$a$a\n",
  "x=(a b)\n",
  "cd a\n",
  "cd ..;",
  "(a)\n",
  "((a);\n",
  "$((a) )",
  "`a`",
  "$a",
  "case x in a) ",
  "case x in a) b;; esac\n",
  "if a; then ",
  "for a in b c; do $a ",
  "for a in b c; do $a; done\n",
  "for a in b c; do for d in e f; do x ",
  "done;",
  "${a[@]}",
  "${a[",
  "${a:-b}",
  "x+=(a b)\n",
  "time ",
  "[[ a ]]\n",
  "[[ ",
  "\\\n",
  "#",
  "# a\n",
  "~",
  "cat src/a/../b.ts ",
  "cat 'a b' > c;",
  "bash -c 'bash -c ls';",
  "eval eval ",
  "sudo ",
  "find . -exec ",
  "git -C a ",
  "-",
  "--- a/x\n+++ b/x\n",
  "*** Begin Patch\n",
  "@@ -1,1000000 +1,1000000 @@\n",
  "python -c '\"a.b' \n",
  "\u{1F600}",
  "\uD800",
];

const MANY = 1 << 20;

test.each(PIECES)("commandPaths() ends soon on a mebibyte of %j", (piece) => {
  const wrapped = [
    repeated(piece, MANY),
    `cat ${repeated(piece, MANY / 4)}`,
    `cat "${repeated(piece, MANY / 4)}"`,
    `cat <<EOF\n${repeated(piece, MANY / 4)}\nEOF\n`,
  ];
  for (const command of wrapped) {
    const start = performance.now();
    const paths = pathsOfToolUse({ tool: "Bash", input: { command }, cwd: CWD, home: HOME });
    // A quadratic reading takes minutes; a linear one some ten milliseconds, and a busy machine some more.
    expect(performance.now() - start).toBeLessThan(2000);
    expect(paths.length).toBeLessThanOrEqual(512);
  }
});

test.each(['bash -c "$x";', 'python3 -c "$x";', 'apply_patch "$x";', 'bash <<< "$x";', 'eval "$x";'])(
  "commandPaths() ends soon on a long text that many commands run: %s",
  (user) => {
    for (const text of [
      `echo ${"a ".repeat(30_000)}`,
      `*** Begin Patch${"\n".repeat(60_000)}`,
      '"a.b '.repeat(12_000),
    ]) {
      const start = performance.now();
      commandPaths(`x='${text}'\n${repeated(user, MANY / 4)}`, { cwd: CWD, home: HOME });
      expect(performance.now() - start).toBeLessThan(2000);
    }
  },
);

test.each([
  "find . -exec ",
  "find . -exec find {} ';' ",
  "python -m ",
  "npm exec ",
  "sudo ",
  "xargs ",
  "eval ",
  "env a=b ",
  "git -C a ",
])("commandPaths() ends soon where commands run each other: %s", (runner) => {
  const start = performance.now();
  for (const count of [100, 1000, 4000]) commandPaths(`${runner.repeat(count)}cat a.ts`, { cwd: CWD, home: HOME });
  expect(performance.now() - start).toBeLessThan(500);
});

test.each([
  ["for x in a b; do ", "", "; done"],
  ["for x in a b c d e f g h; do ", "cat <<E\n$(a)\nE\n", "done\n"],
  ["for x in {a,b,c}{a,b,c}{a,b,c}; do ", `bash <<E\n${"ls;".repeat(10_000)}\nE\n`, "done\n"],
  ["for x in a b; do (", ";:&".repeat(5000), "); done\n"],
  ["for x in a b; do ", `cat {${"{a}".repeat(20_000)},b}*`, "; done\n"],
])("commandPaths() ends soon where loops stand in each other: %s", (open, body, close) => {
  for (const depth of [1, 8, 30, 2000]) {
    const start = performance.now();
    commandPaths(open.repeat(depth) + body + close.repeat(depth), { cwd: CWD, home: HOME });
    expect(performance.now() - start).toBeLessThan(2000);
  }
});

test.each(["tar cf x -C a", "npm --prefix a", "env -C a", "pnpm -C a", "uv run --directory a", "make -C a"])(
  "commandPaths() ends soon where a command is sent on and on: %s",
  (sent) => {
    const [program = "", option = ""] = sent.split(/ (?=-[^ ]* a$)/);
    const start = performance.now();
    commandPaths(`${program} ${`${option} `.repeat(20_000)}b`, { cwd: CWD, home: HOME });
    expect(performance.now() - start).toBeLessThan(300);
  },
);

test("commandPaths() of a way into ever deeper directories is lost where no path can lead", () => {
  const lost = commandPaths(`cd ${"a/".repeat(2100)} && cat b.ts; git -C /r/c diff d`, { cwd: CWD, home: HOME });
  expect(lost?.cwdAfter).toBeUndefined();
  expect(lost?.paths.map(({ path }) => path).filter((path) => path.length < 100)).toEqual(["/r", "/r/c", "/r/c/d"]);
});

test("commandPaths() of a command that runs itself in itself ends", () => {
  let command = "cat a.ts";
  for (let depth = 0; depth < 12; depth++) command = `bash -c ${JSON.stringify(command)}`;
  expect(commandPaths(command, { cwd: CWD, home: HOME })?.paths).toEqual([]);
});

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.floor(length / piece.length));
}
