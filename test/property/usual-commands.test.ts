import { expect, test } from "bun:test";
import fc from "fast-check";
import { pathsOfToolUse } from "../../src/touched/with-grammar.ts";
import { usualPaths } from "../../src/touched/usual-calls.ts";
import { testProperty } from "./fuzz.ts";

const PLACE = { cwd: "/r/s", home: "/home/u" };
const PROGRAMS = "cd cat nl wc head tail sed grep rg ls find git true echo printf pwd".split(" ");
const WORDS = [
  ..."a b/c.ts .. . / ../.. /dev/null /dev/x - -- -n -20 -n20 -c -l -i -e -f -E -rn -r -R -g -t -A -la -I --hidden +10".split(
    " ",
  ),
  ..."'1,80p' '' \"x y\" '{}' a{} '*** Begin Patch' '-q' /usr/bin/cat x=1 *.ts src/* 2>/dev/null 2>&1 >out >>b/c <in".split(
    " ",
  ),
  "> '-'",
  "> {}",
  ">> src/*.log",
  "-\\ x",
  "<<'E'\nx\nE\n",
  "<<'E'\n*** Begin Patch\n*** Add File: p\nE\n",
];
const JOINTS = [" && ", " | ", "; ", " || ", " |& ", "\n"];

const simple = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }))
  .map(([program, words]) => [program, ...words].join(" "));
const lines = fc.array(fc.tuple(simple, fc.constantFrom(...JOINTS)), { maxLength: 4 }).map((parts) =>
  parts
    .map(([command, joint]) => command + joint)
    .join("")
    .replace(/(?: && | \| |; | \|\| )$/, ""),
);

/** The same, or left to the other one. */
function expectEqual(input: unknown): boolean {
  const usual = usualPaths("Bash", input, PLACE.cwd);
  if (usual !== undefined) expect(usual).toEqual(pathsOfToolUse({ tool: "Bash", input, ...PLACE }));
  return usual !== undefined;
}

testProperty(
  "usualPaths() finds what the grammar and the rules find, or leaves it to them",
  fc.property(lines, (command) => void expectEqual({ command })),
);

test("usualPaths() leaves no more to them than it has to", () => {
  const found = fc.sample(lines, { seed: 1, numRuns: 1000 }).filter((command) => expectEqual({ command }));
  expect(found.length).toBeGreaterThan(100);
});

test("usualPaths() takes no part in a call that says where it runs, or is none of a shell's", () => {
  for (const key of ["workdir", "cwd", "working_directory", "directory", "dir_path"]) {
    expect(expectEqual({ command: "cat a", [key]: "x" })).toBe(false);
  }
  for (const input of [undefined, null, "cat a", {}, { command: ["cat", "a"] }, { cmd: "cat a" }]) {
    expect(usualPaths("Bash", input, PLACE.cwd)).toBeUndefined();
  }
  expect(usualPaths("mcp__x__bash", { command: "cat a" }, PLACE.cwd)).toBeUndefined();
});

test("usualPaths() reads what agents write most", () => {
  for (const command of [
    "cat src/a.ts",
    "cd packages/app && sed -n '1,200p' src/main.ts | head -50",
    "ls -la src",
    "ls",
    'grep -rn "a b" src test',
    "rg -n foo",
    "rg foo src -g '*.ts'",
    "tail -n 20 log.txt; wc -l a b",
    "cat src/a.ts 2>/dev/null | head -20",
    "grep -rn foo src 2>&1 | tail -5; echo ---",
    "cat > src/a.ts <<'EOF'\nconst a = 1;\nEOF",
    "ls src # all\n\nls test",
  ]) {
    expect(expectEqual({ command })).toBe(true);
  }
});
