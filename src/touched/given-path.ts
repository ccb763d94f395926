import { sep } from "node:path";
import { nativePath } from "../lib/paths.ts";

/** A path that may be written with `~` or as a `file:` URI; undefined for a file on another machine. */
export function givenPath(text: string, home: string): string | undefined {
  if (text === "~" || text.startsWith("~/")) return home === "" ? text : home + text.slice(1);
  if (!text.startsWith("file:")) return nativePath(text);
  const host = /^file:\/\/([^/]*)\//.exec(text)?.[1];
  return host === "" || host === "localhost" ? pathOfUri(text) : undefined;
}

/** The path of a `file:` URI on this machine. Invalid escapes are left as they are. */
export function pathOfUri(uri: string): string {
  const slash = uri.indexOf("/", "file://".length);
  if (slash === -1) return "";
  // In `file:///C:/Users` the path begins behind the slash.
  const path = uri.slice(sep !== "/" && /^\/[a-z](?::|%3a)/i.test(uri.slice(slash)) ? slash + 1 : slash);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
