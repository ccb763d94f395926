import { join } from "node:path";
import { placeOfRoot } from "../core/user-places.ts";
import type { Config } from "../schema/config.ts";
import type { World } from "../world.ts";
import { findConfigFile, type ConfigFileFound } from "./config-file.ts";
import { readStart, readText } from "./read-file.ts";
import { writeWhole } from "./write-file.ts";

export interface LoadedLayer {
  readonly path: string | undefined;
  /** Undefined where there is no file, or none that can be used. */
  readonly config: Config | undefined;
  /** Why the file can't be used, or what in it was not heeded. */
  readonly problems: readonly string[];
}

export interface LayerPlace {
  readonly directories: readonly string[];
  readonly followLinks: boolean;
  /** The cache directory, and the root or directory that the remembered parse belongs to. */
  readonly cache: string;
  readonly owner: string;
}

const MAX_CONFIG_BYTES = 64 * 1024;
/** A file this young may change again without its times showing it: it is not remembered yet. */
const RACY_MS = 50;

/**
 * One layer of configuration, from memory where the file is as it was.
 *
 * @input  place: where to look
 * @output the validated config, or the problems; never both absent when there is a file
 * @effect may write the remembered parse below the user's cache directory
 * @error  none
 */
export async function loadLayer(world: World, place: LayerPlace): Promise<LoadedLayer> {
  const found = findConfigFile(place.directories, place.followLinks);
  if (found.kind === "none") return { path: undefined, config: undefined, problems: [] };
  if (found.kind === "unusable") return { path: found.path, config: undefined, problems: [found.problem] };
  const memory = join(placeOfRoot(place.cache, place.owner), "config.json");
  const remembered = recall(memory, found);
  if (remembered !== undefined) return remembered;
  world.trace("config-parse", { path: found.path });
  const layer = await parseLayer(found);
  remember(world, memory, found, layer);
  return layer;
}

type ConfigFile = Extract<ConfigFileFound, { kind: "file" }>;

async function parseLayer(file: ConfigFile): Promise<LoadedLayer> {
  const { path } = file;
  const read = readStart(file.realPath, MAX_CONFIG_BYTES + 1);
  if (read.kind !== "read") return { path, config: undefined, problems: ["it can't be read"] };
  if (read.bytes.length > MAX_CONFIG_BYTES) {
    return { path, config: undefined, problems: [`it is larger than ${MAX_CONFIG_BYTES} bytes`] };
  }
  const { parseConfig } = await import("./config-parse.ts");
  const parsed = await parseConfig(path, new TextDecoder().decode(read.bytes));
  if (parsed.kind === "unusable") return { path, config: undefined, problems: parsed.problems };
  return { path, config: parsed.config, problems: [] };
}

/**
 * What this file says, as remembered by an earlier call of this very program: `schema` changes with the
 * config's schema, so that another version's memory is not believed.
 */
function recall(memory: string, file: ConfigFile): LoadedLayer | undefined {
  const read = readText(memory, 8 * MAX_CONFIG_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const { schema, mark, layer } = JSON.parse(read.text);
    const fits = schema === CONFIG_SCHEMA_MARK && mark === file.mark && layer.path === file.path;
    return fits ? layer : undefined;
  } catch {
    return undefined;
  }
}

function remember(world: World, memory: string, file: ConfigFile, layer: LoadedLayer): void {
  const [, , , mtimeMs, ctimeMs] = file.mark.split(":").map(Number);
  if (world.now() - Math.max(mtimeMs ?? 0, ctimeMs ?? 0) < RACY_MS) return;
  const text = JSON.stringify({ schema: CONFIG_SCHEMA_MARK, mark: file.mark, layer });
  const written = writeWhole(world, memory, text, { directoryMode: 0o700, fileMode: 0o600 });
  if (written.kind === "failed") world.trace("config-not-remembered", { path: memory, errno: written.errno });
}

/** A test holds this equal to the hash of the generated JSON Schema. */
export const CONFIG_SCHEMA_MARK = "9f46c79d147565ba";
