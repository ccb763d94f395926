import type { HostEvidence } from "../core/host-hooks/settings-host.ts";
import { disk } from "./disk.ts";
import { readText } from "./read-file.ts";
import { readSettingsText } from "./settings-file.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * @input  data: files of JSON or TOML; texts: files that matter where they say anything
 * @output what the first hold, and which of the second are not blank, as far as they can be read
 * @effect reads
 * @error  none
 */
export async function gatherEvidence(wanted: {
  readonly data: readonly string[];
  readonly texts: readonly string[];
}): Promise<HostEvidence> {
  const data = new Map<string, unknown>();
  const texts = new Set<string>();
  for (const path of wanted.data) {
    const text = textOf(path);
    if (text !== undefined) data.set(path, await parse(path, text));
  }
  for (const path of wanted.texts) {
    const text = textOf(path);
    if (text !== undefined && text.trim() !== "") texts.add(path);
  }
  return { data, texts };
}

async function parse(path: string, text: string): Promise<unknown> {
  if (!path.endsWith(".toml")) return readSettingsText(text.replace(/^\uFEFF/, "")).data;
  const { parseToml } = await import("./toml.ts");
  const read = parseToml(text);
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
