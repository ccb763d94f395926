import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { bunPath } from "./runtime.mjs";
import { capture } from "./run.mjs";
import { hashFiles } from "./stamp.mjs";
import { ensureSigned } from "./macho-signature.mjs";
import { root, ToolError } from "./tool.mjs";
import { copyWithSharedChunk } from "./shared-chunk.mjs";
import { hostTarget } from "./targets.mjs";

/** The inputs of a build, besides the target machine. */
export const buildInputs = [
  "src",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ".tools/lib/build.mjs",
  ".tools/lib/shared-chunk.mjs",
];

/** The flags of every binary. The bench builds its floor program with them too, so that the two can be compared. */
const compileFlags = [
  "--compile",
  "--minify",
  "--bytecode",
  "--format=esm",
  "--splitting",
  // A command ends before compiled code pays off: code that runs less than thousands of times is interpreted.
  "--compile-jit-policy=30",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
];

/**
 * Compiles a program to one executable file, which appears complete or not at all.
 *
 * @param target one of `targets`, with `executable` as its bun; by default this machine
 */
export async function compile({ entry, outfile, target, executable }) {
  const cross = target ? [`--target=${target.bunTarget}`, `--compile-executable-path=${resolve(executable)}`] : [];
  const finish = (target ?? hostTarget())?.name.startsWith("darwin") ? ensureSigned : () => {};
  await bunBuild({ entry, outfile, flags: [...compileFlags, ...cross], finish });
}

/**
 * Bundles a program and its packages to one JavaScript module for Node, Deno and Bun.
 *
 * @param external packages that are not included
 */
export async function bundle({ entry, outfile, external = [] }) {
  // For Node, bun would prefer a package's `main`: in jsonc-parser that is UMD, whose `require` bundlers can't see.
  const packageFields = ["--main-fields=module", "--main-fields=main"];
  const outside = external.map((name) => `--external=${name}`);
  await bunBuild({
    entry,
    outfile,
    flags: ["--target=node", "--format=esm", ...packageFields, ...outside],
    finish() {},
  });
}

/**
 * A binary contains its working directory and the name of the output. With both fixed, the same source gives the same
 * bytes. Bun's own temporary files stay in that directory too.
 */
async function bunBuild({ entry, outfile, flags, finish }) {
  mkdirSync(join(root, "dist"), { recursive: true });
  const workshop = mkdtempSync(join(root, "dist", ".building-"));
  const product = join(workshop, outfile.endsWith(".exe") ? "codelia.exe" : "codelia");
  try {
    const mark = `--define=CODELIA_BUILD="${hashFiles(root, buildInputs).slice(0, 16)}"`;
    const args = ["build", ...flags, mark, prepare(resolve(entry), flags, workshop), "--outfile", product];
    const { code, output } = await capture(bunPath(), args, { cwd: workshop, env: buildEnvironment() });
    if (code !== 0) throw new ToolError(`building '${relative(root, outfile)}' failed:\n${output}`);
    finish(product);
    mkdirSync(dirname(outfile), { recursive: true });
    moveFile(product, outfile);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Variables whose values bun would write into the program or read as flags. */
const unwanted = new Set(["NODE_ENV", "BUN_ENV", "BUN_OPTIONS"]);

function buildEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.has(name)));
}

/** The entry point to build: of the program in chunks, that of a copy of its source. */
function prepare(entry, flags, workshop) {
  const source = join(root, "src");
  if (entry !== join(source, "main.ts") || !flags.includes("--splitting")) return entry;
  return join(copyWithSharedChunk(source, workshop), "main.ts");
}

function moveFile(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "EXDEV") throw error;
    // On another file system: copy the bytes there first, so that the last step is a rename again.
    copyFileSync(from, `${to}.${process.pid}`);
    renameSync(`${to}.${process.pid}`, to);
  }
}
