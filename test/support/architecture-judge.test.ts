import { expect, test } from "bun:test";
import { cyclesIn, judge, type SourceFile } from "./architecture-judge.ts";
import { ROOMS } from "./architecture-law.ts";

type Files = Readonly<Record<string, string>>;

/** What breaks a rule in a source tree, which is given as path → text. */
function rulesBroken(files: Files, pure: readonly string[] = []): string[] {
  const sources: SourceFile[] = Object.entries(files).map(([path, text]) => ({ path: `src/${path}`, text }));
  return judge(sources, pure).map(({ rule, path, line }) => `${path.slice("src/".length)}:${line} ${rule}`);
}

/** Repeats the order of the rooms, so that it is not changed by accident. */
const ORDER =
  "errors.ts world.ts command.ts lib cli config touched ledger instructions skills clients trust plugins agent hooks check report mcp workspace.ts commands cli.ts main.ts".split(
    " ",
  );
const fileIn = (room: string, name = "a") => (room.endsWith(".ts") ? room : `${room}/${name}.ts`);

for (const [index, from] of ORDER.entries()) {
  test(`judge() lets '${from}' import values only from itself and the ${index} before it`, () => {
    const allowed = ROOMS.filter((to) => {
      const [file, target] = [fileIn(from), to === from ? fileIn(to, "b") : fileIn(to)];
      const up = from.endsWith(".ts") ? "./" : "../";
      const source = { [file]: `void import("${up}${target}");`, [target]: "export const a = 1;" };
      return target !== file && rulesBroken(source).length === 0;
    });
    expect(allowed).toEqual(ORDER.slice(0, from.endsWith(".ts") ? index : index + 1) as typeof allowed);
  });
}

const BREAKING: readonly (readonly [name: string, files: Files, rules: readonly string[], pure?: readonly string[]])[] =
  [
    [
      "a file in no room",
      { "extra.ts": "", "more/a.ts": "", "lib.ts": "", "main.ts/a.ts": "" },
      ["extra.ts:1 place", "more/a.ts:1 place", "lib.ts:1 place", "main.ts/a.ts:1 place"],
    ],
    [
      "a file that is named after no subject",
      { "lib/utils.ts": "", "skills/helpers.ts": "", "index.ts": "" },
      ["lib/utils.ts:1 name", "skills/helpers.ts:1 name", "index.ts:1 place", "index.ts:1 name"],
    ],
    ["a file too long", { "lib/a.ts": "//\n".repeat(401), "lib/b.ts": "//\n".repeat(400) }, ["lib/a.ts:401 length"]],
    ["a static import of a later room", { "lib/a.ts": '\nimport { b } from "../skills/b.ts";' }, ["lib/a.ts:2 room"]],
    ["a re-export from a later room", { "lib/a.ts": 'export * from "../skills/b.ts";' }, ["lib/a.ts:1 room"]],
    ["a side effect of a later room", { "lib/a.ts": 'import "../skills/b.ts";' }, ["lib/a.ts:1 room"]],
    ["a later room by import()", { "lib/a.ts": 'void import("../skills/b.ts");' }, ["lib/a.ts:1 room"]],
    [
      "a command that cli.ts imports statically",
      { "cli.ts": 'import { a } from "./commands/a.ts";' },
      ["cli.ts:1 lazy"],
    ],
    ["other data than the manifest", { "cli.ts": 'import a from "../tsconfig.json";' }, ["cli.ts:1 room"]],
    [
      "a computed import elsewhere than where plugins are run",
      { "lib/a.ts": "void import(name);", "plugins/module.ts": "void import(name);" },
      ["lib/a.ts:1 computed"],
    ],
    [
      "effects elsewhere than in lib",
      { "lib/a.ts": 'import "node:fs";', "skills/a.ts": 'import "node:fs";', "report/a.ts": 'import "node:url";' },
      ["skills/a.ts:1 builtin"],
    ],
    ["a builtin without its prefix", { "lib/a.ts": 'import "fs";' }, ["lib/a.ts:1 builtin"]],
    [
      "zod in no schema",
      { "lib/a.ts": 'import { z } from "zod";', "lib/schema.ts": 'import "zod";' },
      ["lib/a.ts:1 package"],
    ],
    [
      "a package in two files",
      { "lib/a.ts": 'import "consola";', "lib/b.ts": 'void import("consola/core");' },
      ["lib/a.ts:1 one package, one file"],
    ],
    [
      "two packages in a file",
      { "lib/a.ts": 'import "@a/b";\nimport "@a/c/d";' },
      ["lib/a.ts:1 one file, one package"],
    ],
    [
      "two files that import each other",
      { "lib/b.ts": 'import "./a.ts";', "lib/a.ts": 'void import("./b.ts");' },
      ["lib/a.ts:1 cycle"],
    ],
    [
      "a longer cycle",
      { "lib/a.ts": 'import "./b.ts";', "lib/b.ts": 'import "./c.ts";', "lib/c.ts": 'import "./a.ts";' },
      ["lib/a.ts:1 cycle"],
    ],
    ["a file that imports itself", { "lib/a.ts": 'import "./a.ts";' }, ["lib/a.ts:1 cycle"]],
    [
      "process outside main.ts",
      { "lib/a.ts": "\nprocess.exit();", "cli.ts": "globalThis.process;", "lib/b.ts": 'import "node:process";' },
      ["lib/a.ts:2 global", "cli.ts:1 global", "lib/b.ts:1 global"],
    ],
    [
      "Bun anywhere",
      { "main.ts": "Bun.gc();", "lib/a.ts": 'import "bun";', "lib/b.ts": 'import "bun:ffi";' },
      ["main.ts:1 global", "lib/a.ts:1 global", "lib/b.ts:1 global"],
    ],
    ["console anywhere", { "main.ts": "console.log(1);" }, ["main.ts:1 global"]],
    ["a default export", { "lib/a.ts": "\n\nexport default 1;" }, ["lib/a.ts:3 default export"]],
    ["a file that can't be read", { "lib/a.ts": "const a = 'x" }, ["lib/a.ts:1 unreadable"]],
    [
      "a decision that comes to an effect",
      {
        "skills/a.ts": 'import "./b.ts";',
        "skills/b.ts": 'void import("../lib/fs.ts");',
        "lib/fs.ts": 'import "node:fs";',
      },
      ["skills/a.ts:1 effect"],
      ["src/skills/a.ts"],
    ],
    [
      "a decision that is not there",
      { "skills/a.ts": "" },
      ["skills/b.ts:1 place"],
      ["src/skills/a.ts", "src/skills/b.ts"],
    ],
  ];
for (const [name, files, rules, pure] of BREAKING) {
  test(`judge() reports ${name}`, () => {
    expect(rulesBroken(files, pure)).toEqual([...rules]);
  });
}

test("judge() finds nothing wrong with a tree that keeps the law", () => {
  const files = {
    "main.ts": 'import { writeSync } from "node:fs";\nimport { run } from "./cli.ts";\nprocess.exitCode = await run();',
    "cli.ts":
      'import { EXIT } from "./errors.ts";\nconst load = () => import("./commands/a.ts");\nvoid import("citty");\nvoid import("../package.json");',
    "errors.ts": "export const EXIT = {};",
    "world.ts": "export interface World {}",
    "command.ts": 'import type { ArgsDef } from "citty";\nimport type { World } from "./world.ts";',
    "commands/a.ts":
      'import type { World } from "../world.ts";\nimport type { Z } from "zod";\nimport { a } from "../skills/a.ts";',
    "skills/schema.ts": 'import { z } from "zod";',
    "config/skill-schema.ts": 'import { z } from "zod";\nimport { a } from "./a.ts";',
    "skills/a.ts":
      'import { join } from "node:path";\nimport type { Stats } from "node:fs";\nimport type { B } from "../hooks/b.ts";',
    "config/a.ts": '// process.exit(); import "../skills/a.ts"\n',
    "lib/a.ts":
      'import { readFileSync } from "node:fs";\nimport { parse } from "yaml";\nimport { CodeliaError } from "../errors.ts";',
  };
  expect(rulesBroken(files)).toEqual([]);
});

const GRAPHS: [name: string, edges: Record<string, string[]>, cycles: string[][]][] = [
  ["no edge", { a: [] }, []],
  ["a chain and a diamond", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, []],
  ["a loop", { a: ["a"] }, [["a"]]],
  ["two nodes, from either side", { b: ["a"], a: ["b"] }, [["a", "b"]]],
  ["a cycle behind a chain", { x: ["c"], c: ["a"], a: ["b"], b: ["c"] }, [["a", "b", "c"]]],
  [
    "two cycles",
    { a: ["b"], b: ["a"], c: ["d"], d: ["c", "a"] },
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["an edge to a node that is not there", { a: ["b"] }, []],
];
for (const [name, edges, cycles] of GRAPHS) {
  test(`cyclesIn() finds the cycles of ${name}`, () => {
    expect(cyclesIn(new Map(Object.entries(edges)))).toEqual(cycles);
  });
}
