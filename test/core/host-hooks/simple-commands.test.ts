import { expect, test } from "bun:test";
import { simpleCommands as shellWords } from "../../../src/core/host-hooks/shell-words.ts";
import { simpleCommands } from "../../../src/core/host-hooks/simple-commands.ts";

test.each([
  "",
  "# nothing",
  "codelia hook claude",
  "'/opt/bin/codelia' hook claude --part 1/4",
  "  exec   codelia\thook claude  ",
  String.raw`'/it'\''s/codelia' "a\"b" c\ d`,
  "FOO=1 BAR='a b' x=\"c d\" codelia",
  '"$HOME"/bin/codelia `which a` "$(printf \'/a\\033\')" ${b:-c}',
  "command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook claude",
  "x 2>&1 >>log <in 3>&2 <<< here",
  "a && b || c; d & e | f",
  "a # b\nc",
  "a\\\nb",
  "(a; b) && c",
  "{ a; b; }",
  "! a",
  "[ -x a ] && a",
  "sh -c 'codelia hook claude'",
  "'open",
  'a "b',
  "$(a",
])("simpleCommands() reads %j as the reader of words does", (line) =>
  expect(simpleCommands(line)).toEqual(shellWords(line)),
);

// Where that one is wrong, or says of a keyword that it is a command.
test.each([
  ["cat <<EOF\nbody x\nEOF\nb", [["", "cat"], [";", "b"]]],
  ["if a; then b; fi", [["(", "a"], [";", "b"]]],
  ["for x in a b; do c; done", [["(", "c"]]],
  ["case a in b) c;; esac", [["(", "c"]]],
  ["f() { a; }; f", [["(", "a"], [";", "f"]]],
  ["[[ -f a && $b = c ]] && d", [["", "[[", "a", "$b", "c"], ["&&", "d"]]],
  ["a |& b", [["", "a"], ["|&", "b"]]],
  ["time a", [["", "a"]]],
  ["((1 + 2)) && a", [["&&", "a"]]],
  ["a;;b", undefined],
])("simpleCommands() reads %j", (line, commands) =>
  expect(simpleCommands(line)?.map(({ operator, words }) => [operator].concat(words))).toEqual(commands),
); // prettier-ignore
