import { dirname, join } from "node:path";
import { disk } from "../lib/fs.ts";
import { namesIn } from "../lib/path-facts.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { rememberedTree, type StatePlace } from "./place.ts";

/**
 * A ledger's `tree` ties it to its directory and its user: `<count>.<name>@<inode>`.
 *
 * The name is random and made with the ledger. The count goes up whenever the ledger comes to hold less than before: a new
 * ledger, a new epoch of a context, a reset. The user's state directory remembers both, so a copy from before such a
 * moment is not mistaken for the ledger, wherever it comes back from. Older ledgers have `<device>:<inode>` instead; the
 * device is ignored, because a host and its containers number devices differently.
 */
interface Tree {
  readonly count: number;
  readonly name: string;
  readonly inode: string;
}

/** A larger count is not ours; adding to it could lose precision. */
const MAX_COUNT = 2 ** 50;

/**
 * Whether a ledger counts: it is the one that is remembered, or was made later in this very directory.
 *
 * @param inode of the directory; asked for only if the tree is not the remembered one
 */
export function judgeTree(
  tree: string,
  remembered: string | undefined,
  inode: () => string | undefined,
): "current" | "stale" | "foreign" {
  if (remembered !== undefined && isSameMark(tree, remembered)) return "current";
  const found = parse(tree);
  if (found.inode !== inode()) return "foreign";
  return found.count > (remembered === undefined ? -1 : parse(remembered).count) ? "current" : "stale";
}

/** Whether a late record or an archived session belongs to a ledger. */
export function isOfLedger(tree: string, ledger: string, inode: string | undefined): boolean {
  const [found, own] = [parse(tree), parse(ledger)];
  // Without a name it was written by an older version, or by a call that found no ledger.
  return found.name === "" ? found.inode !== "" && found.inode === inode : found.name === own.name;
}

/**
 * The tree of a ledger that holds less than before.
 *
 * @param random the name, if the ledger has none yet
 */
export function nextTree(
  present: string,
  remembered: string | undefined,
  inode: string,
  random: string,
  step = 1,
): string {
  const before = parse(present);
  const count = Math.max(before.count, remembered === undefined ? 0 : parse(remembered).count) + step;
  return `${count}.${before.name || random}@${inode}`;
}

/** False for a new ledger, and for one of an older version. */
export function isNamed(tree: string): boolean {
  return tree.includes("@");
}

/** Whether the first was made after the second. */
export function isNewer(tree: string, than: string | undefined): boolean {
  return than === undefined || parse(tree).count > parse(than).count;
}

function isSameMark(left: string, right: string): boolean {
  const mark = markOf(left);
  return mark !== "" && mark === markOf(right);
}

function markOf(tree: string): string {
  return tree.slice(0, Math.max(0, tree.indexOf("@")));
}

function parse(tree: string): Tree {
  const dot = tree.indexOf(".");
  const at = tree.indexOf("@");
  const count = Number(tree.slice(0, dot));
  if (dot > 0 && at > dot + 1 && count > 0 && count < MAX_COUNT && Number.isSafeInteger(count)) {
    return { count, name: tree.slice(dot + 1, at), inode: tree.slice(at + 1) };
  }
  return { count: 0, name: "", inode: tree.slice(tree.indexOf(":") + 1) };
}

/** For how many roots the tree is remembered. Without it a restored ledger counts, no more. */
const MAX_ROOTS = 1000;

/** More than any process can be ahead that has published a ledger and not yet remembered it. */
const RETIRING_STEP = 1000;

const ROOT = /^[0-9a-f]{16}$/;

/**
 * Remembers a root's ledger, unless a newer one is remembered already.
 *
 * @effect a file in the user's state directory; with very many roots, the oldest of these files are removed
 * @error  none: without the file the ledger counts where it was made
 */
export function rememberTree(world: World, place: StatePlace, tree: string): void {
  const known = rememberedTree(place);
  if (!isNewer(tree, known)) return;
  const modes = { directoryMode: 0o700, fileMode: 0o600 };
  const written = writeWhole(world, place.treeFile, `${tree}\n${place.root}\n`, modes);
  if (known === undefined && written.kind === "written") forgetOldest(dirname(dirname(place.treeFile)));
}

/**
 * Makes the present ledger of a root invalid, and any that another process is about to publish there.
 *
 * @input  present: the tree of the ledger
 * @effect as `rememberTree`
 * @error  none
 */
export function retireTree(world: World, place: StatePlace, present = ""): void {
  rememberTree(world, place, nextTree(present, rememberedTree(place), "", world.random(), RETIRING_STEP));
}

function forgetOldest(directory: string): void {
  const roots = namesIn(directory).filter((name) => ROOT.test(name));
  if (roots.length <= MAX_ROOTS) return;
  const files = roots.flatMap((name) => {
    const path = join(directory, name, "tree");
    const mtimeMs = mtimeOf(path);
    return mtimeMs === undefined ? [] : [{ path, mtimeMs }];
  });
  for (const { path } of files.toSorted((left, right) => right.mtimeMs - left.mtimeMs).slice(MAX_ROOTS)) {
    removeQuietly(path);
    removeEmpty(dirname(path));
  }
}

function mtimeOf(path: string): number | undefined {
  try {
    return disk.look(path)?.mtimeMs;
  } catch {
    return undefined;
  }
}

function removeEmpty(directory: string): void {
  try {
    disk.removeDirectory(directory);
  } catch {
    // It holds the root's ledger.
  }
}
