import { join } from "node:path";
import type { Invocation } from "../../command.ts";
import type { UserDirectories } from "../../config/user-directories.ts";
import { readAnswer } from "../../lib/answer.ts";
import { visible } from "../../lib/escape.ts";
import { shortHash } from "../../lib/hash.ts";
import { textAt } from "../../lib/read-file.ts";
import { isTable } from "../../lib/table.ts";
import { removeQuietly, writeWhole } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import type { PlannedFile } from "./change.ts";
import type { Edited } from "./install.ts";
import { readTargetFile, type Target, type TargetFile } from "./target.ts";

// What `install --mend` takes out of a settings file that its client refuses, and `uninstall` puts back. Meanwhile the
// original is kept in the user's state directory.

/** A settings file without our hooks: as it was, with its byte order mark, and as its client accepts it. */
export interface Mended {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Two settings files, escaped. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The text of a settings file that its client refuses, as it would accept it; undefined if it accepts it, or the user
 * doesn't want it changed.
 *
 * @effect on a terminal asks, unless the flag says it
 */
export function mendedText(
  world: World,
  { flags }: Invocation,
  target: Target,
  targetFile: TargetFile,
): { readonly from: string; readonly text: string } | undefined {
  if (targetFile.companion !== undefined) return undefined;
  const file = readTargetFile(world, target, targetFile);
  if (file.kind !== "file") return undefined;
  const { why, mended } = target.client.refuses?.(file) ?? {};
  if (mended === undefined) return undefined;
  const asked = { from: file.text, text: mended };
  if (flags["mend"] === true) return asked;
  const isSilent = ["yes", "json", "dry-run"].some((flag) => flags[flag] === true);
  if (isSilent || !world.isTerminal("stdin") || !world.isTerminal("stderr")) return undefined;
  world.complain(`${visible(why ?? "")}, so hooks would not work.\n`);
  world.complain(`Take that out of ${visible(file.path)}? 'codelia uninstall' puts it back. [y]es, [N]o `);
  const line = world.readLine();
  if (line === undefined) world.complain("\n");
  return readAnswer(line) === "once" ? asked : undefined;
}

/** The change of a file whose client accepts only its mended text. `bare`: a text without our hooks. */
export function takeOut(plan: PlannedFile, bare: (text: string | undefined) => Edited): PlannedFile {
  const { file, after } = plan;
  if (file.kind !== "file") return plan;
  const [then, now] = [bare(file.text), bare(after)];
  // What can't be undone isn't done.
  if (then.kind === "problem" || now.kind === "problem") return plan;
  const original = then.text === undefined ? undefined : file.bom + then.text;
  return { ...plan, before: file.bom + file.text, mended: { path: file.path, before: original, after: now.text } };
}

/** The change that also puts back what was taken out, unless the file has been edited since. */
export function putBack(directories: UserDirectories, plan: PlannedFile): PlannedFile {
  const { file, after, companion } = plan;
  const mended = companion === undefined ? readMended(directories, file.path) : undefined;
  return mended === undefined || mended.after !== after ? plan : { ...plan, after: mended.before, mended };
}

/** Why the original can't be kept; undefined once it is, or if there is none. */
export function keepMended(world: World, directories: UserDirectories, mended: Mended | undefined): string | undefined {
  if (mended === undefined) return undefined;
  const path = recordOf(directories, mended.path);
  const modes = { directoryMode: 0o700, fileMode: 0o600 };
  const written = writeWhole(world, path, `${JSON.stringify(mended)}\n`, modes);
  return written.kind === "written" ? undefined : `'${path}' can't be written (${written.errno})`;
}

export function forgetMended(directories: UserDirectories, mended: Mended | undefined): void {
  if (mended !== undefined) removeQuietly(recordOf(directories, mended.path));
}

function readMended(directories: UserDirectories, path: string): Mended | undefined {
  try {
    const data: unknown = JSON.parse(textAt(recordOf(directories, path), MAX_BYTES) ?? "");
    if (!isTable(data)) return undefined;
    const { before, after } = data;
    // Two files may share a record's name.
    const isWhole = data["path"] === path && typeof before === "string" && typeof after === "string";
    return isWhole ? { path, before, after } : undefined;
  } catch {
    return undefined;
  }
}

function recordOf({ state }: UserDirectories, path: string): string {
  return join(state, "mended", `${shortHash(path)}.json`);
}
