import { expect, test } from "bun:test";
import { commandPaths } from "../support/command-paths.ts";
import { pathsOfToolUse } from "../../src/touched/with-grammar.ts";
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
  "f() ",
  "coproc ",
  "function f ",
  "! ",
  "[[ ( ",
  "@(a|",
  "$'",
  "x[",
  "for ((",
  "{1..9}",
  "a &&\n",
  // Without a limit the parser takes minutes and more for each of these.
  "<<- $((<(fi;",
  "=~ >(",
  ">(x=(+)#(",
  "{!()",
  "$${a:",
  "`<<- $((<(fi;\\` ",
];

const MANY = 1 << 20;
/** Longer ones aren't read by the grammar. */
const LONG = (1 << 18) - 100;

test.each(PIECES)("commandPaths() ends soon on a mebibyte of %j", (piece) => {
  const wrapped = [
    repeated(piece, MANY),
    repeated(piece, LONG),
    `cat ${repeated(piece, LONG)}`,
    `cat "${repeated(piece, LONG)}"`,
    `cat <<EOF\n${repeated(piece, LONG)}\nEOF\n`,
  ];
  for (const command of wrapped) {
    const start = performance.now();
    const paths = pathsOfToolUse({ tool: "Bash", input: { command }, cwd: CWD, home: HOME });
    // A quadratic reading takes minutes; a linear one some ten milliseconds, and a busy machine some more.
    expect(performance.now() - start).toBeLessThan(2000);
    expect(paths.length).toBeLessThanOrEqual(512);
  }
});

test.each([
  ["$(", ")"],
  ['"$(', ')"'],
  ['`"', '"`'],
  ["<(", ")"],
  [">(x=(a) ", ")"],
  ["${a:-", "}"],
  ['"${a:', '}"'],
  ["${a/", "}"],
  ["${a[", "]}"],
  ["$((1+", "))"],
  ["$((a?", ":b))"],
  ["$[", "]"],
  ["((", "))"],
  ["a[$(", ")]"],
  ["x=(", ")"],
  ["{a,", "}"],
  ["{ ", ";}"],
  ["( ", ")"],
  ["if a; then ", ";fi"],
  ["case a in b) ", ";;esac"],
  ["f() { ", ";}"],
  ["[[ ( a", ") ]]"],
  ["<<$(", ")"],
])(
  "commandPaths() ends soon where one thing stands in another: %s",
  (open, close) => {
    const pair = open.length + close.length;
    for (const depth of [30, 60, 200, 300, Math.floor(LONG / pair / 4)]) {
      const nest = open.repeat(depth) + close.repeat(depth);
      const many = repeated(`${nest}\n`, LONG);
      for (const command of [many, `cat ${many}`, `cat "${many}"`, `cat <<EOF\n${many}\nEOF\n`, open.repeat(depth)]) {
        const start = performance.now();
        const paths = pathsOfToolUse({ tool: "Bash", input: { command }, cwd: CWD, home: HOME });
        expect(performance.now() - start).toBeLessThan(2000);
        expect(paths.length).toBeLessThanOrEqual(512);
      }
    }
  },
  60_000,
);

test("commandPaths() reads what people nest, and what they write at length", () => {
  const read = (command: string) => commandPaths(command, { cwd: CWD, home: HOME })?.paths.map(({ path }) => path);
  const nested = 'cat "$(head "$(tail "$(cat "$(ls a.ts)")")")"';
  expect(read(nested)).toContain("/r/a.ts");
  expect(read(`cat > src/new.js <<'EOF'\n${"const a = `${b}`; // it's\n".repeat(5000)}EOF\ncat b.ts`)).toEqual([
    "/r/src/new.js",
    "/r/b.ts",
  ]);
  const template = `cat > a.conf <<EOF\n${"listen ${PORT}; log $(cat b.ts)\n".repeat(20)}EOF`;
  expect(read(template)).toEqual(["/r/b.ts", "/r/a.conf"]);
  // What is too long for a template's commands to be looked for is a file's text all the same.
  expect(read(`cat > a.conf <<EOF\n${"listen ${PORT};\n".repeat(5000)}EOF`)).toEqual(["/r/a.conf"]);
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
  ["for x in a b c d; do ", "((1));".repeat(5000), "done\n"],
  ["for x in a b c d; do ", "x=1;".repeat(5000), "done\n"],
  ["for x in a b c d; do ", "f() { :; };".repeat(2000), "done\n"],
  ["for x in a b c d; do ", "[[ a ]];".repeat(3000), "done\n"],
  ["for x in a b c d; do ", "case a in b) ;; esac;".repeat(2000), "done\n"],
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

test("commandPaths() ends soon where each of many placeholders stands for many roots", () => {
  const start = performance.now();
  commandPaths(`find ${"a ".repeat(9000)} -exec cat ${"{} ".repeat(9000)}`, { cwd: CWD, home: HOME });
  expect(performance.now() - start).toBeLessThan(2000);
});

test("commandPaths() of a command that runs itself in itself ends", () => {
  let command = "cat a.ts";
  for (let depth = 0; depth < 12; depth++) command = `bash -c ${JSON.stringify(command)}`;
  expect(commandPaths(command, { cwd: CWD, home: HOME })?.paths).toEqual([]);
});

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.floor(length / piece.length));
}
