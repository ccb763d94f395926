import type { Value } from "../../touched/shell/state.ts";
import { addCode, addFile, addRun, hide, hideFile, TAKES_CODE, TAKES_MODULE, type Search } from "./search.ts";

/** How a command stands in what runs it. */
export interface Surroundings {
  /** Other commands may be piped into it. */
  readonly isInText: boolean;
  /** Its operands come from elsewhere: `xargs sh`. */
  readonly isFed: boolean;
  /** Texts, and files, that are its standard input. */
  readonly input: readonly string[];
  readonly hasFile: boolean;
  readonly depth: number;
}

export const INTERPRETERS = /^(?:node|nodejs|bun|deno|tsx|ts-node|perl|ruby|php|lua|Rscript|(?:python|pypy)[\d.]*)$/;
export const UNKNOWN_TEXT = "what a shell runs is only known when it runs";
const SAYS_ITS_VERSION = new Set(["--version", "-v", "-V", "--help", "-h"]);

/** The file that it runs, those that it loads before, and what its code has between quotes. */
export function searchInterpreter(search: Search, [program, ...args]: readonly Value[], around: Surroundings): void {
  // `bun test` is no directory.
  const hasVerbs = program?.text.endsWith("bun") || program?.text.endsWith("deno");
  const first = args.findIndex(({ text }) => !text.startsWith("-"));
  for (const [index, operand] of args.entries()) {
    const { text } = operand;
    const before = args[index - 1]?.text ?? "";
    if ((index !== first && !TAKES_MODULE.has(before)) || TAKES_CODE.has(before)) continue;
    checkOperand(search, operand);
    if (before === "-m") addModule(search, text);
    if (!hasVerbs || text.includes("/")) addRun(search, text);
  }
  if (first >= 0 || args.some(({ text }) => SAYS_ITS_VERSION.has(text))) return;
  searchInput(search, around, (text) => addCode(search, text));
}

/** Python's `a.b` is `a/b.py`, or what is in `a/b`. */
function addModule(search: Search, name: string): void {
  const path = name.replaceAll(".", "/");
  addFile(search, `${path}.py`);
  addRun(search, path);
}

/** What a shell or an interpreter gets on standard input, and runs. */
export function searchInput(search: Search, around: Surroundings, searchOne: (text: string) => void): void {
  const { input, hasFile, isFed, isInText } = around;
  for (const text of input) searchOne(text);
  if (isFed || (isInText && input.length === 0 && !hasFile)) hide(search, UNKNOWN_TEXT);
}

/** A file that is run. */
export function checkOperand(search: Search, { text, rest }: Value): void {
  if (rest !== "" || text.includes("{}") || /^\/(?:dev|proc)\//.test(text)) hideFile(search);
}
