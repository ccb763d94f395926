import { restrictProjectLayer } from "./project-layer.ts";
import type { World } from "../world.ts";
import type { ConfigFile, LoadedLayer } from "./config-layer.ts";
import { CONFIG_RULES_MARK, MAX_CONFIG_BYTES } from "./config-memory.ts";
import { parseConfig } from "./config-parse.ts";
import { limitParsing } from "../lib/parse-limit.ts";
import { readStart } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";

/** A file this young may change again without its times showing it: it is not remembered yet. */
const RACY_MS = 50;

/**
 * Reads, parses and validates a config file, and remembers the outcome for `loadLayer`. Whatever goes wrong is the file's
 * problem: the other layers, and what they forbid, hold all the same.
 *
 * @input  isProject: what only the user may decide is left out, and the time of its parser is limited; memory: the file it
 *         is remembered in
 * @output the validated config, or the problems
 * @effect writes `memory`; where it can't, the next call parses again
 * @error  none
 */
export async function readAnew(
  world: World,
  file: ConfigFile,
  isProject: boolean,
  memory: string,
): Promise<LoadedLayer> {
  world.trace("config-parse", { path: file.path });
  const { path } = file;
  const read = readStart(file.realPath, MAX_CONFIG_BYTES + 1);
  // It may be readable the next time, and its mark would be the same.
  if (read.kind !== "read") return { path, config: undefined, problems: ["it can't be read"], isPassing: true };
  const layer = await parseLayer(world, path, read.bytes, isProject).catch((error: unknown): LoadedLayer => {
    return { path, config: undefined, problems: [`reading it failed (${String(error)})`], isPassing: true };
  });
  if (layer.isPassing !== true) remember(world, memory, file, layer);
  return layer;
}

async function parseLayer(world: World, path: string, bytes: Uint8Array, isProject: boolean): Promise<LoadedLayer> {
  if (bytes.length > MAX_CONFIG_BYTES) {
    return { path, config: undefined, problems: [`it is larger than ${MAX_CONFIG_BYTES} bytes`] };
  }
  const parsed = await parseConfig(path, new TextDecoder().decode(bytes), isProject ? limitParsing(world) : undefined);
  if (parsed.kind === "unusable") {
    const { problems, isPassing } = parsed;
    return { path, config: undefined, problems, ...(isPassing === true ? { isPassing } : {}) };
  }
  if (!isProject) return { path, config: parsed.config, problems: [] };
  const { config, refused, asked } = restrictProjectLayer(parsed.config);
  if (asked === undefined) return { path, config, problems: refused };
  const { sha256 } = await import("../lib/sha256.ts");
  return { path, config, problems: refused, asked: { config: asked, sha256: sha256(bytes) } };
}

function remember(world: World, memory: string, file: ConfigFile, layer: LoadedLayer): void {
  const [, , , mtimeMs, ctimeMs] = file.mark.split(":").map(Number);
  if (world.now() - Math.max(mtimeMs ?? 0, ctimeMs ?? 0) < RACY_MS) return;
  const text = JSON.stringify({ rules: CONFIG_RULES_MARK, mark: file.mark, layer });
  const written = writeWhole(world, memory, text, { directoryMode: 0o700, fileMode: 0o600 });
  if (written.kind === "failed") world.trace("config-not-remembered", { path: memory, errno: written.errno });
}
