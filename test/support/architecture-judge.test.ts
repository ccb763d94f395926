import { expect, test } from "bun:test";
import { judge, type SourceFile } from "./architecture-judge.ts";

/** The rules broken by a source tree given as path → text, with where. */
function rulesBroken(files: Readonly<Record<string, string>>): string[] {
  const sources: SourceFile[] = Object.entries(files).map(([path, text]) => ({ path: `src/${path}`, text }));
  return judge(sources).map(({ rule, path, line }) => `${path.slice("src/".length)}:${line} ${rule}`);
}

const FILE_IN = {
  "main.ts": "main.ts",
  "cli.ts": "cli.ts",
  "standard-input.ts": "standard-input.ts",
  "errors.ts": "errors.ts",
  "world.ts": "world.ts",
  "command.ts": "command.ts",
  commands: "commands/a.ts",
  schema: "schema/a.ts",
  core: "core/a.ts",
  hosts: "hosts/a.ts",
  render: "render/a.ts",
  io: "io/a.ts",
  agent: "agent/a.ts",
  "agent/configuration": "agent/configuration/a.ts",
  "agent/execution": "agent/execution/a.ts",
  "agent/judgement": "agent/judgement/a.ts",
  "agent/connection": "agent/connection/a.ts",
  "agent/commands": "agent/commands/a.ts",
};
type Layer = keyof typeof FILE_IN;
const LAYERS = Object.keys(FILE_IN) as Layer[];

/** The table of DESIGN §8 once more, so that changing it takes two hands. */
const MAY_IMPORT: Readonly<Record<Layer, string>> = {
  "main.ts": "cli.ts standard-input.ts errors.ts render",
  "cli.ts": "errors.ts commands core render agent/commands",
  "standard-input.ts": "",
  "errors.ts": "",
  "world.ts": "",
  "command.ts": "",
  commands: "core io render hosts commands agent/commands",
  schema: "schema",
  core: "core",
  hosts: "core schema",
  render: "render",
  io: "errors.ts schema core io",
  agent: "errors.ts schema core render io agent",
  "agent/configuration": "schema core io agent agent/configuration agent/judgement agent/connection",
  "agent/execution": "schema core render io agent agent/execution agent/judgement agent/connection",
  "agent/judgement": "core agent/judgement",
  "agent/connection": "schema core io agent agent/connection",
  "agent/commands":
    "schema core render io commands agent agent/commands agent/configuration agent/execution agent/judgement agent/connection",
};

for (const from of LAYERS) {
  test(`judge() lets '${from}' import values only from: ${MAY_IMPORT[from]}`, () => {
    const allowed = LAYERS.filter((to) => {
      const target = to === from ? FILE_IN[to].replace("a.ts", "b.ts") : FILE_IN[to];
      const up = "../".repeat(FILE_IN[from].split("/").length - 1) || "./";
      const source = { [FILE_IN[from]]: `void import("${up}${target}");`, [target]: "export const a = 1;" };
      return target !== FILE_IN[from] && rulesBroken(source).length === 0;
    });
    expect(allowed.toSorted()).toEqual(MAY_IMPORT[from].split(" ").filter(Boolean).toSorted() as Layer[]);
  });
}

const BREAKING: [name: string, files: Record<string, string>, rules: string[]][] = [
  [
    "a file in no layer",
    { "extra.ts": "", "more/a.ts": "", "core.ts": "", "main.ts/a.ts": "", "agent/more/a.ts": "" },
    ["extra.ts:1 place", "more/a.ts:1 place", "core.ts:1 place", "main.ts/a.ts:1 place", "agent/more/a.ts:1 place"],
  ],
  [
    "a file named after no idea",
    { "core/utils.ts": "", "io/helpers.ts": "", "index.ts": "" },
    ["core/utils.ts:1 name", "io/helpers.ts:1 name", "index.ts:1 place", "index.ts:1 name"],
  ],
  ["a file too long", { "core/a.ts": "//\n".repeat(251), "core/b.ts": "//\n".repeat(250) }, ["core/a.ts:251 length"]],
  ["a static import of another layer", { "core/a.ts": '\nimport { b } from "../io/b.ts";' }, ["core/a.ts:2 layer"]],
  ["a re-export from another layer", { "core/a.ts": 'export * from "../io/b.ts";' }, ["core/a.ts:1 layer"]],
  ["a side effect of another layer", { "core/a.ts": 'import "../io/b.ts";' }, ["core/a.ts:1 layer"]],
  ["a command that cli.ts imports statically", { "cli.ts": 'import { a } from "./commands/a.ts";' }, ["cli.ts:1 lazy"]],
  ["an import from outside src", { "core/a.ts": 'import a from "../../package.json";' }, ["core/a.ts:1 layer"]],
  ["other data than the manifest in cli.ts", { "cli.ts": 'import a from "../tsconfig.json";' }, ["cli.ts:1 layer"]],
  [
    "a computed import outside io",
    { "core/a.ts": "void import(name);", "io/a.ts": "void import(name);" },
    ["core/a.ts:1 computed"],
  ],
  [
    "a builtin where nothing may have an effect",
    { "core/a.ts": 'import "node:fs";', "commands/a.ts": 'import "node:fs";', "render/a.ts": 'import "node:url";' },
    ["core/a.ts:1 builtin", "commands/a.ts:1 builtin", "render/a.ts:1 builtin"],
  ],
  ["a builtin without its prefix", { "io/a.ts": 'import "fs";' }, ["io/a.ts:1 builtin"]],
  [
    "a package in a layer that has none",
    { "core/a.ts": 'import "yaml";', "agent/a.ts": 'import "tinyglobby";', "commands/a.ts": 'void import("citty");' },
    ["core/a.ts:1 package", "agent/a.ts:1 package", "commands/a.ts:1 package"],
  ],
  ["zod outside src/schema", { "io/a.ts": 'import { z } from "zod";' }, ["io/a.ts:1 package"]],
  ["another package in src/schema", { "schema/a.ts": 'import "yaml";' }, ["schema/a.ts:1 package"]],
  [
    "a package in two files",
    { "io/a.ts": 'import "consola";', "io/b.ts": 'void import("consola/core");' },
    ["io/a.ts:1 one package, one file"],
  ],
  ["two packages in a file", { "io/a.ts": 'import "@a/b";\nimport "@a/c/d";' }, ["io/a.ts:1 one file, one package"]],
  [
    "two files that import each other",
    { "core/b.ts": 'import "./a.ts";', "core/a.ts": 'void import("./b.ts");' },
    ["core/a.ts:1 cycle"],
  ],
  [
    "a longer cycle",
    { "io/a.ts": 'import "./b.ts";', "io/b.ts": 'import "./c.ts";', "io/c.ts": 'import "./a.ts";' },
    ["io/a.ts:1 cycle"],
  ],
  ["a file that imports itself", { "core/a.ts": 'import "./a.ts";' }, ["core/a.ts:1 cycle"]],
  [
    "process outside main.ts",
    { "io/a.ts": "\nprocess.exit();", "cli.ts": "globalThis.process;", "core/a.ts": 'import "node:process";' },
    ["io/a.ts:2 global", "cli.ts:1 global", "core/a.ts:1 global"],
  ],
  [
    "Bun anywhere",
    { "main.ts": "Bun.gc();", "io/a.ts": 'import "bun";', "io/b.ts": 'import "bun:ffi";' },
    ["main.ts:1 global", "io/a.ts:1 global", "io/b.ts:1 global"],
  ],
  ["console anywhere", { "main.ts": "console.log(1);" }, ["main.ts:1 global"]],
  ["a default export", { "core/a.ts": "\n\nexport default 1;" }, ["core/a.ts:3 default export"]],
  ["a file that can't be read", { "core/a.ts": "const a = 'x" }, ["core/a.ts:1 unreadable"]],
];
for (const [name, files, rules] of BREAKING) {
  test(`judge() reports ${name}`, () => {
    expect(rulesBroken(files)).toEqual(rules);
  });
}

test("judge() finds nothing wrong with a tree that keeps the law", () => {
  const files = {
    "main.ts":
      'import { writeSync } from "node:fs";\nimport { env } from "node:process";\nimport { run } from "./cli.ts";\nprocess.exitCode = await run();',
    "cli.ts":
      'import { EXIT } from "./errors.ts";\nconst load = () => import("./commands/a.ts");\nvoid import("citty");\nvoid import("../package.json");',
    "errors.ts": "export const EXIT = {};",
    "world.ts": "export interface World {}",
    "command.ts": 'import type { ArgsDef } from "citty";\nimport type { World } from "./world.ts";',
    "commands/a.ts":
      'import type { World } from "../world.ts";\nimport type { Z } from "zod";\nimport { a } from "../core/a.ts";',
    "schema/a.ts": 'import { z } from "zod";',
    "schema/b.ts": 'import { z } from "zod";\nimport { a } from "./a.ts";',
    "core/a.ts":
      'import { join } from "node:path";\nimport type { Stats } from "node:fs";\nimport type { B } from "./b.ts";',
    "core/b.ts": 'import { a } from "./a.ts";\n// process.exit(); import "../io/a.ts"\n',
    "io/a.ts":
      'import { readFileSync } from "node:fs";\nimport { parse } from "yaml";\nimport { CodeliaError } from "../errors.ts";',
    "agent/a.ts": 'import { spawn } from "node:child_process";',
  };
  expect(rulesBroken(files)).toEqual([]);
});
