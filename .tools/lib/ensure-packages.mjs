import { join } from "node:path";
import { hashBuildInputs } from "./artifacts.mjs";
import { hashFiles } from "./hash.mjs";
import { withLock } from "./lock.mjs";
import { packAll, packagesDir } from "./pack.mjs";
import { root } from "./root.mjs";
import { isCurrent, makeStamped } from "./stamp.mjs";
import { targets } from "./targets.mjs";

/**
 * Packs for every target, unless the packages in dist/npm were made from exactly these inputs; returns the directory.
 */
export async function ensurePackages() {
  // Beside the packages, so that packing others there removes it.
  const stamp = join(packagesDir, ".stamp");
  await withLock(join(root, "dist", ".locks", "packages"), async () => {
    const hash = hashFiles(root, [".tools/npm", ".tools/lib", "README.md", "LICENSE", "docs/man"], [hashBuildInputs()]);
    if (!isCurrent(stamp, hash)) await makeStamped(stamp, hash, () => packAll(targets));
  });
  return packagesDir;
}
