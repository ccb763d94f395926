/** Paths out of a stream: separated by NUL where there is one, as `find -print0` writes them, else by line. */
export function splitPaths(text: string): string[] {
  const paths = text.includes("\0") ? text.split("\0") : text.split(/\r?\n/);
  return paths.filter((path) => path !== "");
}
