import { basename, dirname } from "node:path";
import { unifiedDiff } from "../lib/diff.ts";
import { disk } from "../lib/fs.ts";
import { withoutInvisible } from "../lib/invisible.ts";
import { isInside, withSlashes } from "../lib/paths.ts";
import { readText } from "../lib/read-file.ts";
import { isUnsafe, type Finding, type Fix } from "./findings.ts";
import { importEdit } from "./fix.ts";
import { MAX_TEXT_BYTES } from "./instruction-files.ts";

/**
 * The changes that `--fix` would make at once, in git's form of a diff, which `git apply` takes. A fix that only another
 * one makes possible is not in it.
 *
 * @param root canonical; the paths start from it
 */
export function fixesAsDiff(root: string, findings: readonly Finding[], withUnsafe: boolean): string {
  const fixes = findings.flatMap(({ fix }) => (fix === undefined || (isUnsafe(fix) && !withUnsafe) ? [] : [fix]));
  // Several findings may have the same fix.
  const parts = fixes.flatMap((fix) => diffsOf(root, fix));
  return [...new Set(parts)].join("");
}

function diffsOf(root: string, fix: Fix): string[] {
  const from = (path: string) => withSlashes(path.slice(root.length + 1));
  switch (fix.kind) {
    case "rename":
      return isInside(root, fix.to) ? [renamed(from(fix.from), from(fix.to))] : [];
    case "strip": {
      const path = disk.realPath(fix.path);
      const read = readText(path, MAX_TEXT_BYTES);
      if (read.kind !== "text" || !isInside(root, path)) return [];
      return [changed(from(path), read.text, withoutInvisible(read.text))];
    }
    case "link": {
      const read = readText(fix.path, MAX_TEXT_BYTES);
      if (read.kind !== "text") return [];
      const path = from(fix.path);
      const mode = (disk.look(fix.path)?.mode ?? 0) & 0o111 ? "100755" : "100644";
      const removed = `diff --git a/${path} b/${path}\ndeleted file mode ${mode}\n`;
      return [removed + unifiedDiff(`a/${path}`, { before: read.text, after: undefined }) + linked(path, fix.target)];
    }
    case "import":
      return fix.places.flatMap((place) => {
        const edit = importEdit(root, place);
        if (edit === undefined) return [];
        const path = from(place.path);
        return [
          edit.before === undefined ? created(path, edit.after, "100644") : changed(path, edit.before, edit.after),
        ];
      });
    case "new-link":
      return [linked(from(fix.path), fix.target)];
  }
}

function renamed(path: string, to: string): string {
  const [before, after] = dirname(path) === dirname(to) ? [path, to] : [path, basename(to)];
  return `diff --git a/${before} b/${after}\nsimilarity index 100%\nrename from ${before}\nrename to ${after}\n`;
}

function changed(path: string, before: string, after: string): string {
  return `diff --git a/${path} b/${path}\n${named(path, unifiedDiff(path, { before, after }))}`;
}

function created(path: string, text: string, mode: string): string {
  const diff = unifiedDiff(`b/${path}`, { before: undefined, after: text });
  return `diff --git a/${path} b/${path}\nnew file mode ${mode}\n${diff}`;
}

function linked(path: string, target: string): string {
  return created(path, target, "120000");
}

/** With the prefixes that git expects. */
function named(path: string, diff: string): string {
  return diff.replace(`--- ${path}\n`, () => `--- a/${path}\n`).replace(`+++ ${path}\n`, () => `+++ b/${path}\n`);
}
