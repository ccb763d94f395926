import { dirname, join } from "node:path";
import { disk } from "../lib/fs.ts";
import { lstatOf, namesIn } from "../lib/path-facts.ts";
import { overwriteShort, removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { isNamed, isNewer, nextTree } from "./format.ts";
import { inodeOf, rememberedTree, type LedgerLocation } from "./location.ts";
import type { Ledger } from "./schema.ts";

/** How many roots are remembered. For others, a restored old ledger counts again; nothing else is lost. */
const MAX_ROOTS = 1000;

/** More than a process can be ahead that has published a ledger but not yet remembered its tree. */
const RETIRING_STEP = 1000;

const ROOT = /^[0-9a-f]{16}$/;

/**
 * Gives the next ledger its tree.
 *
 * @input  isLess: it has lost content, so copies of the previous one must not count any more
 */
export function tieLedger(world: World, location: LedgerLocation, ledger: Ledger, isLess: boolean): Ledger {
  if (!isLess && isNamed(ledger.tree)) return ledger;
  return { ...ledger, tree: nextTree(ledger.tree, rememberedTree(location), inodeOf(location) ?? "", world.random()) };
}

/**
 * Remembers the tree of a root's ledger, unless a newer one is already remembered. If that fails, the ledger still
 * counts where it was created.
 *
 * @effect a file in the user's state directory; with very many roots, the oldest of these files are removed
 */
export function rememberTree(world: World, location: LedgerLocation, tree: string): void {
  const known = rememberedTree(location);
  if (!isNewer(tree, known)) return;
  const text = `${tree}\n${location.root}\n`;
  // The count rarely gets another digit.
  if (known !== undefined && overwriteShort(location.treeFile, text).kind === "written") return;
  const written = writeWhole(world, location.treeFile, text, { directoryMode: 0o700, fileMode: 0o600 });
  if (known === undefined && written.kind === "written") forgetOldest(dirname(dirname(location.treeFile)));
}

/** Invalidates the present ledger of a root, and any that another process is about to publish there. */
export function retireTree(world: World, location: LedgerLocation, present = ""): void {
  rememberTree(world, location, nextTree(present, rememberedTree(location), "", world.random(), RETIRING_STEP));
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
    // It contains the root's ledger.
  }
}
