import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundlePath, ensureBundle } from "./artifacts.mjs";
import { capture } from "./capture.mjs";
import { makeLibrary } from "./library.mjs";
import { note } from "./note.mjs";
import { layOutMain, layOutTarget } from "./npm-packages.mjs";
import { npm } from "./npm.mjs";
import { buildTarget } from "./release-targets.mjs";
import { root } from "./root.mjs";
import { targets } from "./targets.mjs";
import { ToolError } from "./tool.mjs";

/** The directory of the packages. */
export const packagesDir = join(root, "dist", "npm");

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
