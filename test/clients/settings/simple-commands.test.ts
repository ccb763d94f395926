import { expect, test } from "bun:test";
import { simpleCommands } from "../../../src/clients/settings/own-command.ts";

// Of each command what stands before it, its words, and where its output goes.
test.each([
  ["", []],
  ["# nothing", []],
  ["codelia hook claude", [["","codelia","hook","claude"]]],
  ["codelia hook claude", [["","codelia hook","claude"]]],
  ["'/opt/bin/codelia' hook claude --part 1/4", [["","/opt/bin/codelia","hook","claude","--part","1/4"]]],
  ["  exec   codelia\thook claude  ", [["","exec","codelia","hook","claude"]]],
  ["'/it'\\''s/codelia' \"a\\\"b\" c\\ d", [["","/it's/codelia","a\"b","c d"]]],
  ["FOO=1 BAR='a b' x=\"c d\" codelia", [["","FOO=1","BAR=a b","x=c d","codelia"]]],
  ["\"$HOME\"/bin/codelia `which a` \"$(printf '/a\\033')\" ${b:-c}", [["","$HOME/bin/codelia","`which a`","$(printf '/a\\033')","${b:-c}"]]],
  ["command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook claude", [["","command","-v","codelia",">/dev/null","2>&1"],["||","exit","0"],[";","exec","codelia","hook","claude"]]],
  ["x 2>&1 >>log <in 3>&2 <<< here", [["","x","2>&1",">>log","<in","3>&2","<<<here"]]],
  ["a && b || c; d & e | f", [["","a"],["&&","b"],["||","c"],[";","d"],["&","e"],["|","f"]]],
  ["a # b\nc", [["","a"],[";","c"]]],
  ["a\\\nb", [["","ab"]]],
  ["(a; b) && c", [["(","a"],[";","b"],["&&","c"]]],
  ["{ a; b; }", [["","a"],[";","b"]]],
  ["! a", [["","a"]]],
  ["sh -c 'codelia hook claude'", [["","sh","-c","codelia hook claude"]]],
  ["'open", undefined],
  ["a \"b", undefined],
  ["$(a", undefined],
  ["cat <<EOF\nbody x\nEOF\nb", [["", "cat", "<<EOF"], [";", "b"]]],
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
  expect(
    simpleCommands(line)?.map(({ operator, words, redirections }) => [operator].concat(words, redirections)),
  ).toEqual(commands),
); // prettier-ignore
