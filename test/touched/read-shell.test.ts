import { expect, test } from "bun:test";
import { readShell } from "../../src/touched/with-grammar.ts";
import { initialState, type ResolvedCommand, type Value } from "../../src/touched/shell/state.ts";
import { nothingFound } from "../../src/touched/paths.ts";

/** What bash calls a syntax error; `bash -n` does of each of them. */
const UNREADABLE = [
  "cat 'open",
  'cat "open',
  "cat `open",
  "cat $(open",
  "cat ${open",
  "cat $'open",
  "(cat a",
  "cat a)",
  "cat >",
  "cat < ; ls",
  "cat <<",
  "a b (c)",
  "case x in a) b",
  "case x a) b;; esac",
  "[[ -f x",
  "for ((i=0; i<3",
  "x=(a b",
  "x=(a; b)",
  "echo $((1 + 2",
  "&& a",
  "a &&",
  "a | ! | b",
  "if a; then b",
  "{ a # }",
  "a; }",
  "done",
];
test.each(UNREADABLE)("readShell() can't read %j", (text) => expect(read(text)).toBeUndefined());

test.each(["cat a\0b", "f() ".repeat(50_000), "<<a ".repeat(5000), ": ".repeat(200_000)])(
  "readShell() does not read what nobody would write: %#",
  (text) => expect(read(text)).toBeUndefined(),
);

test("readShell() reads the lines before the one that can't be read, which a shell has run by then", () => {
  expect(linesBefore("cat a\nif b\nthen c; fi\ncat (d)\ncat e")).toEqual([["cat", "a"], ["b"], ["c"]]);
  expect(linesBefore("cat a; cat 'b")).toEqual([]);
  expect(linesBefore("if a\nthen cat (b)\nfi")).toEqual([]);
});

/** Words as far as they are known: `*` is a pattern, `?` anything. */
const WORDS: [text: string, commands: string[][]][] = [
  ["a b  c\t'd e' \"f\"g", [["a", "b", "c", "d e", "fg"]]],
  ["a '' \"\"", [["a", "", ""]]],
  ['"a\\"b\\$c\\d\\\ne"', [['a"b$c\\de']]],
  ["a\\ b \\'c $'d\\ne\\'' $\"f\"", [["a b", "'c", "d\ne'", "f"]]],
  ['$a ${b}c "$HOME/e" ${f:-$(g)} $1 $@ $ a$', [["g"], ["?", "?", "/home/u/e", "?", "?", "?", "$", "a$"]]],
  ["a#b #c", [["a#b"]]],
  ["X=1 Y='2 3' cmd Z=4", [["cmd", "Z=4"]]],
  ["a | b && c || d; e & f |& g", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
  ["a $(b $(c)) `d \\`e\\``", [["c"], ["b", "?"], ["e"], ["d", "?"], ["a", "?", "?"]]],
  ["a <<E b\nx\nE\nc", [["a", "b"], ["c"]]],
  ["a <<< 'x y' b", [["a", "b"]]],
  ["a 2>&1 >&2 2>&- <&3 1 >f", [["a", "1"]]],
  ["a !(b|c).ts x@(d) e[0-9] [f", [["a", "*", "x*", "e*", "[f"]]],
  ["if a; then b; else c; fi; while d; do e; done; { f; }; ! g", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
  ["echo if then { } done", [["echo", "if", "then", "{", "}", "done"]]],
  ["f() { a; }\nfunction g () { b; }", [["a"], ["b"]]],
  ["((a > b)) && c; ( (d); e )", [["c"], ["d"], ["e"]]],
  ["[[ ( -f a || b == c* ) && ! -d d ]]", [["[[", "-f", "a", "b", "==", "c*", "-d", "d"]]],
  ["~/a '~/b' \\~/c ~d/e ~+/f ~ x~ ~*", [["/home/u/a", "~/b", "~/c", "?", "/r/f", "/home/u", "x~", "~*"]]],
  ["a{b,c}d {e} {} {f,\"g,h\",{i,j}k,$HOME} l{1..3} m{n", [
    ["abd", "acd", "{e}", "{}", "f", "g,h", "ik", "jk", "/home/u", "l*", "m{n"],
  ]],
  ["x='a b'; y=$x; c $x \"$x\" $y \"$y\" ${x}z", [["c", "a", "b", "a b", "a", "b", "a b", "a bz"]]],
  ["x=(a 'b c'); x+=(d); x[3]=e; y=f; y+=g; c \"${x[@]}\" $y", [["c", "a", "b c", "d", "e", "fg"]]],
  ["export x=a y; local z=$x; c $x $z", [["export", "y"], ["local"], ["c", "a", "a"]]],
  ["a $((1 + 2)) <(b) $[3]", [["b"], ["a", "?", "/dev/fd/63", "?"]]],
  ["coproc a; time -p b; select x in c; do d $x; done", [["a"], ["b"], ["d", "c"]]],
  ["case $(a) in b|c) d ;; (e) f;& *) g ;; esac", [["a"], ["d"], ["f"], ["g"]]],
  ["for ((i=0; i<3; i++)); do a; done; until b; do c; done", [["a"], ["b"], ["c"]]],
]; // prettier-ignore
for (const [text, commands] of WORDS) {
  test(`readShell() reads ${JSON.stringify(text)}`, () => expect(wordsOf(read(text) ?? [])).toEqual(commands));
}

test("readShell() keeps the bodies of heredocs apart", () => {
  const [first] = read("a <<X <<-'Y'\none\nX\n\ttwo $(no)\n\tY\nb") ?? [];
  expect(first?.input).toEqual(["one\n", "\ttwo $(no)\n"]);
});

test("readShell() takes no line as of another shell's end for a part of its last word", () => {
  expect(wordsOf(read("a b\r\nc <<E\r\nd\r\nE\r\n") ?? [])).toEqual([["a", "b"], ["c"]]);
});

function read(text: string): ResolvedCommand[] | undefined {
  const commands: ResolvedCommand[] = [];
  return readInto(commands, text) ? commands : undefined;
}

function linesBefore(text: string): string[][] {
  const commands: ResolvedCommand[] = [];
  expect(readInto(commands, text)).toBe(false);
  return wordsOf(commands);
}

function readInto(commands: ResolvedCommand[], text: string): boolean {
  const state = initialState({ cwd: "/r", home: "/home/u" }, nothingFound(readShell));
  return readShell(state, text, (_, command) => void commands.push(command));
}

function wordsOf(commands: readonly ResolvedCommand[]): string[][] {
  return commands.flatMap(({ args }) => (args.length > 0 ? [args.map(shown)] : []));
}

function shown({ text, rest }: Value): string {
  return rest === "" ? text : `${text}${rest === "pattern" ? "*" : "?"}`;
}
