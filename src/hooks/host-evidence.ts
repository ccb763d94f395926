import type { HostEvidence } from "../clients/settings/settings-host.ts";
import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";
import type { World } from "../world.ts";
import { parseJsonc } from "../lib/jsonc.ts";
import { limitParsing, type LimitedParse } from "../lib/parse-limit.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * @input  data: files of JSON or TOML; texts: files that matter where they say anything
 * @output what the first hold, and which of the second are not blank, as far as they can be read
 * @effect reads
 * @error  none
 */
export async function gatherEvidence(
  world: Pick<World, "processorTime">,
  wanted: { readonly data: readonly string[]; readonly texts: readonly string[] },
): Promise<HostEvidence> {
  const limited = limitParsing(world);
  const data = new Map<string, unknown>();
  const texts = new Set<string>();
  for (const path of wanted.data) {
    const text = textOf(path);
    if (text !== undefined) data.set(path, await parse(path, text, limited));
  }
  for (const path of wanted.texts) {
    const text = textOf(path);
    if (text !== undefined && text.trim() !== "") texts.add(path);
  }
  return { data, texts };
}

async function parse(path: string, text: string, limited: LimitedParse): Promise<unknown> {
  const parseText = path.endsWith(".toml") ? (await import("../lib/toml.ts")).parseToml : parseJsonc;
  const read = limited(() => parseText(text.replace(/^\uFEFF/, "")));
  return read.kind === "data" ? read.data : undefined;
}

/** As a client sees it, links followed. */
function textOf(path: string): string | undefined {
  try {
    if (disk.lookThrough(path)?.isFile() !== true) return undefined;
    const read = readText(disk.realPath(path), MAX_BYTES);
    return read.kind === "text" ? read.text : undefined;
  } catch {
    return undefined;
  }
}
