import { expect } from "bun:test";
import { array, boolean, integer, nat, option, property, record, subarray, type Arbitrary } from "fast-check";
import { chooseChain, type Candidate, type InstructionFile, type Rung } from "../../src/instructions/chain.ts";
import { applyChange } from "../../src/ledger/changes.ts";
import { emptyLedger, findContext, findSession } from "../../src/ledger/contexts.ts";
import {
  decidePending,
  isNothing,
  toldOf,
  type Applying,
  type LazyFacts,
  type Pending,
} from "../../src/instructions/pending.ts";
import type { Ledger } from "../../src/ledger/schema.ts";
import { fileAt, SURROUNDINGS } from "../support/samples.ts";
import { testProperty } from "./fuzz.ts";

const KEY = { session: "s", context: "main" };
const LADDER = ["/r", "/r/a", "/r/a/b", "/r/a/b/c", "/r/x", "/r/x/y"];
const NAMES = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"];
const HOME = "/home/u/.codelia";

/** What several names may share: one inode has one version, and is blank or not. */
interface Inode {
  readonly mtimeMs: number;
  readonly isBlank: boolean;
}

/** Which inode each path leads to; -1 where there is none, -2 for what can't be used. */
interface Disk {
  readonly inodes: readonly Inode[];
  readonly ladder: readonly (readonly number[])[];
  readonly local: readonly number[];
  readonly home: readonly number[];
}

const INODES = 8;
/** The home's files are no one else's: pending-home.test.ts has those that are. */
const HOME_INODES = 2;

function anyDisk(): Arbitrary<Disk> {
  const place = integer({ min: -2, max: INODES - 1 });
  const homePlace = integer({ min: INODES, max: INODES + HOME_INODES - 1 });
  const inode = record({ mtimeMs: nat(2), isBlank: boolean() });
  return record({
    inodes: array(inode, { minLength: INODES + HOME_INODES, maxLength: INODES + HOME_INODES }),
    ladder: array(array(place, { minLength: 3, maxLength: 3 }), { minLength: 6, maxLength: 6 }),
    local: array(place, { minLength: 6, maxLength: 6 }),
    home: option(homePlace, { nil: undefined }).map((found) => (found === undefined ? [] : [found])),
  });
}

function fileFor(disk: Disk, path: string, place: number): InstructionFile {
  const { mtimeMs } = disk.inodes[place] as Inode;
  return fileAt(path, { identity: String(place), version: { mtimeMs, sizeBytes: 1 } });
}

function candidate(disk: Disk, path: string, place: number): Candidate[] {
  if (place === -1) return [];
  const found = place === -2 ? ({ kind: "unusable", reason: "unreadable" } as const) : fileFor(disk, path, place);
  return [{ path, found }];
}

function look(disk: Disk, directories: readonly string[]): Applying {
  const rungs = LADDER.flatMap((directory, index): Rung[] => {
    if (!directories.includes(directory)) return [];
    const places = disk.ladder[index] ?? [];
    const main = NAMES.flatMap((name, rank) => candidate(disk, `${directory}/${name}`, places[rank] ?? -1));
    return [{ directory, main, additional: candidate(disk, `${directory}/LOCAL.md`, disk.local[index] ?? -1) }];
  });
  const home = disk.home.map((place) => fileFor(disk, `${HOME}/AGENTS.md`, place));
  return { ...chooseChain(rungs), directories: new Set(directories), home, homeDirectory: HOME };
}

function factsOf(disk: Disk): LazyFacts {
  const places = new Map<string, number>();
  for (const [index, directory] of LADDER.entries()) {
    for (const [rank, name] of NAMES.entries()) places.set(`${directory}/${name}`, disk.ladder[index]?.[rank] ?? -1);
    places.set(`${directory}/LOCAL.md`, disk.local[index] ?? -1);
  }
  for (const place of disk.home) places.set(`${HOME}/AGENTS.md`, place);
  return {
    digestOf: () => undefined,
    isBlank: (file) => disk.inodes[Number(file.identity)]?.isBlank === true,
    isUnread: () => false,
    identityAt(path, version) {
      const place = places.get(path) ?? -1;
      return place >= 0 && disk.inodes[place]?.mtimeMs === version.mtimeMs ? String(place) : undefined;
    },
  };
}

/** Asks and records until there is nothing more. */
function exhaust(disk: Disk, directories: readonly string[], before: Ledger, maxFiles: number) {
  const steps: Pending[] = [];
  let ledger = before;
  for (;;) {
    const context = findContext(findSession(ledger, KEY.session), KEY.context);
    const pending = decidePending(look(disk, directories), context, factsOf(disk), maxFiles);
    if (isNothing(pending)) return { steps, ledger };
    if (steps.length > LADDER.length * 4 + 2) throw new Error("it never ends");
    steps.push(pending);
    ledger = applyChange(ledger, KEY, SURROUNDINGS, { kind: "cover", ...toldOf(pending, factsOf(disk)) }, steps.length);
  }
}

const anyDirectories = () => subarray(LADDER, { minLength: 1 });
const START = applyChange(
  emptyLedger("1:1"),
  KEY,
  SURROUNDINGS,
  { kind: "begin", told: [fileAt(`${HOME}/AGENTS.md`)] },
  0,
);

testProperty(
  "decidePending() says nothing when it is asked twice",
  property(anyDisk(), anyDisk(), anyDirectories(), (before, disk, directories) => {
    const { ledger } = exhaust(before, LADDER, START, 99);
    const { steps } = exhaust(disk, directories, ledger, 99);
    expect(steps.length).toBeLessThanOrEqual(1);
  }),
);

testProperty(
  "decidePending() tells every file exactly once, however few at a time",
  property(anyDisk(), anyDirectories(), integer({ min: 1, max: 5 }), (disk, directories, maxFiles) => {
    const { steps } = exhaust(disk, directories, emptyLedger("1:1"), maxFiles);
    const told = steps.flatMap(({ tell }) => tell.map(({ path }) => path));
    const expected = look(disk, directories).files.filter((file) => !factsOf(disk).isBlank(file));
    expect(told.toSorted()).toEqual(expected.map(({ path }) => path).toSorted());
    for (const [index, { tell, remaining }] of steps.entries()) {
      expect(tell.length).toBeLessThanOrEqual(maxFiles);
      expect(remaining).toBe(expected.length - Math.min(expected.length, (index + 1) * maxFiles));
    }
  }),
);

testProperty(
  "decidePending() tells each identity at most once when files change between calls, and each loss once",
  property(anyDisk(), anyDisk(), anyDirectories(), integer({ min: 1, max: 5 }), (before, disk, directories, max) => {
    const { ledger } = exhaust(before, LADDER, START, 99);
    const { steps } = exhaust(disk, directories, ledger, max);
    const identities = steps.flatMap(({ tell }) => tell.map(({ identity }) => identity));
    expect(new Set(identities).size).toBe(identities.length);
    const gone = steps.flatMap((step) => step.gone);
    expect(new Set(gone).size).toBe(gone.length);
    // All of it is in force: told in this version, or the same as what was.
    const context = findContext(findSession(exhaust(disk, directories, ledger, max).ledger, KEY.session), KEY.context);
    for (const file of look(disk, directories).files.filter((found) => !factsOf(disk).isBlank(found))) {
      expect(context.loadedVersions[file.path]).toMatchObject(file.version);
    }
  }),
);
