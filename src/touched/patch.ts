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

/** Lines of content begin with a sign, so none of them looks like a header. */
function readEnvelope(text: string, paths: PatchedPath[]): void {
  for (let at = text.indexOf(BEGIN); at < text.length && paths.length < MAX_PATHS; at = nextLine(text, at)) {
    if (!text.startsWith("*** ", at)) continue;
    for (const header of ["Add File: ", "Update File: ", "Delete File: ", "Move to: "]) {
      if (!text.startsWith(header, at + 4)) continue;
      const path = lineAt(text, at)
        .slice(4 + header.length)
        .trim();
      if (path !== "") paths.push({ path, access: "write" });
    }
  }
}

function readDiff(text: string, paths: PatchedPath[]): void {
  let at = 0;
  while (at < text.length && paths.length < MAX_PATHS) {
    if (text.startsWith("@@ -", at)) {
      at = behindHunk(text, at);
      continue;
    }
    const next = nextLine(text, at);
    if (text.startsWith("--- ", at) && text.startsWith("+++ ", next)) {
      add(paths, lineAt(text, at).slice(4), "write", true);
      add(paths, lineAt(text, next).slice(4), "write", true);
    } else if (text.startsWith("rename from ", at)) add(paths, lineAt(text, at).slice(12), "write", false);
    else if (text.startsWith("rename to ", at)) add(paths, lineAt(text, at).slice(10), "write", false);
    else if (text.startsWith("copy from ", at)) add(paths, lineAt(text, at).slice(10), "read", false);
    else if (text.startsWith("copy to ", at)) add(paths, lineAt(text, at).slice(8), "write", false);
    else if (text.startsWith("diff --git ", at)) addSame(paths, lineAt(text, at).slice(11));
    at = next;
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

/** Counts lines by the hunk's header, because a removed line may look like a header itself. */
function behindHunk(text: string, at: number): number {
  const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lineAt(text, at));
  let next = nextLine(text, at);
  if (counts === null) return next;
  let old = Number(counts[1] ?? 1);
  let now = Number(counts[2] ?? 1);
  while ((old > 0 || now > 0) && next < text.length) {
    const sign = text[next];
    if (sign === "-") old--;
    else if (sign === "+") now--;
    else if (sign === " " || sign === "\n" || sign === "\r") {
      old--;
      now--;
    } else if (sign !== "\\") break;
    next = nextLine(text, next);
  }
  return next;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  const stop = end === -1 ? text.length : end;
  return text.slice(at, text[stop - 1] === "\r" ? stop - 1 : stop);
}
