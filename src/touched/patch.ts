import type { Access } from "./paths.ts";

/** The path as the patch has it: relative to where the patch is applied. */
type PatchedPath = { readonly path: string; readonly access: Access };

const MAX_PATHS = 512;
const BEGIN = "*** Begin Patch";

/** Whether a text is a patch. */
export function isPatch(text: string): boolean {
  const start = text.trimStart();
  return (
    start.startsWith(BEGIN) || start.startsWith("diff --git ") || (start.startsWith("--- ") && /\n\+\+\+ /.test(start))
  );
}

/** The files that a patch adds, changes, deletes, moves or copies. The patch may be an envelope or a unified diff. */
export function patchPaths(text: string): PatchedPath[] {
  const paths: PatchedPath[] = [];
  if (text.includes(BEGIN)) readEnvelope(text, paths);
  else readDiff(text, paths);
  return paths;
}

const ENVELOPE_HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): ([^]*)$/;

/** Lines of content begin with a sign, so none of them looks like a header. */
function readEnvelope(text: string, paths: PatchedPath[]): void {
  for (const line of linesOf(text.slice(text.indexOf(BEGIN)))) {
    const path = ENVELOPE_HEADER.exec(line)?.[1]?.trim() ?? "";
    if (path !== "" && paths.length < MAX_PATHS) paths.push({ path, access: "write" });
  }
}

const DIFF_HEADERS: readonly (readonly [start: string, access: Access])[] = [
  ["rename from ", "write"],
  ["rename to ", "write"],
  ["copy from ", "read"],
  ["copy to ", "write"],
];

function readDiff(text: string, paths: PatchedPath[]): void {
  const lines = linesOf(text);
  for (let at = 0; at < lines.length && paths.length < MAX_PATHS; at++) {
    const [line = "", next = ""] = lines.slice(at, at + 2);
    if (line.startsWith("@@ -")) at = endOfHunk(lines, at);
    else if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      add(paths, line.slice(4), "write", true);
      add(paths, next.slice(4), "write", true);
    } else if (line.startsWith("diff --git ")) addSame(paths, line.slice(11));
    else {
      const header = DIFF_HEADERS.find(([start]) => line.startsWith(start));
      if (header !== undefined) add(paths, line.slice(header[0].length), header[1], false);
    }
  }
}

/** The single header of a binary file or a mode change: `a/x b/x`. */
function addSame(paths: PatchedPath[], names: string): void {
  const half = (names.length - 1) / 2;
  const name = names.slice(2, half);
  if (names === `a/${name} b/${name}`) add(paths, name, "write", false);
}

function add(paths: PatchedPath[], written: string, access: Access, hasPrefix: boolean): void {
  const tab = written.indexOf("\t");
  let path = tab === -1 ? written : written.slice(0, tab);
  if (path.startsWith('"')) {
    // A name with git's escapes is not decoded: its directory is enough.
    const escape = path.indexOf("\\");
    path = escape === -1 ? path.slice(1, -1) : path.slice(1, path.lastIndexOf("/", escape) + 1);
  }
  if (path === "/dev/null") return;
  if (hasPrefix && (path.startsWith("a/") || path.startsWith("b/"))) path = path.slice(2);
  if (path === "" || paths.some((known) => known.path === path && known.access === access)) return;
  paths.push({ path, access });
}

/** The last line of a hunk, counted by its header, because a removed line may look like a header itself. */
function endOfHunk(lines: readonly string[], start: number): number {
  const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[start] ?? "");
  if (counts === null) return start;
  let [old, now, at] = [Number(counts[1] ?? 1), Number(counts[2] ?? 1), start];
  while ((old > 0 || now > 0) && at + 1 < lines.length) {
    const sign = lines[at + 1]?.[0] ?? " ";
    if (!"-+ \\".includes(sign)) break;
    if (sign === "-" || sign === " ") old--;
    if (sign === "+" || sign === " ") now--;
    at++;
  }
  return at;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
