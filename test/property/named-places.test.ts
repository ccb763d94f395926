import { afterAll, expect } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { integer, property } from "fast-check";
import { placesNamedBy } from "../../src/trust/named/places.ts";
import { tempTree } from "../support/temp-tree.ts";
import { testProperty } from "./fuzz.ts";

// A real shell is the judge: whatever text has it run a script, the script was named in it, or the text refused.

const tree = tempTree({ "work/tools/x": "" });
afterAll(() => tree[Symbol.dispose]());
const MARK = tree.path("mark");
tree.write("work/tools/x", `#!/bin/sh\necho > ${MARK}\n`);
chmodSync(tree.path("work/tools/x"), 0o755);
const SCRIPT = tree.path("work/tools/x");
const CWD = tree.path("work");
const SHELLS = ["/bin/sh", "/bin/bash"].filter((path) => existsSync(path));

/** Kept dense: what stands between the bars. */
function list(...lines: readonly string[]): readonly string[] {
  return lines.join(" ‖ ").split(" ‖ ");
}

const WORDS = list(
  String.raw`tools/x ‖ ./tools/x ‖ ./x ‖ x ‖ a ‖ $t/x ‖ ${"${t}"}/x ‖ "$t"/x ‖ $PWD/tools/x ‖ $(pwd)/tools/x ‖ tool?/x`,
  String.raw`tools/* ‖ {tools,o}/x ‖ $X ‖ $f ‖ to'ol's/x ‖ $'tools/x' ‖ tools\/x ‖ ${"${u:-tools/x}"} ‖ ${"${t%z}"}/x ‖ $1`,
  '$(echo tools/x) ‖ `echo tools/x` ‖ ../work/tools/x ‖ tools/../tools/x ‖ "tools/x" ‖ ${X:+$X} ‖ $OLDPWD/x',
);
const BEFORE = list(
  " ‖  ‖  ‖ env ‖ env A=b ‖ env -C tools ‖ timeout 5 ‖ nice ‖ exec ‖ command ‖ time ‖ ! ‖ A=b ‖ X=tools/x ‖ t=tools",
  "PATH=$PWD/tools:$PATH ‖ sh ‖ sh -e ‖ eval ‖ . ‖ sh -c ‖ xargs ‖ xargs sh ‖ find . -exec ‖ BASH_ENV=tools/x bash -c",
  "sh -s ‖ bash --rcfile tools/x -c ‖ cat ‖ grep -f",
);
const BEHIND = list(
  " ‖  ‖  ‖ a ‖ <tools/x ‖ < $X ‖ <<E\ntools/x\nE\n ‖ <<'E'\n. tools/x\nE\n ‖ <<< tools/x ‖ >out ‖ | sh ‖ | bash -s",
  String.raw`| xargs sh ‖ | cat ‖ {} \; ‖ -v ‖ sh tools/x ‖ "$X" ‖ 'cd tools; ./x'`,
);
const ALONE = list(
  'cd tools ‖ cd .. ‖ cd "$PWD" ‖ cd - ‖ pushd tools ‖ popd ‖ cd $t ‖ cd ./tools/.. ‖ CDPATH=. cd tools ‖ t=tools',
  "X=tools/x ‖ X=./x ‖ f=tools/x ‖ set -- tools/x ‖ export PATH=$PWD/tools:$PATH ‖ X=$t/x ‖ alias a=tools/x ‖ a",
  "trap tools/x EXIT ‖ cat tools/x ‖ unset t ‖ t+=s ‖ t=too; t=${t}ls ‖ read t ‖ declare X=tools/x ‖ sh <&3 ‖ sh",
  "hash -p tools/x a ‖ shopt -s expand_aliases ‖ exec 3<tools/x",
);

/** A program of a shell, the same for the same seed. */
function programOf(seed: number): string {
  let state = seed | 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const pick = (from: readonly string[]) => from[below(from.length)] as string;
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const program = (depth: number): string => {
    const kind = depth === 0 ? below(9) : below(20);
    if (kind < 3) return pick(ALONE);
    if (kind < 9) return `${pick(BEFORE)} ${pick(WORDS)} ${pick(BEHIND)}`;
    if (kind < 14) return program(depth - 1) + pick(["; ", " && ", " || ", "\n", " | "]) + program(depth - 1);
    const inner = program(depth - 1);
    const others = list(
      `(${inner}) ‖ { ${inner}; } ‖ if true; then ${inner}; fi ‖ if ${inner}; then true; fi ‖ case a in a) ${inner};; esac`,
      `for f in ${pick(WORDS)} a; do ${inner}; done ‖ while ${inner}; do break; done ‖ f() { ${inner}; }; f ${pick(WORDS)}`,
      `sh -c ${quoted(inner)} ‖ eval ${quoted(inner)} ‖ trap ${quoted(inner)} EXIT ‖ echo ${quoted(inner)} | sh`,
      `echo "$(${inner})" ‖ cat <(${inner}) ‖ sh <<E\n${inner}\nE\n ‖ xargs -I{} sh -c ${quoted(inner)} ‖ ((${inner}))`,
    );
    return pick(others);
  };
  return program(3);
}

testProperty(
  "placesNamedBy() names the script that a shell's text has run, or refuses the text",
  property(integer(), (seed) => {
    const text = programOf(seed);
    const shell = SHELLS[seed & 1] ?? "/bin/sh";
    rmSync(MARK, { force: true });
    const env = { PATH: "/usr/bin:/bin", HOME: tree.root };
    spawnSync(shell, ["-c", text], { cwd: CWD, env, timeout: 2000, killSignal: "SIGKILL", input: "" });
    if (!existsSync(MARK)) return;
    const command = { key: "x", words: [shell, "-c", text], behind: [], kind: "command" } as const;
    const { files, run, unknown } = placesNamedBy(command, { cwd: CWD, home: tree.root, root: CWD });
    const isKnown = unknown !== undefined || files.has(SCRIPT) || run.has(tree.path("work/tools"));
    expect([text, isKnown]).toEqual([text, true]);
  }),
);
