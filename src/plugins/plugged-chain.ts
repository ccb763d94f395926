import { dirname, isAbsolute, resolve } from "node:path";
import type { InstructionFile } from "../instructions/chain.ts";
import { isInside } from "../lib/paths.ts";
import type { Applying } from "../instructions/pending.ts";
import type { PlacedPlugin } from "./plugins.ts";
import type { World } from "../world.ts";
import { disk, errnoOf, identityOf, versionOf } from "../lib/fs.ts";
import type { Target } from "../instructions/gather-instructions.ts";
import { asFileData } from "./file-data.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/** More would be no instructions. */
const MAX_ADDED_BYTES = 1024 * 1024;
const MAX_ADDED_FILES = 64;

/**
 * `agents:chain`: the instruction files that apply, as plugins have them.
 *
 * @output without those that were left out, with those that were added: regular files of at most 1 MiB; by a project's plugin only
 *         `*.md` files inside its root, links followed
 * @effect, @error as `runHook`
 */
export function pluggedChain(
  world: World,
  setting: HookSetting,
  targets: readonly Target[],
  found: Applying,
): Applying {
  const files = runHook<"agents:chain", readonly InstructionFile[]>(
    world,
    setting,
    "agents:chain",
    found.files,
    (current) => ({ targets: targets.map(({ directory }) => directory), files: current.map(asFileData) }),
    (data, placed) => {
      const known = new Map([...found.files].map((file) => [file.path, file]));
      const chosen: InstructionFile[] = [];
      const taken = new Set<string>();
      let added = 0;
      for (const { path } of data.files) {
        const file = known.get(path) ?? lookAt(path, placed, setting.root.directory);
        if (typeof file === "string") return { reason: file };
        if (!known.has(path) && ++added > MAX_ADDED_FILES)
          return { reason: `it adds more than ${MAX_ADDED_FILES} files` };
        if (!taken.has(file.identity)) chosen.push(file);
        taken.add(file.identity);
      }
      return { state: chosen };
    },
  );
  return { ...found, files };
}

/** A file that a plugin adds, or why it can't be added. */
function lookAt(path: string, { isProject }: PlacedPlugin, root: string): InstructionFile | string {
  if (!isAbsolute(path)) return `'${path}' is no absolute path`;
  const named = resolve(path);
  try {
    const realPath = disk.realPath(named);
    const stats = disk.look(realPath);
    if (stats === undefined || !stats.isFile()) return `'${path}' is not a regular file`;
    if (stats.size > MAX_ADDED_BYTES) return `'${path}' is larger than ${MAX_ADDED_BYTES} bytes`;
    if (isProject && !isInside(disk.realPath(root), realPath)) return `'${path}' is outside the project`;
    if (isProject && !realPath.endsWith(".md")) return `'${path}' is no *.md file`;
    const version = versionOf(stats);
    return { kind: "file", path: named, directory: dirname(named), realPath, version, identity: identityOf(stats) };
  } catch (error) {
    return `'${path}' can't be looked at (${errnoOf(error)})`;
  }
}
