import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildInputs, bundle, compile } from "./build.mjs";
import { hashFiles, isCurrent, makeStamped } from "./stamp.mjs";
import { withLock } from "./lock.mjs";
import { note, root } from "./tool.mjs";
import { hostTarget } from "./targets.mjs";

/** The path of the compiled program. */
export const binaryPath = join(root, "dist", `codelia${hostTarget()?.extension ?? ""}`);

/** The program as one module for Node, Deno and Bun. */
export const bundlePath = join(root, "dist", "codelia.mjs");

/** The entry point of the program. */
export const entryPath = join(root, "src", "main.ts");

/** Compiles the program for this machine, unless the one in dist/ was made from exactly these inputs. */
export function ensureBinary({ force = false } = {}) {
  return ensure("binary", binaryPath, force, () => compile({ entry: entryPath, outfile: binaryPath }));
}

/** Bundles the program for other runtimes, unless the bundle in dist/ was made from exactly these inputs. */
export function ensureBundle({ force = false } = {}) {
  return ensure("bundle", bundlePath, force, () => bundle({ entry: entryPath, outfile: bundlePath }));
}

async function ensure(kind, outfile, force, make) {
  const stamp = join(root, "dist", `.${kind}.stamp`);
  const isFresh = (hash) => existsSync(outfile) && isCurrent(stamp, hash);
  if (!force && isFresh(hashBuildInputs())) return;
  await withLock(join(root, "dist", ".locks", kind), async () => {
    // Taken before the build, so that a file changed during the build makes the result stale.
    const hash = hashBuildInputs();
    if (!force && isFresh(hash)) return;
    note(`building ${kind === "binary" ? "the binary" : "the bundle"}`);
    await makeStamped(stamp, hash, make);
  });
}

/** Changes with everything that a build depends on. */
export function hashBuildInputs() {
  return hashFiles(root, buildInputs, [hostTarget()?.name ?? process.platform]);
}
