import { expect, test } from "bun:test";
import { factsOf } from "./source-facts.ts";

const IMPORTS: [source: string, specifiers: (string | undefined)[]][] = [
  ['import { a } from "./a.ts";', ["./a.ts"]],
  ['import a from "./a.ts"', ["./a.ts"]],
  ['import * as a from "./a.ts"', ["./a.ts"]],
  ['import a, { b } from "./a.ts"', ["./a.ts"]],
  ['import "./a.ts"', ["./a.ts"]],
  ["import { a } from './a.ts'", ["./a.ts"]],
  ['import {\n  a, // from "./no.ts"\n  b,\n} from\n  "./a.ts"', ["./a.ts"]],
  ['import data from "./a.json" with { type: "json" };', ["./a.json"]],
  ['import { type A, b } from "./a.ts"', ["./a.ts"]],
  // verbatimModuleSyntax keeps this one as `import {} from "./a.ts"`: the module is loaded
  ['import { type A } from "./a.ts"', ["./a.ts"]],
  ['import type { A } from "./a.ts"', []],
  ['import type A from "./a.ts"', []],
  ['import type * as A from "./a.ts"', []],
  ['import type from "./a.ts"', ["./a.ts"]],
  ['import type, { a } from "./a.ts"', ["./a.ts"]],
  ['import { a } from "./a.ts"; import type { B } from "./b.ts"\nimport { c } from "./c.ts"', ["./a.ts", "./c.ts"]],
  ['export { a } from "./a.ts"', ["./a.ts"]],
  ['export { a as b, type C } from "./a.ts"', ["./a.ts"]],
  ['export * from "./a.ts"', ["./a.ts"]],
  ['export * as a from "./a.ts"', ["./a.ts"]],
  ['export type { A } from "./a.ts"', []],
  ['export type * from "./a.ts"', []],
  ["export { a }; const from = 'x'", []],
  ['export { a }\nimport type { B } from "./b.ts"', []],
  ['export let a\nimport type { B } from "./b.ts"', []],
  ['export interface A {}\nimport type { B } from "./b.ts"', []],
  ['export function a(from: string) { from }\nimport b from "./b.ts"', ["./b.ts"]],
  ['export { a } from "./a.ts"\nexport { b } from "./b.ts"', ["./a.ts", "./b.ts"]],
  ["const text = `it's ${1} it's ${2} it's`; import('./a.ts')", ["./a.ts"]],
  ['export const from = "./a.ts"', []],
  ['export type A = "from" | "./a.ts"', []],
  ['const a = await import("./a.ts")', ["./a.ts"]],
  ['load: () => import("./a.ts")', ["./a.ts"]],
  ['import("./a.json", { with: { type: "json" } })', ["./a.json"]],
  ["import(`./a.ts`)", ["./a.ts"]],
  ["import(`./${name}.ts`)", [undefined]],
  ["import(name)", [undefined]],
  ['import("./a" + ".ts")', [undefined]],
  ['type A = typeof import("./a.ts")', []],
  ["import.meta.dirname", []],
  ['const a = require("./a.ts")', ["./a.ts"]],
  ['import a = require("./a.ts")', ["./a.ts"]],
  ['module.require("./a.ts"); x.import("./b.ts")', []],
  ['// import "./a.ts"\n/* import "./b.ts" */', []],
  ['const text = `import "./a.ts" ${import("./b.ts")} import "./c.ts"`', ["./b.ts"]],
  ["const text = \"import './a.ts'\"", []],
  ["const quote = /[\"']/; const half = a / b; import('./a.ts')", ["./a.ts"]],
  ["const entry = { import: 1, from: 2 }", []],
  ['const words = ["import", "./a.ts", "export", "{", "}", "from", "./b.ts"]', []],
];
for (const [source, specifiers] of IMPORTS) {
  test(`factsOf() finds the imports of ${JSON.stringify(source)}`, () => {
    expect(factsOf(source).imports.map(({ specifier }) => specifier)).toEqual(specifiers);
  });
}

test("factsOf() tells static from dynamic imports, and on what line they are", () => {
  expect(factsOf('\n/*\n*/ import "a"; `\n${1}\n`;\nimport("b");').imports).toEqual([
    { specifier: "a", dynamic: false, line: 3 },
    { specifier: "b", dynamic: true, line: 6 },
  ]);
});

const NAMES: [source: string, names: string[]][] = [
  ["process.exit(1)", ["process"]],
  ["const { env } = process", ["process"]],
  ["globalThis.process", ["process"]],
  ["globalThis?.process", ["process"]],
  ['globalThis["process"]', ["process"]],
  ["typeof process", ["process"]],
  ["const all = { process }", ["process"]],
  ["yes ? process : other", ["process"]],
  ["process ? yes : no", ["process"]],
  ["`${process.pid}`", ["process"]],
  ["Bun.file(x); console.log(x)", ["Bun", "console"]],
  ["const b = globalThis.Bun", ["Bun"]],
  ["world.process", []],
  ["world?.process", []],
  ["const all = { process: 1, console: 2 }", []],
  ["interface A { readonly process: B; console?: C }", []],
  ["const host = { process() {} }", []],
  ['// process.exit()\n"process.exit()"; `process`', []],
  ["reprocess(); processed; NodeJS.ProcessEnv", []],
];
for (const [source, names] of NAMES) {
  test(`factsOf() finds the globals of ${JSON.stringify(source)}`, () => {
    expect(factsOf(source).globals.map(({ name }) => name)).toEqual(names);
  });
}

const DEFAULTS: [source: string, count: number][] = [
  ["export default 1", 1],
  ["export default function () {}", 1],
  ["export { a as default }", 1],
  ["export { a, b as default, c }", 1],
  ['export { default } from "./a.ts"', 1],
  ['export * as default from "./a.ts"', 1],
  ['export * as a from "./a.ts"', 0],
  ['export { default as a } from "./a.ts"', 0],
  ["export { a };\nexport { b as default }", 1],
  ["export const a = 1; switch (a) { default: }", 0],
  ['import { default as a } from "./a.ts"; "export default"', 0],
];
for (const [source, count] of DEFAULTS) {
  test(`factsOf() counts ${count} default exports in ${JSON.stringify(source)}`, () => {
    expect(factsOf(source).defaultExports.length).toBe(count);
  });
}

test("factsOf() says on what line a default is exported", () => {
  expect(factsOf("export { a };\nexport { b as default };\nexport { c };").defaultExports).toEqual([2]);
});

test("factsOf() throws where it can't have read the source right", () => {
  expect(() => factsOf("const a = 'x\nconst b = 1")).toThrow("line 1: ''x' has no end");
});
