import { expect, test } from "bun:test";
import type { Pending } from "../../src/instructions/pending.ts";
import type { Context } from "../../src/ledger/schema.ts";
import { gatingFiles } from "../../src/hooks/gate.ts";
import { EMPTY, fileAt, VERSION } from "../support/samples.ts";

const FILE = fileAt("/r/lib/AGENTS.md");
const NOTHING: Pending = { tell: [], changed: [], remaining: 0, gone: [], aliases: [], renewed: [] };

/** A context in which a call was blocked at 1000: its file was named, or given. */
function held(digest: number, named: boolean): Context {
  const entry = { ...VERSION, n: 1, held: { at: 1000, calls: [digest] }, ...(named && { named: true as const }) };
  return { ...EMPTY, loadedVersions: { [FILE.path]: entry } };
}

function gate(context: Context, digest: number, startedAt: number, pending: Pending = NOTHING, path = "/r/lib/x.ts") {
  const call = { paths: [path], digest: () => digest, startedAt, now: startedAt + 5 };
  return gatingFiles([FILE], pending, context, call).map(({ state, held: after }) => [state, after?.calls ?? []]);
}

const LATER = 1010;
const AT_ONCE = 995;

test("gatingFiles() blocks a call for a file that is new, and none that writes elsewhere", () => {
  const pending = { ...NOTHING, tell: [FILE] };
  expect(gate(EMPTY, 7, LATER, pending)).toEqual([["closed", [7]]]);
  expect(gate(EMPTY, 7, LATER, pending, "/r/x.ts")).toEqual([]);
});

test("gatingFiles() lets the same call pass when it is made again, and no other", () => {
  expect(gate(held(7, true), 7, LATER)).toEqual([["opened", []]]);
  expect(gate(held(7, true), 8, LATER)).toEqual([["closed", [7, 8]]]);
});

test("gatingFiles() blocks the same call where its hook was running when the other was blocked", () => {
  expect(gate(held(7, true), 7, AT_ONCE)).toEqual([["closed", [7]]]);
});

test("gatingFiles() blocks for a file that was given only what was under way by then", () => {
  expect(gate(held(7, false), 8, AT_ONCE)).toEqual([["given-meanwhile", [7, 8]]]);
  expect(gate(held(7, false), 8, LATER)).toEqual([]);
});

test("gatingFiles() takes a record from far in the future for a clock that was set back", () => {
  expect(gate(held(7, false), 8, 1000 - 60_000)).toEqual([]);
  expect(gate(held(7, true), 7, 1000 - 60_000)).toEqual([["opened", []]]);
});
