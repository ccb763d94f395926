import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { bunPath } from "./bun.mjs";
import { capture } from "./capture.mjs";
import { hashFiles } from "./hash.mjs";
import { ensureSigned } from "./macho-signature.mjs";
import { root } from "./root.mjs";
import { hostTarget } from "./targets.mjs";
import { ToolError } from "./tool.mjs";

/** What a build is made from, beside the machine that it is for. */
export const buildInputs = ["src", "package.json", "package-lock.json", "tsconfig.json", ".tools/lib/build.mjs"];

/** The flags of every binary, the floor program of the bench included: without them its figure would mean nothing. */
const compileFlags = [
  "--compile",
  "--minify",
  "--bytecode",
  "--format=esm",
  "--splitting",
  // A command is over before compiled code pays for itself: what runs less than thousands of times is interpreted.
  "--compile-jit-policy=10",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
];

/**
 * Compiles a program to one executable file, which appears whole or not at all.
 *
 * @param target one of `targets`, with `executable` as its bun; by default the machine that this runs on
 */
export async function compile({ entry, outfile, target, executable }) {
  const cross = target ? [`--target=${target.bunTarget}`, `--compile-executable-path=${resolve(executable)}`] : [];
  const finish = (target ?? hostTarget())?.name.startsWith("darwin") ? ensureSigned : () => {};
  await bunBuild({ entry, outfile, flags: [...compileFlags, ...cross], finish });
}

/** Bundles a program and its packages to one JavaScript module, which Node, Deno and Bun can run. */
export async function bundle({ entry, outfile }) {
  // For Node, bun would prefer a package's `main`: in jsonc-parser that is UMD, whose `require` no bundler sees.
  const packageFields = ["--main-fields=module", "--main-fields=main"];
  await bunBuild({ entry, outfile, flags: ["--target=node", "--format=esm", ...packageFields], finish() {} });
}

/**
 * The working directory and the name of the output go into the bytes of a binary: with both of them the same in every
 * build, the same source gives the same bytes. Bun's own temporary files stay in that directory too.
 */
async function bunBuild({ entry, outfile, flags, finish }) {
  mkdirSync(join(root, "dist"), { recursive: true });
  const workshop = mkdtempSync(join(root, "dist", ".building-"));
  const product = join(workshop, outfile.endsWith(".exe") ? "codelia.exe" : "codelia");
  try {
    const mark = `--define=CODELIA_BUILD="${hashFiles(root, buildInputs).slice(0, 16)}"`;
    const args = ["build", ...flags, mark, resolve(entry), "--outfile", product];
    const { code, output } = await capture(bunPath(), args, { cwd: workshop });
    if (code !== 0) throw new ToolError(`building '${relative(root, outfile)}' failed:\n${output}`);
    finish(product);
    mkdirSync(dirname(outfile), { recursive: true });
    moveFile(product, outfile);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function moveFile(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "EXDEV") throw error;
    // Another file system: bring the bytes there first, so that the last step is a rename again.
    copyFileSync(from, `${to}.${process.pid}`);
    renameSync(`${to}.${process.pid}`, to);
  }
}
