import { dirname, resolve } from "node:path";
import { importsIn } from "../instructions/memory-text.ts";
import { isThere, namesIn } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { nearest } from "../lib/words.ts";
import { textPositions } from "../lib/text-positions.ts";
import { keptFindings, type Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import { finding } from "./rules.ts";

/** Ends of a sentence, which a reader does not take for a part of the path. */
const PUNCTUATION = `.,;:!?)]}>"'”’`;
/** An import that a comment or a code span interrupts is not found as written, and each search goes to the end. */
const MAX_LOST = 100;
/** To compare a name with all that are there takes long, and only the first findings are printed. */
const MAX_GUESSES = 100;
/** What people import. `@types/node` and `@someone` are no files. */
const IMPORTED = /\.(?:md|mdx|mdc|txt|json|ya?ml|toml)$/i;

/**
 * The rule `instructions-missing-import`: `@path` of a file that does not exist, which a client passes over without a
 * word.
 *
 * @param root canonical
 */
export function missingImports(
  { path, realPath, text }: InstructionText,
  root: string,
  isIgnored: (path: string) => boolean,
): Finding[] {
  const positionOf = textPositions(text);
  let from = 0;
  let lost = 0;
  let guesses = 0;
  const findings = importsIn(text).flatMap((written) => {
    const at = lost < MAX_LOST ? text.indexOf(`@${written.replaceAll(" ", String.raw`\ `)}`, from) : -1;
    if (at >= 0) from = at + 1;
    else lost++;
    const bare = withoutPunctuation(written);
    if (!IMPORTED.test(bare) || /^[~/]/.test(bare) || /[*<>{}$…]/.test(bare)) return [];
    const target = resolve(dirname(realPath), bare);
    if (!isInside(root, target) || isThere(target) || isIgnored(target)) return [];
    const message = `the import '@${bare}' leads nowhere, so that its text is not read`;
    const directory = dirname(target);
    const meant = isThere(resolve(root, bare))
      ? "an import starts from its file, not from the root"
      : guesses++ < MAX_GUESSES
        ? nearest(
            bare.slice(bare.lastIndexOf("/") + 1),
            namesIn(directory).filter((name) => IMPORTED.test(name)),
          )
        : undefined;
    const remedy =
      meant === undefined ? "correct or remove it" : meant.includes(" ") ? meant : `correct it: there is '${meant}'`;
    return [
      finding("instructions-missing-import", {
        path,
        ...positionOf(Math.max(0, at)),
        message,
        remedy,
        concerns: [target],
      }),
    ];
  });
  return keptFindings(findings);
}

function withoutPunctuation(written: string): string {
  let end = written.length;
  while (end > 0 && PUNCTUATION.includes(written[end - 1] as string)) end--;
  return written.slice(0, end);
}
