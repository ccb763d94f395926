import { resolve, sep } from "node:path";
import type { TouchedPath } from "./touched.ts";

/** The tools that read or write the one file that their `file_path` names. */
export function isFileTool(tool: string): boolean {
  return tool === READING || isWriter(tool);
}

const READING = "Read";

function isWriter(tool: string): boolean {
  return tool === "Edit" || tool === "Write" || tool === "MultiEdit";
}

/**
 * The usual case of `pathsOfToolUse`, and the same answer: the call is over before the shell's grammar is loaded.
 * Undefined for everything else.
 */
export function fileArgument(tool: string, input: unknown, cwd: string): TouchedPath[] | undefined {
  const isWriting = isWriter(tool);
  if (tool !== READING && !isWriting) return undefined;
  const path = (input as { readonly file_path?: unknown } | null | undefined)?.file_path;
  const isPlain =
    sep === "/" && typeof path === "string" && path.startsWith("/") && path.length <= 4096 && !path.includes("\0");
  return isPlain ? [{ path: resolve(cwd, path), access: isWriting ? "write" : "read" }] : undefined;
}
