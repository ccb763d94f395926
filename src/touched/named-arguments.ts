import { byName } from "../lib/table.ts";
import { nativePath } from "../lib/paths.ts";
import { pathOfUri } from "./given-path.ts";
import { looksLikePath } from "./likely-path.ts";
import { directoryPart, exactly, type Directories } from "./shell/state.ts";
import { hasScheme, indexOfAny, isFull, touch, type Access, type Found } from "./paths.ts";

/** How deep, and how many values of, a tool's input are examined. */
const MAX_DEPTH = 6;
const MAX_VALUES = 4096;

type Search = {
  readonly found: Found;
  readonly access: Access;
  readonly directories: Directories;
  values: number;
};

/** Finds paths in the input of an unknown tool, by the names of its keys. */
export function touchNamedArguments(found: Found, input: object, access: Access, directories: Directories): void {
  searchRecord({ found, access, directories, values: 0 }, input, 0);
}

function searchRecord(search: Search, record: object, depth: number): void {
  // It was JSON, so its keys are its own; it may have millions.
  for (const key in record) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    searchValue(search, record[key as keyof typeof record], kindOfKey(key), depth);
  }
}

function searchValue(search: Search, value: unknown, kind: Kind, depth: number): void {
  if (typeof value === "string") return touchNamed(search, value, kind);
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return;
  if (!Array.isArray(value)) return searchRecord(search, value, depth + 1);
  for (const item of value) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    searchValue(search, item, kind, depth + 1);
  }
}

function touchNamed({ found, access, directories: { cwd, home } }: Search, value: string, kind: Kind): void {
  if (kind === "other" || value.length > 4096) return;
  let path = nativePath(value);
  if (value.startsWith("file://")) path = pathOfUri(value);
  else if (kind === "uri" || hasScheme(value)) return;
  else if (kind === "likely" && !looksLikePath(exactly(value))) return;
  else if (value === "~" || value.startsWith("~/")) path = home + value.slice(1);
  // Several lines are text, not a path.
  if (path.includes("\n")) return;
  const star = indexOfAny(path, "*?");
  if (star !== -1) path = directoryPart(path, star) || ".";
  touch(found, cwd, path, kind === "directory" && access === "read" ? "list" : access);
}

/** What a key's name says about its value. A `likely` key has paths and other things. */
type Kind = "path" | "directory" | "uri" | "likely" | "other";

/** By names in lower case without hyphens and underscores. */
const KINDS = byName<Kind>([
  ["filename, filenames, notebook, document", "path"],
  ["dir, dirs, folder, root, roots", "directory"],
  ["uri, uris, fileuri", "uri"],
  ["source, sources, src, destination, dest, dst, target, targets, from, to, include, location", "likely"],
  ["xpath, jsonpath, keypath, classpath, urlpath, profile", "other"],
  // Where the tool runs is known already.
  ["cwd, workdir, workingdirectory", "other"],
]);

function kindOfKey(key: string): Kind {
  // No key for a path has a name this long.
  if (key.length > 64) return "other";
  const name = key.replaceAll(/[_-]/g, "").toLowerCase();
  const known = KINDS.get(name);
  if (known !== undefined) return known;
  if (/(?:path|file)s?$/.test(name)) return "path";
  return /(?:directory|directories|folders?)$/.test(name) ? "directory" : "other";
}
