import { hasFileEnding } from "../lib/file-endings.ts";
import type { PathMention } from "./path-mentions.ts";

/** What stands where a mention leads. */
export interface MentionFacts {
  /** It is there, seen from the file's directory or one above it. */
  readonly isThere: boolean;
  /** So is at least its first directory. */
  readonly isRooted: boolean;
  /** It leads out of the repository, or git would ignore it: then it may be there at another time or place. */
  readonly isElsewhere: boolean;
}

/** Endings with which a module or a header of another package is named just as well. */
const OF_PACKAGES = /\.(?:[cm]?js|css|h|hpp|hh|dart|proto|so|go)$/;
/** `internal/store.Store`, `net/http.Client`: what a package exports, wherever the package is. */
const SYMBOL = /\.[A-Z][a-z][A-Za-z0-9]*$/;
/** `api/v1/users.json` */
const VERSION = /(?:^|\/)v\d+\//;

/** Whether a mention is of something that should be there and is not. */
export function isMissing({ path, kind }: PathMention, { isThere, isRooted, isElsewhere }: MentionFacts): boolean {
  if (isThere || isElsewhere) return false;
  if (kind === "link") return true;
  if (SYMBOL.test(path) && !hasFileEnding(path)) return false;
  if (isRooted) return true;
  if (path.endsWith("/") || path.startsWith("../")) return false;
  return hasFileEnding(path) && !OF_PACKAGES.test(path) && !VERSION.test(path) && !beginsWithDomain(path);
}

/** `example.com/page.html`, `org.name/part.x` */
function beginsWithDomain(path: string): boolean {
  const first = path.slice(0, Math.max(0, path.indexOf("/")));
  return !first.startsWith(".") && first.slice(0, -1).includes(".");
}
