import { spawnSync } from "node:child_process";
import { chownSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CODELIA } from "../../support/run-codelia.ts";

const NOBODY = 65534;
const IS_ROOT = process.getuid?.() === 0;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

/** What a call goes through to be made by a user whom permissions bind; nothing when we are such a user. */
export const UNPRIVILEGED: readonly string[] = IS_ROOT ? AS_NOBODY : [];

/** Why no such call can be made here; undefined when it can. */
export const WHY_NOT_UNPRIVILEGED: string | undefined = whyNot();

/** Makes a whole tree that user's own. */
export function giveAway(directory: string): void {
  if (!IS_ROOT) return;
  chownSync(directory, NOBODY, NOBODY);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) giveAway(path);
    else lchownSync(path, NOBODY, NOBODY);
  }
}

function whyNot(): string | undefined {
  if (process.platform === "win32") return "Windows has other permissions";
  if (!IS_ROOT) return undefined;
  const [program = "", ...args] = [...AS_NOBODY, CODELIA, "--version"];
  const { status, error } = spawnSync(program, args, { cwd: "/" });
  if (error !== undefined) return "root needs 'setpriv' to become nobody";
  return status === 0 ? undefined : "nobody may not run the binary here";
}
