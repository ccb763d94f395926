/** What a path in a text is set off with: white space, quotes, brackets, the sign of an import. */
const BEFORE = /[\s"'`()[\]<>{}@=:,;|*]/;
const AFTER = /[\w-]/;
const MAX_LENGTH = 512;

/**
 * The paths in a text that end with one of some names, in whatever letter case, wherever in it they stand.
 *
 * @param names of letters, digits and dots
 */
export function writtenPaths(text: string, names: readonly string[]): string[] {
  const wanted = new RegExp(names.map((name) => name.replaceAll(".", String.raw`\.`)).join("|"), "gi");
  const paths: string[] = [];
  for (const { 0: name, index } of text.matchAll(wanted)) {
    const end = index + name.length;
    if (AFTER.test(text[end] ?? "")) continue;
    let start = index;
    while (start > 0 && end - start < MAX_LENGTH && !BEFORE.test(text[start - 1] as string)) start--;
    paths.push(text.slice(start, end));
  }
  return paths;
}
