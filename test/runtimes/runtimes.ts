import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundlePath } from "../../.tools/lib/artifacts.mjs";
import { REPOSITORY } from "../support/run-codelia.ts";

/** A program that runs codelia from source or from its bundle. */
export interface Runtime {
  readonly name: string;
  /** Undefined where this machine has no such runtime. */
  readonly program: string | undefined;
  readonly args: readonly string[];
}

const SOURCE = join(REPOSITORY, "src/main.ts");

/** The same source everywhere; Node 20 knows no TypeScript, so it gets the bundle of it. */
export const RUNTIMES: readonly Runtime[] = [
  { name: "Bun", program: process.execPath, args: [SOURCE] },
  { name: "Deno", program: findDeno(), args: ["run", ...denoFlags(), SOURCE] },
  { name: "Node", program: findNode(), args: [bundlePath] },
];

/** Offline, with the packages that are there, and with no more rights than to read, and to write where the tests do. */
function denoFlags(): readonly string[] {
  const asInstalled = ["--node-modules-dir=manual", "--no-remote", "--cached-only", "--no-lock", "--quiet"];
  return [...asInstalled, "--no-prompt", "--allow-read", `--allow-write=${realpathSync(tmpdir())}`, "--allow-env"];
}

/** npm's package for this platform; the script that would link it into the `deno` package is never run. */
function findDeno(): string | undefined {
  const packages = join(import.meta.dirname, "node_modules/@deno");
  const [platform] = existsSync(packages) ? readdirSync(packages) : [];
  return platform && join(packages, platform, process.platform === "win32" ? "deno.exe" : "deno");
}

/** Not the stand-in for node that Bun puts into the PATH of the scripts it runs. */
function findNode(): string | undefined {
  try {
    const script = "process.versions.bun ? '' : process.execPath";
    return execFileSync("node", ["--print", script], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}
