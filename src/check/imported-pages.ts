import { dirname, resolve } from "node:path";
import { MAX_IMPORT_DEPTH } from "../instructions/imports.ts";
import { importsIn } from "../instructions/memory-text.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { readPage, type InstructionText } from "./instruction-files.ts";
import { isPage, IMPORTING } from "./missing-imports.ts";

/*
 * The pages that instruction files import, and the pages that these import: clients read the imports of each, down to a
 * depth.
 */

/** A clone may import one file from many. More are not looked at. */
const MAX_PAGES = 500;
const MAX_IMPORTS = 10_000;

/**
 * The imported pages whose own imports a client follows, each once. Imports start from the directory of the file that
 * they are in, after its links are followed. An instruction file is none: it is checked by itself.
 *
 * @param root canonical
 */
export function importedPages(
  texts: readonly InstructionText[],
  root: string,
  isIgnored: (path: string) => boolean,
): InstructionText[] {
  const pages: InstructionText[] = [];
  const own = new Map(texts.map((text) => [text.realPath, text]));
  const seen = new Set<string>();
  let importsLeft = MAX_IMPORTS;
  let level = texts.filter(({ name }) => IMPORTING.test(name));
  // The imports of a file at the last depth are not followed.
  for (let depth = 1; depth < MAX_IMPORT_DEPTH && level.length > 0; depth++) {
    const next: InstructionText[] = [];
    for (const { realPath, text } of level) {
      for (const written of importsIn(text)) {
        if (pages.length >= MAX_PAGES || importsLeft-- <= 0) return pages;
        if (!isPage(written)) continue;
        const target = realPathOf(resolve(dirname(realPath), written));
        if (target === undefined || seen.has(target) || !isInside(root, target) || isIgnored(target)) continue;
        seen.add(target);
        const page = own.get(target) ?? readPage(target);
        if (page === undefined) continue;
        next.push(page);
        if (!own.has(target)) pages.push(page);
      }
    }
    level = next;
  }
  return pages;
}
