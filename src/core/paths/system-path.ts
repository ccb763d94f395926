import { sep } from "node:path";

const DRIVE = /^\/([a-z])(?=\/|$)/i;

/** A path as the system takes it: Git's shell on Windows writes `/c/Users` for `C:\Users`. */
export function systemPath(path: string): string {
  if (sep === "/") return path;
  const [found, drive = ""] = DRIVE.exec(path) ?? [];
  return found === undefined ? path : `${drive.toUpperCase()}:/${path.slice(found.length + 1)}`;
}
