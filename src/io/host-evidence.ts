import type { HostEvidence } from "../core/host-hooks/settings-host.ts";
import { disk, errnoOf } from "./disk.ts";
import { readText } from "./read-file.ts";
import { readSettingsText } from "./settings-file.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const NOTHING_THERE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/**
 * @input  data: files of JSON or TOML; texts: files that matter where they say anything
 * @output what the first hold, as far as they can be read, and which of the second are not blank; `unread`: those that
 *         are there, or may be, and could not be read: what a client makes of them is not known
 * @effect reads
 * @error  none
 */
export async function gatherEvidence(wanted: {
  readonly data: readonly string[];
  readonly texts: readonly string[];
}): Promise<HostEvidence & { readonly unread: readonly string[] }> {
  const data = new Map<string, unknown>();
  const texts = new Set<string>();
  const unread: string[] = [];
  for (const path of wanted.data) {
    const text = textOf(path);
    if (text === "unread") unread.push(path);
    else if (text !== undefined) data.set(path, await parse(path, text.text));
  }
  for (const path of wanted.texts) {
    const text = textOf(path);
    if (text === "unread") unread.push(path);
    else if (text !== undefined && text.text.trim() !== "") texts.add(path);
  }
  return { data, texts, unread };
}

async function parse(path: string, text: string): Promise<unknown> {
  if (!path.endsWith(".toml")) return readSettingsText(text.replace(/^\uFEFF/, "")).data;
  const { parseToml } = await import("./toml.ts");
  const read = parseToml(text);
  return read.kind === "data" ? read.data : undefined;
}

/** As a client sees it, links followed. */
function textOf(path: string): { readonly text: string } | "unread" | undefined {
  try {
    if (disk.lookThrough(path)?.isFile() !== true) return undefined;
    const read = readText(disk.realPath(path), MAX_BYTES);
    if (read.kind === "text") return read;
    return read.kind === "absent" ? undefined : "unread";
  } catch (error) {
    return NOTHING_THERE.has(errnoOf(error)) ? undefined : "unread";
  }
}
