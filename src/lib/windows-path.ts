/** A path as Windows takes it: Git's shell there writes `/c/Users` for `C:\Users`. */
export function windowsPath(path: string): string {
  const [found, drive = ""] = /^\/([a-z])(?=\/|$)/i.exec(path) ?? [];
  return found === undefined ? path : `${drive.toUpperCase()}:/${path.slice(found.length + 1)}`;
}
