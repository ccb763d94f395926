import { dirname } from "node:path";
import type { Found, TreeFacts } from "../../src/clients/client.ts";

/** A file's text, another kind of entry, the data of a settings file, or the size of a file that may not be read. */
export type Thing =
  | string
  | Exclude<Found, { kind: "file" | "directory" }>
  | { readonly data: unknown }
  | { readonly unreadBytes: number };

/** The facts of such a table; a directory exists if something is in it. */
export function factsOf(table: Readonly<Record<string, Thing>>): TreeFacts {
  const directories = new Set<string>();
  for (const path of Object.keys(table)) {
    for (let above = dirname(path); !directories.has(above); above = dirname(above)) directories.add(above);
  }
  const bytes = (path: string) => new TextEncoder().encode(typeof table[path] === "string" ? table[path] : "");
  return {
    at(path) {
      const thing = table[path];
      if (thing === undefined) return directories.has(path) ? { kind: "directory", realPath: path } : undefined;
      if (typeof thing === "object" && "kind" in thing) return thing;
      const isUnread = typeof thing === "object" && "unreadBytes" in thing;
      const version = { mtimeMs: 0, sizeBytes: isUnread ? thing.unreadBytes : bytes(path).length };
      return { kind: "file", version, identity: path, realPath: path, isLink: false };
    },
    realPath: (path) => (path in table || directories.has(path) ? path : undefined),
    list: (directory) =>
      Object.keys(table)
        .filter((path) => dirname(path) === directory)
        .map((path) => path.slice(directory.length + 1)),
    start: (path, count) => bytes(path).subarray(0, count),
    data: (path) => (table[path] as { data?: unknown } | undefined)?.data,
  };
}
