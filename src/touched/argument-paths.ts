import { sep } from "node:path";
import { directoryPart } from "./directory-part.ts";
import { looksLikePath } from "./looks-like-path.ts";
import { exactly } from "./shell/state.ts";
import { isFull, touch, type Access, type Found } from "./touched.ts";
import { hasScheme, indexOfAny } from "./text-scan.ts";

/** How deep and how many values of a tool's input are looked at. */
const MAX_DEPTH = 6;
const MAX_VALUES = 4096;

type Search = {
  readonly found: Found;
  readonly access: Access;
  readonly cwd: string;
  readonly home: string;
  values: number;
};

/** The paths in the arguments of a tool that we know nothing of, by the names of its keys. */
export function argumentPaths(
  found: Found,
  input: object,
  access: Access,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): void {
  searchRecord({ found, access, cwd, home, values: 0 }, input, 0);
}

function searchRecord(search: Search, record: object, depth: number): void {
  // Out of JSON, so its keys are its own.
  for (const key in record) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    const value: unknown = record[key as keyof typeof record];
    const kind = kindOfKey(key);
    if (typeof value === "string") touchNamed(search, value, kind);
    else if (typeof value === "object" && value !== null) searchInside(search, value, kind, depth + 1);
  }
}

function searchInside(search: Search, value: object, kind: Kind, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (!Array.isArray(value)) return searchRecord(search, value, depth);
  for (const item of value) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    if (typeof item === "string") touchNamed(search, item, kind);
    else if (typeof item === "object" && item !== null) searchInside(search, item, kind, depth + 1);
  }
}

/** `likely`: under such a key there are other things as well. */
type Kind = "path" | "directory" | "uri" | "likely" | "other";

function touchNamed({ found, access, cwd, home }: Search, value: string, kind: Kind): void {
  if (kind === "other" || value.length > 4096) return;
  let path = value;
  if (value.startsWith("file://")) path = pathOfUri(value);
  else if (kind === "uri" || hasScheme(value)) return;
  else if (kind === "likely" && !looksLikePath(exactly(value))) return;
  else if (value === "~" || value.startsWith("~/")) path = home + value.slice(1);
  // A path of several lines is a text.
  if (path.includes("\n")) return;
  const star = indexOfAny(path, "*?");
  if (star !== -1) path = directoryPart(path, star) || ".";
  touch(found, cwd, path, kind === "directory" && access === "read" ? "list" : access);
}

function kindOfKey(key: string): Kind {
  // Whoever writes keys of this length writes no paths under them.
  if (key.length > 64) return "other";
  if (key === "file_path" || key === "path") return "path";
  const name = plainName(key);
  switch (name) {
    case "xpath":
    case "jsonpath":
    case "keypath":
    case "classpath":
    case "urlpath":
    case "profile":
    // Where the tool runs is known already.
    case "cwd":
    case "workdir":
    case "workingdirectory":
      return "other";
    case "uri":
    case "uris":
    case "fileuri":
      return "uri";
    case "dir":
    case "dirs":
    case "folder":
    case "root":
    case "roots":
      return "directory";
    case "filename":
    case "filenames":
    case "notebook":
    case "document":
      return "path";
    case "source":
    case "sources":
    case "destination":
    case "dest":
    case "src":
    case "dst":
    case "target":
    case "targets":
    case "from":
    case "to":
    case "include":
    case "location":
      return "likely";
    default:
  }
  if (endsInOne(name, "path") || endsInOne(name, "file")) return "path";
  return endsInOne(name, "directory") || name.endsWith("directories") || endsInOne(name, "folder")
    ? "directory"
    : "other";
}

/** In small letters, without what joins its words. */
function plainName(key: string): string {
  let name = "";
  for (let index = 0; index < key.length; index++) {
    const char = key[index] as string;
    if (char !== "_" && char !== "-") name += char;
  }
  return name.toLowerCase();
}

function endsInOne(name: string, word: string): boolean {
  return name.endsWith(word) || name.endsWith(`${word}s`);
}

/** Of this machine; escapes that mean nothing leave it as it is written. */
function pathOfUri(uri: string): string {
  const slash = uri.indexOf("/", 7);
  if (slash === -1) return "";
  // `file:///C:/Users`: what stands before the drive's letter is no part of the path.
  const path = uri.slice(sep !== "/" && /^\/[a-z](?::|%3a)/i.test(uri.slice(slash)) ? slash + 1 : slash);
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
