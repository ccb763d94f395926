import { mkdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { hashFiles, isCurrent, makeStamped } from "./stamp.mjs";
import { withLock } from "./lock.mjs";
import { note, root, ToolError } from "./tool.mjs";
import { npm, run } from "./run.mjs";
import { hostTarget } from "./targets.mjs";

/**
 * Installs the packages in the lockfile of `dir`, unless that has been done. Runs no package's script. Reports on
 * stderr; writes nothing outside `dir/node_modules` and this checkout's `dist/`.
 */
export async function ensureInstalled(dir) {
  const stamp = join(dir, "node_modules", ".codelia-installed");
  if (isCurrent(stamp, hashInstallInputs(dir))) return;
  await withLock(join(root, "dist", ".locks", `install-${nameLock(dir)}`), async (share) => {
    const hash = hashInstallInputs(dir);
    if (isCurrent(stamp, hash)) return;
    await makeStamped(stamp, hash, () => install(dir, share));
  });
}

/**
 * What an installation depends on: the packages, not the scripts beside them; and the platform, because a checkout may
 * be shared with a container.
 */
export function hashInstallInputs(dir) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  const wanted = JSON.stringify([dependencies, devDependencies]);
  return hashFiles(dir, ["package-lock.json"], [hostTarget()?.name ?? process.platform, wanted]);
}

/** The name of a directory's lock, which is outside node_modules because installing removes everything there. */
function nameLock(dir) {
  return relative(root, dir).replaceAll(/[^a-z0-9]+/giu, "-") || "root";
}

async function install(dir, onStart) {
  const { file, args, options } = chooseInstaller();
  const command = `${basename(file)} ${args[0]}`;
  note(`installing packages${dir === root ? "" : ` for ${relative(root, dir)}`} (${command})`);
  const stdio = ["ignore", process.stderr.fd, process.stderr.fd];
  const code = await run(file, args, { ...options, cwd: dir, stdio, onStart }).catch((error) => {
    throw new ToolError(`can't run '${command}' to install packages: ${error.message}`);
  });
  if (code !== 0) throw new ToolError(`installing packages failed: '${command}' ended with code ${code}`);
  mkdirSync(join(dir, "node_modules"), { recursive: true });
}

/**
 * Installs with the program that runs this script: a machine with only Bun has no npm, and npm's own script needs node.
 */
function chooseInstaller() {
  if (process.versions.bun) {
    return {
      file: process.execPath,
      args: ["install", "--frozen-lockfile", "--no-save", "--ignore-scripts", "--no-progress"],
      options: {},
    };
  }
  return {
    ...npm,
    // Explicit, because NODE_ENV or a user's own npm setting would leave out the compiler and the test tools.
    args: [
      "ci",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--include=dev",
      "--include=optional",
      "--loglevel=error",
    ],
  };
}
