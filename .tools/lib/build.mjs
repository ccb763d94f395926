import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { bunPath } from "./runtime.mjs";
import { capture } from "./run.mjs";
import { hashFiles } from "./stamp.mjs";
import { ensureSigned } from "./macho-signature.mjs";
import { root, ToolError } from "./tool.mjs";
import { copyWithSharedChunk } from "./shared-chunk.mjs";
import { hostTarget } from "./targets.mjs";
import { makeUsualPlaces, recordUsualCalls } from "./usual-calls.mjs";

/** The inputs of a build, besides the target machine. */
export const buildInputs = [
  "src",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ".tools/lib/build.mjs",
  ".tools/lib/shared-chunk.mjs",
  ".tools/lib/usual-calls.mjs",
];

/** The program itself, in contrast to those of tests and the bench. */
const program = join(root, "src", "main.ts");

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
 * Compiles a program to one executable file, which appears complete or not at all. Our own is compiled twice: the
 * second time with the functions side by side that usual calls of the first one ran.
 *
 * @param target one of `targets`, with `executable` as its bun; by default this machine
 */
export async function compile({ entry, outfile, target, executable }) {
  const cross = target ? [`--target=${target.bunTarget}`, `--compile-executable-path=${resolve(executable)}`] : [];
  await inWorkshop(outfile, async (workshop, product) => {
    if (resolve(entry) !== program) {
      await bunBuild(resolve(entry), workshop, product, [...compileFlags, ...cross]);
    } else {
      const places = makeUsualPlaces(mkdtempSync(join(workshop, "calls-")));
      const source = join(copyWithSharedChunk(dirname(program), workshop), basename(program));
      const first = join(workshop, `first${hostTarget()?.extension ?? ""}`);
      await bunBuild(source, workshop, first, compileFlags);
      const order = await recordUsualCalls(first, places);
      const inOrder = `--bytecode-order=${order.map((file) => relative(workshop, file)).join(",")}`;
      await bunBuild(source, workshop, product, [...compileFlags, ...cross, inOrder]);
    }
    if ((target ?? hostTarget())?.name.startsWith("darwin")) ensureSigned(product);
  });
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
  const flags = ["--target=node", "--format=esm", ...packageFields, ...outside];
  await inWorkshop(outfile, (workshop, product) => bunBuild(resolve(entry), workshop, product, flags));
}

/** Makes a file in a directory of its own inside dist/, and moves it to its place when it is complete. */
async function inWorkshop(outfile, make) {
  mkdirSync(join(root, "dist"), { recursive: true });
  const workshop = mkdtempSync(join(root, "dist", ".building-"));
  const product = join(workshop, outfile.endsWith(".exe") ? "codelia.exe" : "codelia");
  try {
    await make(workshop, product);
    mkdirSync(dirname(outfile), { recursive: true });
    moveFile(product, outfile);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/**
 * A binary contains its working directory and the name of the output. With both fixed, the same source gives the same
 * bytes. Bun's own temporary files stay in that directory too.
 */
async function bunBuild(entry, workshop, product, flags) {
  const mark = `--define=CODELIA_BUILD="${hashFiles(root, buildInputs).slice(0, 16)}"`;
  const args = ["build", ...flags, mark, entry, "--outfile", product];
  const { code, output } = await capture(bunPath(), args, { cwd: workshop, env: buildEnvironment() });
  if (code !== 0) throw new ToolError(`building '${relative(root, entry)}' failed:\n${output}`);
}

/** Variables whose values bun would write into the program or read as flags. */
const unwanted = new Set(["NODE_ENV", "BUN_ENV", "BUN_OPTIONS"]);

function buildEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.has(name)));
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
