import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashBuildInputs } from "./artifacts.mjs";
import { hashFiles } from "./hash.mjs";
import { withLock } from "./lock.mjs";
import { packAll, packagesDir } from "./pack.mjs";
import { root } from "./root.mjs";
import { isCurrent, makeStamped } from "./stamp.mjs";
import { hostTarget } from "./targets.mjs";

/** Packs for this machine, unless what stands in dist/npm was made from these very inputs: the directory. */
export async function ensurePackages() {
  const stamp = join(root, "dist", ".packages.stamp");
  await withLock(join(root, "dist", ".locks", "packages"), async () => {
    const hash = hashFiles(root, [".tools/npm", ".tools/lib", "README.md", "LICENSE"], [hashBuildInputs()]);
    if (existsSync(packagesDir) && isCurrent(stamp, hash)) return;
    await makeStamped(stamp, hash, () => packAll([hostTarget()]));
  });
  return packagesDir;
}
