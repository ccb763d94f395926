import { join } from "node:path";
import type { World } from "../world.ts";
import { configPathsIn } from "./config-file.ts";
import { readText } from "./read-file.ts";
import { writeWhole } from "./write-file.ts";

export type ConfigEdited =
  | { readonly kind: "written"; readonly path: string }
  | { readonly kind: "unchanged"; readonly path: string }
  | { readonly kind: "failed"; readonly path: string; readonly reason: string };

export interface ListEdit {
  readonly path: readonly string[];
  readonly add?: unknown;
  readonly remove?: unknown;
}

const MAX_BYTES = 64 * 1024;

/**
 * Adds a value to a list of a config file, or takes it out; without a file it makes one.
 *
 * @input  place: where the file may stand, best first; edit: the list's path of keys
 * @effect the file
 * @error  none: `failed` says why
 */
export async function editConfigList(
  world: World,
  place: { readonly directories: readonly string[] },
  edit: ListEdit,
): Promise<ConfigEdited> {
  const [first = ""] = place.directories;
  const path = place.directories.flatMap(configPathsIn)[0] ?? join(first, "config.yaml");
  if (path.endsWith(".toml")) return { kind: "failed", path, reason: "edit it by hand" };
  const read = readText(path, MAX_BYTES);
  if (read.kind !== "text" && read.kind !== "absent") return { kind: "failed", path, reason: "it can't be read" };
  const { parseYaml } = await import("./yaml.ts");
  const parsed = read.kind === "text" ? parseYaml(read.text) : ({ kind: "data", data: {} } as const);
  if (parsed.kind === "error") return { kind: "failed", path, reason: `line ${parsed.line}: ${parsed.message}` };
  const data = structuredClone((parsed.data ?? {}) as Record<string, unknown>);
  const list = listAt(data, edit.path);
  const kept = list.filter((value) => value !== edit.remove);
  if (edit.add !== undefined && !kept.includes(edit.add)) kept.push(edit.add);
  if (kept.length === list.length && kept.every((value, index) => value === list[index])) {
    return { kind: "unchanged", path };
  }
  list.splice(0, list.length, ...kept);
  const written = writeWhole(world, path, `${JSON.stringify(data, undefined, 2)}\n`);
  return written.kind === "written" ? { kind: "written", path } : { kind: "failed", path, reason: written.errno };
}

function listAt(data: Record<string, unknown>, path: readonly string[]): unknown[] {
  let table = data;
  for (const key of path.slice(0, -1)) table = (table[key] ??= {}) as Record<string, unknown>;
  return (table[path.at(-1) ?? ""] ??= []) as unknown[];
}
