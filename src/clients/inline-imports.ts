import { dirname, resolve } from "node:path";
import { isInside } from "../lib/paths.ts";
import { lossyText } from "../lib/text.ts";
import type { TreeFacts } from "./client.ts";
import { nearestWith } from "./loading-rules.ts";
import { sizeOf } from "./reached.ts";
import type { Import } from "./slots.ts";

const MAX_DEPTH = 5;
/** A clone may import one file from many. */
const MAX_IMPORTS = 200;

export interface Inlined {
  readonly text: string;
  readonly imports: readonly Import[];
}

/**
 * A text with the files that it imports by `@path` in their places, as Gemini CLI and its descendant do: below the
 * repository's root only, five deep, and not within backticks.
 */
export function inlineImports(text: string, path: string, facts: TreeFacts): Inlined {
  const top = nearestWith(dirname(path), [".git"], facts) ?? dirname(path);
  const imports: Import[] = [];

  function inline(whole: string, by: string, above: readonly string[]): string {
    if (above.length > MAX_DEPTH) return whole;
    const code = codeIn(whole);
    return whole.replaceAll(
      /(^|[ \t\n\r])@([./A-Za-z][^ \t\n\r]*)/g,
      (written, before: string, name: string, from: number) => {
        const at = from + before.length;
        if (code.some(([start, end]) => at >= start && at < end)) return written;
        const target = resolve(dirname(by), name);
        if (!isInside(top, target)) return `${before}<!-- Import failed: ${name} - Path traversal attempt -->`;
        if (above.includes(target)) return `${before}<!-- File already processed: ${name} -->`;
        const what = facts.at(target);
        if (what?.kind !== "file" || imports.length >= MAX_IMPORTS) return before + failed(name, target, what?.kind);
        imports.push({ path: target, by });
        const inner = inline(lossyText(facts.start(target, sizeOf(what))), target, [...above, target]);
        return `${before}<!-- Imported from: ${name} -->\n${inner}\n<!-- End of import from: ${name} -->`;
      },
    );
  }

  return { text: inline(text, path, [path]), imports };
}

/** The longest run of backticks that may begin code. */
const MAX_TICKS = 8;

/** From where to where backticks quote: as many as stand together, or as few of them as find an end. */
function codeIn(text: string): [start: number, end: number][] {
  const regions: [start: number, end: number][] = [];
  for (let at = text.indexOf("`"); at >= 0; at = text.indexOf("`", at)) {
    let ticks = 1;
    while (ticks < MAX_TICKS && text[at + ticks] === "`") ticks++;
    let end = -1;
    for (; ticks > 0 && end < 0; ticks--) end = endOf(text, at, ticks);
    if (end < 0) return regions;
    regions.push([at, end]);
    at = end;
  }
  return regions;
}

function endOf(text: string, at: number, ticks: number): number {
  const found = text.indexOf("`".repeat(ticks), at + ticks);
  return found < 0 ? -1 : found + ticks;
}

function failed(name: string, target: string, kind: string | undefined): string {
  const why =
    kind === "directory"
      ? "EISDIR: illegal operation on a directory, read"
      : `ENOENT: no such file or directory, access '${target}'`;
  return `<!-- Import failed: ${name} - ${why} -->`;
}
