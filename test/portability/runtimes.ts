import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "../../.tools/lib/install.mjs";
import { RUNTIMES } from "../runtimes/runtimes.ts";
import { CACHE } from "./debian.ts";

/** A runtime that npm has as a package, of the newest version that begins so; kept. npm checks its bytes. */
export async function runtimeFromNpm(name: string, version: string, file: string): Promise<string> {
  const place = join(CACHE, `${name.replaceAll("/", "+")}-${version}`);
  const path = join(place, "package", file);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${place}.`);
  try {
    execFileSync("npm", ["pack", `${name}@${version}`, "--loglevel=silent", "--pack-destination", draft], {
      cwd: draft,
    });
    const [archive = ""] = readdirSync(draft);
    execFileSync("tar", ["-xzf", archive], { cwd: draft });
    rmSync(place, { recursive: true, force: true });
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  return path;
}

export async function findDeno(): Promise<string> {
  await ensureInstalled(join(import.meta.dirname, "../runtimes"));
  const program = RUNTIMES.find(({ name }) => name === "Deno")?.program;
  if (program === undefined) throw new Error("npm has no deno for this machine");
  return program;
}
