import { describe, expect, test } from "bun:test";
import { placesNamedBy } from "../../../src/trust/named/places.ts";

const PLACE = { cwd: "/repo/sub", home: "/home/me", root: "/repo" };

function named(words: readonly string[], kind: "command" | "arguments" | "tools" = "command") {
  return placesNamedBy({ key: "x", words, behind: [], kind }, PLACE);
}

/** Commands that name `/repo/sub/tools/x`, and would run what stands in it. */
const NAMING: readonly (readonly string[])[] = [
  ["./tools/x"],
  ["tools/x", "--fast"],
  ["/repo/sub/tools/x"],
  ["../sub/tools/x"],
  ["sh", "tools/x"],
  ["node", "--enable-source-maps", "tools/x"],
  ["node", "--require", "./tools/x", "other.js"],
  ["node", "--require=./tools/x"],
  ["node", "-r./tools/x"],
  ["node", "--import", "file:///repo/sub/tools/x"],
  ["node", "-e", "require('./tools/x')"],
  ["python3", "-c", 'exec(open("tools/x").read())'],
  ["curl", "-d", "@tools/x", "host"],
  ["tool", "--config=tools/x"],
  ["tool", "--set", "a=tools/x"],
  ["tool", "-Ctools/x"],
  ["tool", "one:tools/x,two"],
  ["env", "LD_PRELOAD=./tools/x", "ls"],
  ["env", "NODE_OPTIONS=--require ./tools/x", "npm", "test"],
  ["timeout", "5", "tools/x"],
  ["timeout", "5", "sh", "-c", "tools/x"],
  ["find", ".", "-exec", "sh", "tools/x", "{}", ";"],
  ["xargs", "tools/x"],
  ["su", "me", "-c", "tools/x -v"],
  ["sh", "-c", "./tools/x"],
  ["bash", "-euo", "pipefail", "-c", "true && tools/x"],
  ["bash", "-lc", "exec tools/x"],
  ["sh", "-c", "cd tools && ./x"],
  ["sh", "-c", "(cd tools; ./x)"],
  ["sh", "-c", "cd /repo/sub/tools; . ./x"],
  ["sh", "-c", "t=tools; $t/x"],
  ["sh", "-c", '"$PWD"/tools/x'],
  ["sh", "-c", "to'ol's/x"],
  ["sh", "-c", "tools\\/x"],
  ["sh", "-c", "{tools/x,other}"],
  ["sh", "-c", "for f in a tools/x; do sh $f; done"],
  ["sh", "-c", "f() { tools/x; }; f"],
  ["sh", "-c", "if true; then tools/x; fi"],
  ["sh", "-c", "echo $(tools/x)"],
  ["sh", "-c", "f() { ./x; }; cd tools; f"],
  ["sh", "-c", "t=a; f() { $t/x; }; t=tools; f"],
  ["sh", "-c", "cd tools | ../sub/tools/x"],
  ["sh", "-c", "trap 'tools/x' EXIT"],
  ["bash", "-c", "alias a='cd tools; ./x'"],
  ["bash", "-c", "coproc eval tools/x"],
  ["sh", "-c", "X=grep; [ -f a ] || X=sh; $X tools/x"],
  ["sh", "-c", "env -C tools ./x"],
  ["sh", "-c", "export t=tools; sh $t/x"],
  ["sh", "-c", "sh < tools/x"],
  ["sh", "-c", "sh <<E\ntools/x\nE"],
  ["sh", "-c", "node - <<E\nrequire('./tools/x')\nE"],
  ["sh", "-c", "sh -c 'sh -c tools/x'"],
  ["sh", "-c", "eval 'tools/x'"],
  ["sh", "-c", "X=./tools/x node a.js"],
  ["sh", "-c", "export X=./tools/x; node a.js"],
  ["sh", "-c", "cd tools && true; cd .. && tools/x"],
];

/** Commands of which nobody can say what they run before they run it. */
const HIDDEN: readonly (readonly string[])[] = [
  ["sh", "-c", "$X"],
  ["sh", "-c", "$(cat tools/x)"],
  ["sh", "-c", "sh tools/*"],
  ["sh", "-c", 'sh "$1"', "sh", "tools/x"],
  ["sh", "-c", 'node "$f"'],
  ["sh", "-c", 'eval "$X"'],
  ["sh", "-c", '. "$X"'],
  ["sh", "-c", 'sh -c "$X"'],
  ["sh", "-c", 'sh < "$X"'],
  ["sh", "-c", "ls | xargs sh"],
  ["sh", "-c", "cat tools/x | sh"],
  ["sh", "-c", "echo '. tools/x' | sh"],
  ["sh", "-c", "echo '. tools/x' | (sh)"],
  ["sh", "-c", "exec 3<tools/x; sh <&3"],
  ["sh", "-c", "sh /dev/stdin < tools/x"],
  ["sh", "-c", "for PWD in tools; do sh $PWD/x; done"],
  ["sh", "-c", "OLDPWD=tools; sh $OLDPWD/x"],
  ["sh", "-c", `${"(".repeat(70).replaceAll("(", "( ")}sh tools/x${" )".repeat(70)}`],
  ["sh", "-c", "X=a; read X; $X"],
  ["sh", "-c", "find . -exec {} ;"],
  ["sh", "-c", "X='sh tools/x'; $X"],
  ["sh", "-c", "((tools/x))"],
  ["sh", "-c", "ls | xargs node"],
  ["sh", "-c", 'cd "$X" && ./x'],
  ["sh", "-c", "'unterminated"],
  ["find", ".", "-exec", "sh", "{}", ";"],
  ["xargs", "sh"],
  ["tool", Array.from({ length: 6000 }, (_, index) => index).join(":")],
];

describe("placesNamedBy()", () => {
  for (const words of NAMING) {
    test(`finds the file in ${JSON.stringify(words)}`, () => {
      const { files, unknown } = named(words);
      expect([files.has("/repo/sub/tools/x"), unknown]).toEqual([true, undefined]);
    });
  }

  for (const words of HIDDEN) {
    test(`can't tell all of ${JSON.stringify(words).slice(0, 80)}`, () => {
      expect(named(words).unknown).toBeString();
    });
  }

  test.each([
    [["grep", "-q", "done", "tools/x"]],
    [["sh", "-c", "grep done tools/x | wc -l"]],
    [["sh", "-c", 'test "$(cat tools/x)" = ok && [ -s tools/x ]']],
    [["sh", "-c", "npm test > tools/x 2>&1"]],
  ])("takes what is only read or written for no program: %j", (words) => {
    const { files, unknown } = named(words);
    expect([files.has("/repo/sub/tools/x"), unknown]).toEqual([false, undefined]);
  });

  test.each([
    [["node", "tools"], ["/repo/sub/tools"]],
    [
      ["python3", "-m", "tools.x"],
      ["/repo/sub/tools/x", "/repo/sub/tools.x"],
    ],
    [
      ["env", "PATH=./bin:/usr/bin", "x"],
      ["/repo/sub/bin", "/usr/bin"],
    ],
    [["sh", "-c", "PATH=$PWD/bin:$PATH y"], ["/repo/sub/bin"]],
    [["npm", "test"], []],
    [["bun", "test"], []],
    [["eslint", "src"], []],
  ])("says which directories are run: %j", (words, run) => {
    expect([...named(words).run].filter((path) => !path.includes(":") && path !== PLACE.cwd).toSorted()).toEqual(
      run.toSorted(),
    );
  });

  test("looks for paths in an engine's own words, and for commands in what its shell need not ask for", () => {
    expect(named(["--settings", "tools/x"], "arguments").files).toContain("/repo/sub/tools/x");
    expect(named(["--append", "read tools/x"], "arguments").files).not.toContain("/repo/sub/tools/x");
    expect(named(["--plugin-dir", "tools"], "arguments").run).toContain("/repo/sub/tools");
    expect(named(["Bash(./tools/x:*)"], "tools").files).toContain("/repo/sub/tools/x");
    expect(named(["Bash(sh:*)", "Bash(node:*)", "Bash($X)"], "tools").unknown).toBeUndefined();
    expect(named(["Bash(npm run *)", "Edit(tools/x)", "Bash"], "tools")).toEqual({
      files: new Set(["/repo/sub/run"]),
      run: new Set(),
      unknown: undefined,
    });
  });

  /** As long as a definition may be, and shaped so that reading it twice as long could take four times as long. */
  const text = (part: string) => ["sh", "-c", part.repeat(Math.floor(8000 / part.length))];
  test.each([
    [Array.from({ length: 64 }, () => `-${"a=".repeat(4000)}`)],
    [Array.from({ length: 64 }, () => "a:".repeat(4000))],
    [["sh", "-c", `${Array.from({ length: 32 }, (_, index) => `X=${index};`).join("")}${"$X $X;".repeat(1100)}`]],
    [["sh", "-c", `x=a;${"x=$x$x;".repeat(1000)}`]],
    [text("cd a;")],
    [text("eval ")],
    [text("coproc ")],
    [text("$(")],
    [text("for f in a b; do ")],
    [text("sh <<E\n")],
    [text("trap '")],
  ])("is done in time with %.60j", (words) => {
    const began = performance.now();
    named(words);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
