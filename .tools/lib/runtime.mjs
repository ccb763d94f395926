import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { capture, npm } from "./run.mjs";
import { hostTarget } from "./targets.mjs";
import { note, root, ToolError } from "./tool.mjs";

const cache = join(root, "node_modules", ".cache", "codelia-runtimes");

/**
 * Gives `use` the path of the bun executable of a target: the package in package-lock.json, from the npm registry or
 * from the cache, and in both cases only if its sha512 is the one in the lockfile.
 */
export async function withRuntime(target, use) {
  mkdirSync(cache, { recursive: true });
  const { version, integrity } = readLockedPackage(target.runtimePackage);
  const archive = join(cache, `${target.runtimePackage.replaceAll("/", "+")}-${version}.tgz`);
  if (!existsSync(archive)) await download(`${target.runtimePackage}@${version}`, archive);
  verify(archive, integrity);
  const workshop = mkdtempSync(join(cache, ".unpacking-"));
  try {
    const executable = `package/bin/bun${target.extension}`;
    // By a relative path, because GNU tar takes a drive letter for a host name.
    const { code, output } = await capture("tar", ["-xzf", `../${basename(archive)}`, executable], { cwd: workshop });
    if (code !== 0) throw new ToolError(`can't unpack '${archive}':\n${output}`);
    return await use(join(workshop, executable));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function readLockedPackage(name) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const locked = lock.packages[`node_modules/${name}`];
  if (locked === undefined) throw new ToolError(`package-lock.json has no '${name}'`);
  return locked;
}

async function download(specifier, archive) {
  note(`downloading ${specifier}`);
  const workshop = mkdtempSync(join(cache, ".downloading-"));
  try {
    const args = ["pack", specifier, "--json", "--loglevel=silent"];
    const { code, output } = await capture(npm.file, args, { ...npm.options, cwd: workshop }).catch((error) => {
      throw new ToolError(`can't run 'npm pack' to download '${specifier}': ${error.message}`);
    });
    const [file] = readdirSync(workshop);
    // Leave out npm's own text, which names the user's registry.
    if (code !== 0 || file === undefined)
      throw new ToolError(`can't download '${specifier}': ${readErrorCode(output)}`);
    renameSync(join(workshop, file), archive);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function readErrorCode(output) {
  return /"code": "(\w+)"/u.exec(output)?.[1] ?? "npm pack failed";
}

function verify(archive, integrity) {
  const actual = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (actual === integrity) return;
  rmSync(archive);
  throw new ToolError(
    `'${archive}' isn't what package-lock.json names: it had ${actual}, not ${integrity}; deleted it`,
  );
}

/**
 * The bun executable for this machine: the pinned one in node_modules, or the one that runs this script. Taken from its
 * platform package, because the script that would link it into the `bun` package is never run.
 */
export function bunPath() {
  const target = hostTarget();
  const installed = target && join(root, "node_modules", target.runtimePackage, "bin", `bun${target.extension}`);
  if (installed && existsSync(installed)) return installed;
  if (process.versions.bun) return process.execPath;
  throw new ToolError(`no bun for ${process.platform} ${process.arch}: install Bun and use 'bun run start'`);
}
