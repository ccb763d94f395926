import { join } from "node:path";
import { entriesOf } from "../lib/path-facts.ts";
import { readPage, type InstructionText } from "./instruction-files.ts";
import type { WalkedRepository } from "./walk.ts";

/** Where Claude Code has rules, some of them for a part of the project. */
const RULES = /[\\/]\.claude[\\/]rules(?:[\\/]|$)/;
const MAX_FILES = 1000;

/** Its rules, of which the text is checked like that of an instruction file. Links are checked where they lead. */
export function ruleFiles({ directories, isIgnored }: WalkedRepository): InstructionText[] {
  const paths = directories
    .filter((directory) => RULES.test(directory))
    .flatMap((directory) =>
      entriesOf(directory).flatMap((entry) =>
        entry.isFile() && entry.name.endsWith(".md") ? join(directory, entry.name) : [],
      ),
    );
  return paths
    .filter((path) => !isIgnored(path))
    .slice(0, MAX_FILES)
    .flatMap((path) => readPage(path) ?? []);
}
