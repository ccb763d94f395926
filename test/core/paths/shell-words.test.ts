import { expect, test } from "bun:test";
import type { ShellStep, Word } from "../../../src/core/paths/shell-steps.ts";
import { parseShell } from "../../../src/core/paths/shell-words.ts";

const UNPARSABLE = [
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
  "cat a\0b",
  "$(".repeat(100),
  "( ".repeat(100) + "a" + " )".repeat(100),
];
for (const text of UNPARSABLE) {
  test(`parseShell() gives up on ${JSON.stringify(text.slice(0, 40))}`, () => expect(parseShell(text)).toBeUndefined());
}

/** Words with their quotes gone, variables as `$name`, what isn't known as `?`. */
const WORDS: [text: string, commands: string[][]][] = [
  ["a b  c\t'd e' \"f\"g", [["a", "b", "c", "d e", "fg"]]],
  ["a '' \"\"", [["a", "", ""]]],
  ['"a\\"b\\$c\\d\\\ne"', [['a"b$c\\de']]],
  ["a\\ b \\'c $'d\\ne\\'' $\"f\"", [["a b", "'c", "d\ne'", "f"]]],
  ['$a ${b}c "$d/e" ${f:-$(g)} $1 $@ $ a$', [["g"], ["$a", "$bc", "$d/e", "$f", "?", "?", "$", "a$"]]],
  ["a#b #c", [["a#b"]]],
  ["X=1 Y='2 3' cmd Z=4", [["cmd", "Z=4"]]],
  ["a | b && c || d; e & f |& g", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
  ["a $(b $(c)) `d \\`e\\``", [["c"], ["b", "?"], ["e"], ["d", "?"], ["a", "?", "?"]]],
  ["a <<E b\nx\nE\nc", [["a", "b"], ["c"]]],
  ["a <<< 'x y' b", [["a", "b"]]],
  ["a 2>&1 >&2 2>&- <&3 1 >f", [["a", "1"]]],
  ["a !(b|c).ts @(d)", [["a", "!*.ts", "@*"]]],
  ["if a; then b; else c; fi; while d; do e; done; { f; }; ! g", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
  ["echo if then { } done", [["echo", "if", "then", "{", "}", "done"]]],
  ["f() { a; }\nfunction g () { b; }", [["a"], ["b"]]],
  ["((a > b)) && c; ( (d); e )", [["c"], ["d"], ["e"]]],
];
for (const [text, commands] of WORDS) {
  test(`parseShell() reads ${JSON.stringify(text)}`, () => {
    expect(wordsOf(parseShell(text) ?? [])).toEqual(commands);
  });
}

test("parseShell() keeps the bodies of heredocs apart", () => {
  const steps = parseShell("a <<X <<-'Y'\none\nX\n\ttwo $(no)\n\tY\nb") ?? [];
  const bodies = steps.flatMap((step) => (step.kind === "command" ? step.heredocs.map(({ body }) => body) : []));
  expect(bodies).toEqual(["one\n", "\ttwo $(no)\n"]);
});

function wordsOf(steps: readonly ShellStep[]): string[][] {
  return steps.flatMap((step) => (step.kind === "command" && step.words.length > 0 ? [step.words.map(shownWord)] : []));
}

function shownWord(word: Word): string {
  return word
    .map((part) => (part.kind === "unknown" ? "?" : part.kind === "variable" ? `$${part.name}` : part.text))
    .join("");
}
