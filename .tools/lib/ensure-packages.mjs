import { join } from "node:path";
import { hashBuildInputs } from "./artifacts.mjs";
import { hashFiles } from "./hash.mjs";
import { withLock } from "./lock.mjs";
import { packAll, packagesDir } from "./pack.mjs";
import { root } from "./root.mjs";
import { isCurrent, makeStamped } from "./stamp.mjs";
import { targets } from "./targets.mjs";

/** Packs for every target, unless what stands in dist/npm was made from these very inputs: the directory. */
export async function ensurePackages() {
  // Beside the packages: whoever packs others there removes it with them.
  const stamp = join(packagesDir, ".stamp");
  await withLock(join(root, "dist", ".locks", "packages"), async () => {
    const hash = hashFiles(root, [".tools/npm", ".tools/lib", "README.md", "LICENSE"], [hashBuildInputs()]);
    if (!isCurrent(stamp, hash)) await makeStamped(stamp, hash, () => packAll(targets));
  });
  return packagesDir;
}
