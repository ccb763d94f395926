import { byName } from "../../lib/table.ts";
import { expandedByTool, hasExtension, looksLikePath, touchLikely } from "../likely-path.ts";
import { exactly, touchText, touchValue, type ShellState, type Value } from "../shell/state.ts";
import { hasAny } from "../paths.ts";
import { isNamed } from "./arguments.ts";

type Interpreter = {
  /** Options whose value is code. */
  readonly code: string;
  /** The option that is followed by a tool's own command. */
  readonly module?: string;
  /** Options are joined letters (`-pie`), and code is followed by the files that it reads, or changes with `-i`. */
  readonly isFilter?: true;
};

const CODE = "-e -E -p --eval --print";
const ORDINARY: Interpreter = { code: CODE };

const INTERPRETERS = byName<Interpreter>([
  ["python", { code: "-c", module: "-m" }],
  ["php", { code: "-r" }],
  ["perl, ruby", { code: CODE, isFilter: true }],
]);

/** Options with a value: a file, or something else. */
const FILE_OPTIONS = "-r --require --import --loader --env-file -I";
const VALUE_OPTIONS = "-W -X -C --conditions --test-name-pattern --test-reporter";

/**
 * Touches the script that an interpreter runs, and arguments that look like paths. Returns the command of `-m tool`.
 */
export function runInterpreter(
  state: ShellState,
  args: readonly Value[],
  input: readonly string[],
): readonly Value[] | undefined {
  const name = args[0]?.text ?? "";
  const { code, module, isFilter } = INTERPRETERS.get(/^(?:python|pypy)/.test(name) ? "python" : name) ?? ORDINARY;
  let isInPlace = false;
  let hasCode = false;
  for (let index = 1; index < args.length; index++) {
    const arg = args[index] as Value;
    const { text } = arg;
    if (text === "-" || text === "--") continue;
    if (!text.startsWith("-")) {
      if (isFilter === true && hasCode) {
        touchValue(state, arg, isInPlace ? "write" : "read");
        continue;
      }
      if (!hasCode) touchValue(state, expandedByTool(arg), "read");
      touchLikely(state, args, hasCode ? index : index + 1);
      return undefined;
    }
    if (text === module) return args.slice(index + 1);
    const isJoined = isFilter === true && !text.startsWith("--") && hasAny(text, "ieE");
    if (isJoined) isInPlace ||= text.includes("i");
    if (isJoined ? /[eE]$/.test(text) : isNamed(code, text)) {
      hasCode = true;
      index++;
      touchStrings(state, args[index]?.text ?? "");
    } else if (!isJoined && isNamed(FILE_OPTIONS, text)) {
      const file = args[++index];
      if (file !== undefined && looksLikePath(file)) touchValue(state, file, "read");
    } else if (!isJoined && isNamed(VALUE_OPTIONS, text)) index++;
  }
  if (!hasCode) for (const text of input) touchStrings(state, text);
  return undefined;
}

const MAX_CODE = 65_536;
const MAX_STRING = 256;

/**
 * Touches the strings of a script that look like files: `Path("src/a.ts")`, `open('b.txt', 'w')`, `require('./lib')`.
 */
function touchStrings(state: ShellState, code: string): void {
  if (code.length > MAX_CODE) return;
  const access = isWriting(code) ? "write" : "read";
  for (let at = 0; at < code.length; at++) {
    const quote = code[at];
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    const end = stringEnd(code, at + 1, quote);
    if (end === -1) continue;
    const text = code.slice(at + 1, end);
    // Otherwise the quote may have been an apostrophe.
    const isLikely = hasExtension(text) || text.startsWith("./") || text.startsWith("../");
    if (!isLikely || !looksLikePath(exactly(text))) continue;
    touchText(state, text, access);
    at = end;
  }
}

function stringEnd(code: string, from: number, quote: string): number {
  const last = Math.min(code.length, from + MAX_STRING);
  for (let index = from; index < last; index++) {
    if (code[index] === quote) return index;
    if (code[index] === "\n") return -1;
  }
  return -1;
}

function isWriting(written: string): boolean {
  const code = written.replaceAll(/std(?:out|err)\.write/g, "");
  const marks = [".write", "writeFile", "'w'", '"w"', "'a'", '"a"', ".unlink", ".rename", "os.remove", "rmSync"];
  return marks.some((mark) => code.includes(mark));
}
