import { HEADER_READ_BYTES, MAX_HEADER_BYTES, readPlainHeader, splitHeader } from "../../core/skills/frontmatter.ts";
import { validateHeader } from "../../core/skills/validate-skill.ts";
import { readStart } from "../read-file.ts";
import { whyUnread } from "./why-unread.ts";

export type HeaderRead =
  | { readonly kind: "valid"; readonly name: string; readonly description: string; readonly mtimeMs: number }
  | { readonly kind: "invalid"; readonly message: string };

const DEFECTS = {
  missing: "it does not begin with a header; put its name and description between two lines '---' at its top",
  unterminated: "its header has no end; close it with a line '---'",
  "too-large": `its header is larger than ${MAX_HEADER_BYTES} bytes`,
} as const;

/**
 * Reads and validates the header of a SKILL.md.
 *
 * @input  path: canonical; directoryNames: what its directory is called
 * @output its name and description, or why it is no skill and how to repair it
 * @effect reads the start of the file; loads the YAML parser for a header that is not plain
 * @error  none
 */
export async function readHeader(path: string, directoryNames: Iterable<string>): Promise<HeaderRead> {
  const read = readStart(path, HEADER_READ_BYTES);
  if (read.kind !== "read") return invalid(whyUnread(read));
  const split = splitHeader(new TextDecoder().decode(read.bytes), read.bytes.length < HEADER_READ_BYTES);
  if (split.kind !== "header") return invalid(DEFECTS[split.kind]);
  const parsed = await parseHeader(split.header);
  if (parsed.kind === "error") return invalid(parsed.message);
  const validated = validateHeader(parsed.data, directoryNames);
  return validated.kind === "valid" ? { ...validated, mtimeMs: read.version.mtimeMs } : validated;
}

type ParsedHeader =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly message: string };

async function parseHeader(header: string): Promise<ParsedHeader> {
  const plain = readPlainHeader(header);
  if (plain !== undefined) return { kind: "data", data: plain };
  const { parseYaml } = await import("../yaml.ts");
  const read = parseYaml(header);
  if (read.kind === "data") return read;
  // The header's first line is the file's second.
  const message = read.message.split("\n")[0] ?? "";
  return {
    kind: "error",
    message: `line ${read.line + 1}: ${message}; a text with ': ' or ' #' in it, or a mark at its beginning, needs quotes`,
  };
}

function invalid(message: string): HeaderRead {
  return { kind: "invalid", message };
}
