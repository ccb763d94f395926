import { dirname, join } from "node:path";
import { disk } from "../lib/fs.ts";
import { lstatOf, namesIn } from "../lib/path-facts.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { isNamed, isNewer, nextTree } from "./format.ts";
import { inodeOf, rememberedTree, type StatePlace } from "./place.ts";
import type { Ledger } from "./schema.ts";

/** For how many roots the tree is remembered. The others lose no more than this: a restored ledger counts again. */
const MAX_ROOTS = 1000;

/** More than any process can be ahead that has published a ledger and not yet remembered it. */
const RETIRING_STEP = 1000;

const ROOT = /^[0-9a-f]{16}$/;

/**
 * Gives the next ledger its tree.
 *
 * @input  isLess: it holds less than the one before, so copies of that must not count any more
 */
export function tieLedger(world: World, place: StatePlace, ledger: Ledger, isLess: boolean): Ledger {
  if (!isLess && isNamed(ledger.tree)) return ledger;
  return { ...ledger, tree: nextTree(ledger.tree, rememberedTree(place), inodeOf(place) ?? "", world.random()) };
}

/**
 * Remembers the tree of a root's ledger, unless a newer one is remembered already. If that fails, the ledger still counts
 * where it was made.
 *
 * @effect a file in the user's state directory; with very many roots, the oldest of these files are removed
 */
export function rememberTree(world: World, place: StatePlace, tree: string): void {
  const known = rememberedTree(place);
  if (!isNewer(tree, known)) return;
  const modes = { directoryMode: 0o700, fileMode: 0o600 };
  const written = writeWhole(world, place.treeFile, `${tree}\n${place.root}\n`, modes);
  if (known === undefined && written.kind === "written") forgetOldest(dirname(dirname(place.treeFile)));
}

/** Makes the present ledger of a root invalid, and any that another process is about to publish there. */
export function retireTree(world: World, place: StatePlace, present = ""): void {
  rememberTree(world, place, nextTree(present, rememberedTree(place), "", world.random(), RETIRING_STEP));
}

function forgetOldest(directory: string): void {
  const roots = namesIn(directory).filter((name) => ROOT.test(name));
  if (roots.length <= MAX_ROOTS) return;
  const files = roots.flatMap((name) => {
    const path = join(directory, name, "tree");
    const mtimeMs = lstatOf(path)?.mtimeMs;
    return mtimeMs === undefined ? [] : [{ path, mtimeMs }];
  });
  for (const { path } of files.toSorted((left, right) => right.mtimeMs - left.mtimeMs).slice(MAX_ROOTS)) {
    removeQuietly(path);
    removeEmpty(dirname(path));
  }
}

function removeEmpty(directory: string): void {
  try {
    disk.removeDirectory(directory);
  } catch {
    // It holds the root's ledger.
  }
}
