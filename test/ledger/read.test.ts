import { expect, test } from "bun:test";
import { lstatSync, renameSync } from "node:fs";
import { applyChange } from "../../src/ledger/changes.ts";
import { emptyLedger } from "../../src/ledger/contexts.ts";
import { printLedger } from "../../src/ledger/format.ts";
import type { LedgerLocation } from "../../src/ledger/location.ts";
import { readLedger, viewIn } from "../../src/ledger/read.ts";
import type { Ledger } from "../../src/ledger/schema.ts";
import { fileAt, SURROUNDINGS } from "../support/samples.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { hookDisk, once } from "../support/disk-hooks.ts";

const IDS = ["s", 'quote"', "line\nend", "日本語", "\u{1F600}", "\uD800", "__proto__", ""];

function placeIn(tree: TempTree): LedgerLocation {
  return { directory: tree.path(".codelia"), isInProject: true, root: tree.root, treeFile: tree.path("tree") };
}

/** A ledger of this directory in which every session was told `files` files. */
function ledgerOf(tree: TempTree, files: number): Ledger {
  const { dev, ino } = lstatSync(tree.path(".codelia"));
  const told = Array.from({ length: files }, (_, index) => fileAt(`/r/日本${index}/AGENTS.md`));
  return IDS.reduce(
    (ledger, session) =>
      applyChange(ledger, { session, context: "main" }, SURROUNDINGS, { kind: "cover", told, gone: [] }, 1),
    emptyLedger(`${dev}:${ino}`),
  );
}

// Small ones are read as a text, large ones as bytes.
for (const files of [1, 100]) {
  test(`viewIn() finds every session of a ledger with ${files} files each, and no other`, () => {
    using tree = tempTree({ ".codelia/": dir });
    const ledger = ledgerOf(tree, files);
    tree.write(".codelia/session.json", printLedger(ledger));
    for (const id of IDS)
      expect(JSON.stringify(viewIn(placeIn(tree), id).session)).toBe(
        JSON.stringify(Object.entries(ledger.sessions).find(([name]) => name === id)?.[1]),
      );
    for (const id of ["x", "main", "/r", "cwd", "日本", '"s"'])
      expect(viewIn(placeIn(tree), id).session).toBeUndefined();
    expect(JSON.stringify(readLedger(placeIn(tree)))).toBe(JSON.stringify({ kind: "ledger", ledger }));
  });
}

test("viewIn() finds a session in a ledger that another program has formatted", () => {
  using tree = tempTree({ ".codelia/": dir });
  const ledger = ledgerOf(tree, 1);
  tree.write(".codelia/session.json", JSON.stringify(ledger, undefined, 2));
  expect(viewIn(placeIn(tree), "s").session).toEqual(ledger.sessions["s"] as never);
});

// A process that reads meanwhile must not take the ledger it has read for one that was restored.
for (const at of ["session.json", "tree"]) {
  test(`viewIn() and readLedger() find a session when the next ledger is published before '${at}' is read`, () => {
    using tree = tempTree({ ".codelia/": dir });
    const place = placeIn(tree);
    const { ino } = lstatSync(tree.path(".codelia"));
    const publish = (count: number) => {
      const mark = `${count}.name@${ino}`;
      tree.write(".codelia/session.json", printLedger({ ...ledgerOf(tree, 1), tree: mark }));
      tree.write("tree", `${mark}\n${tree.root}\n`);
    };
    for (const read of [() => viewIn(place, "s").session, () => readLedger(place).kind === "ledger"]) {
      publish(3);
      const isNext = (path: string) => path.endsWith(`/${at}`);
      using _ = hookDisk({ openToRead: once(isNext, () => publish(4)) });
      expect(read()).toBeTruthy();
    }
  });
}

const UNUSABLE: string = expect.stringMatching(/regular/);
const REFUSED: [kind: string, what: string, entry: (ledger: Ledger) => Entry | undefined, reason?: string][] = [
  ["absent", "nothing", () => undefined],
  ["foreign", "an empty file", () => "", "it is not JSON"],
  ["foreign", "half a ledger", (ledger) => printLedger(ledger).slice(0, -9), "it is not JSON"],
  [
    "foreign",
    "a newer ledger",
    (ledger) => JSON.stringify({ ...ledger, version: 2 }),
    "it has another shape or version",
  ],
  [
    "foreign",
    "a ledger with a key more",
    (ledger) => JSON.stringify({ ...ledger, x: 1 }),
    "it has another shape or version",
  ],
  [
    "foreign",
    "another directory's ledger",
    (ledger) => printLedger({ ...ledger, tree: "1:1" }),
    "it was made for another directory",
  ],
  ["foreign", "a directory", () => dir, UNUSABLE],
  ["foreign", "a FIFO", () => ({ fifo: true }), UNUSABLE],
  ["foreign", "a link to a ledger", () => ({ link: "../elsewhere" }), UNUSABLE],
];
for (const [kind, what, entry, reason] of REFUSED) {
  test(`readLedger() says ${kind} of ${what}, and viewIn() finds no session in it`, () => {
    using tree = tempTree({ ".codelia/": dir });
    const ledger = ledgerOf(tree, 1);
    tree.write("elsewhere", printLedger(ledger));
    const made = entry(ledger);
    if (typeof made === "string") tree.write(".codelia/session.json", made);
    else if (made !== undefined) makeBeside(tree, made);
    expect(readLedger(placeIn(tree))).toEqual((reason === undefined ? { kind } : { kind, reason }) as never);
    expect(viewIn(placeIn(tree), "s").session).toBeUndefined();
  });
}

/** A tree makes its entries at its beginning only. */
function makeBeside(tree: TempTree, entry: Entry): void {
  using other = tempTree({ entry });
  renameSync(other.path("entry"), tree.path(".codelia/session.json"));
}
