import { expect, test } from "bun:test";
import type { InstructionFile } from "../../src/instructions/chain.ts";
import { decidePending } from "../../src/instructions/pending.ts";
import type { Context } from "../../src/ledger/schema.ts";
import { contextTold, EMPTY, factsOf, fileAt } from "../support/samples.ts";

const HOME = "/home/u/.codelia";
const OVERRIDE = `${HOME}/AGENTS.override.md`;
const AGENTS = `${HOME}/AGENTS.md`;
const PROJECT = fileAt("/r/AGENTS.md");
const LATER = { mtimeMs: 2000, sizeBytes: 10 };

interface Tree {
  readonly home: readonly InstructionFile[];
  readonly files?: readonly InstructionFile[];
  readonly directories?: readonly string[];
  readonly blank?: readonly string[];
}

/** A context that had an initial bundle, with these files in it. */
function begun(...paths: string[]): Context {
  return { ...contextTold(paths), epoch: 1 };
}

function decide({ home, files = [], directories = ["/r"], blank = [] }: Tree, context: Context) {
  const applying = { files, passedOver: [], directories: new Set(directories), home, homeDirectory: HOME };
  const { tell, gone } = decidePending(applying, context, factsOf([...home, ...files], blank), 8);
  return { tell: tell.map(({ path }) => path), gone: [...gone] };
}

const CASES: [does: string, tree: Tree, context: Context, tell: string[], gone: string[]][] = [
  ["does not tell it when the context had no initial bundle", { home: [fileAt(AGENTS)] }, EMPTY, [], []],
  ["tells it when it has appeared since the initial bundle", { home: [fileAt(AGENTS)] }, begun(), [AGENTS], []],
  ["tells no blank one", { home: [fileAt(AGENTS)], blank: [AGENTS] }, begun(), [], []],
  ["says nothing when it is as it was", { home: [fileAt(AGENTS)] }, begun(AGENTS), [], []],
  [
    "tells it, first, when it has changed",
    { home: [fileAt(AGENTS, { version: LATER })], files: [PROJECT] },
    begun(AGENTS),
    [AGENTS, PROJECT.path],
    [],
  ],
  ["reports it when it has gone", { home: [] }, begun(AGENTS), [], [AGENTS]],
  ["reports it wherever it looked", { home: [], directories: [] }, begun(AGENTS), [], [AGENTS]],
  [
    "reports it when it was made blank",
    { home: [fileAt(AGENTS, { version: LATER })], blank: [AGENTS] },
    begun(AGENTS),
    [],
    [AGENTS],
  ],
  [
    "tells an override that has appeared, and reports what it hides",
    { home: [fileAt(OVERRIDE), fileAt(AGENTS)] },
    begun(AGENTS),
    [OVERRIDE],
    [AGENTS],
  ],
  [
    "passes over a blank override",
    { home: [fileAt(OVERRIDE), fileAt(AGENTS)], blank: [OVERRIDE] },
    begun(AGENTS),
    [],
    [],
  ],
  [
    "goes back to the other when the override has gone",
    { home: [fileAt(AGENTS)] },
    begun(OVERRIDE),
    [AGENTS],
    [OVERRIDE],
  ],
];
for (const [does, tree, context, tell, gone] of CASES) {
  test(`decidePending() with a home file ${does}`, () => {
    expect(decide(tree, context)).toEqual({ tell, gone });
  });
}

// It was told because the session had worked in a `~/.codelia` under git; it is there, and holds as before.
test("decidePending() does not call a home file gone when the context had no initial bundle", () => {
  expect(decide({ home: [fileAt(AGENTS)] }, contextTold([AGENTS]))).toEqual({ tell: [], gone: [] });
});

// A user's `~/.codelia` under git, with the session at work in it: the home file stands on the ladder as well.
test("decidePending() tells a changed home file once when it is on the ladder too", () => {
  const changed = fileAt(AGENTS, { version: LATER });
  const tree = { home: [changed], files: [changed], directories: [HOME] };
  expect(decide(tree, begun(AGENTS))).toEqual({ tell: [AGENTS], gone: [] });
});

// `~/.codelia/AGENTS.md` as a link into a repository of dotfiles, with the session at work in that.
test("decidePending() tells a changed home file once when the ladder has it by another name", () => {
  const home = fileAt(AGENTS, { version: LATER, identity: "1:1" });
  const same = fileAt("/r/AGENTS.md", { version: LATER, identity: "1:1" });
  const tree = { home: [home], files: [same] };
  expect(decide(tree, begun(AGENTS, same.path))).toEqual({ tell: [AGENTS], gone: [] });
});
