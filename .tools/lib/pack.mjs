import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundlePath, ensureBundle, hashBuildInputs } from "./artifacts.mjs";
import { bundle } from "./build.mjs";
import { withLock } from "./lock.mjs";
import { layOutMain, layOutTarget } from "./npm-packages.mjs";
import { buildTarget } from "./release-targets.mjs";
import { capture, npm } from "./run.mjs";
import { hashFiles, isCurrent, makeStamped } from "./stamp.mjs";
import { targets } from "./targets.mjs";
import { note, root, ToolError } from "./tool.mjs";

/** The directory of the packages. */
const packagesDir = join(root, "dist", "npm");

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

/** Makes the packages that npm publishes, in `directory`: the main one, and one for each of these targets. */
export async function packAll(chosen, directory = packagesDir) {
  await ensureBundle();
  const facts = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // Remove older packages, which don't belong to these.
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const workshop = mkdtempSync(join(root, "dist", ".packing-"));
  try {
    for (const target of chosen) {
      const executable = join(workshop, `codelia-${target.name}${target.extension}`);
      const content = join(workshop, target.name);
      await buildTarget(target, executable);
      layOutTarget(content, target, executable, facts);
      rmSync(executable);
      await pack(content, directory);
      rmSync(content, { recursive: true });
    }
    layOutMain(join(workshop, "main"), targets, bundlePath, facts);
    await makeLibrary(join(workshop, "main", "lib"));
    await pack(join(workshop, "main"), directory);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function pack(content, directory) {
  const args = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", directory];
  const { code, output } = await capture(npm.file, args, { ...npm.options, cwd: content });
  if (code !== 0) throw new ToolError(`npm pack failed:\n${output}`);
  note(`packed ${output.trim().split("\n").at(-1)}`);
}

const entry = join(root, "src", "public.ts");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

/** For the types of the schemas alone: an empty `types` leaves out those of every platform. */
const declarations =
  "--ignoreConfig --declaration --emitDeclarationOnly --strict --skipLibCheck --allowImportingTsExtensions --target es2023 --module preserve";

/** Makes what programs import from the package, in `directory`: the schemas as a module, and their types. */
async function makeLibrary(directory) {
  await bundle({ entry, outfile: join(directory, "public.mjs"), external: ["zod"] });
  const args = [compiler, ...declarations.split(" "), "--types", "", "--outDir", join(directory, "types"), entry];
  const { code, output } = await capture(process.execPath, args, { cwd: root });
  if (code !== 0) throw new ToolError(`making the types failed:\n${output}`);
}
