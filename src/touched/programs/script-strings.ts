import { hasExtension, looksLikePath } from "../looks-like-path.ts";
import { exactly, touchText, type ShellState } from "../shell/state.ts";

const MAX_CODE = 65_536;
const MAX_STRING = 256;

/** The strings of a script that look like files: `Path("src/a.ts")`, `open('b.txt', 'w')`, `require('./lib')`. */
export function touchStrings(state: ShellState, code: string): void {
  if (code.length > MAX_CODE) return;
  const access = isWriting(code) ? "write" : "read";
  for (let at = 0; at < code.length; at++) {
    const quote = code[at];
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    const end = stringEnd(code, at + 1, quote);
    if (end === -1) continue;
    const text = code.slice(at + 1, end);
    // Where it isn't one, the quote may have been an apostrophe.
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
  for (const mark of [".write", "writeFile", "'w'", '"w"', "'a'", '"a"', ".unlink", ".rename", "os.remove", "rmSync"]) {
    if (code.includes(mark)) return true;
  }
  return false;
}
