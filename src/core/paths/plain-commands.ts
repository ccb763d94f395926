import type { Value } from "./shell-state.ts";

/** A command in which every word stands for itself. */
export type PlainCommand = { readonly args: readonly Value[]; readonly isPiped: boolean };

/**
 * The usual command line in one pass: words, quotes without anything in them to replace, `&&`, `||`, `|`, `;`.
 * Undefined for all else, which the grammar reads. A property test holds the two equal; this one needs a third of the time.
 */
export function plainCommands(text: string): readonly PlainCommand[] | undefined {
  const commands: PlainCommand[] = [];
  let args: Value[] = [];
  let isBehindPipe = false;
  for (let at = 0; ;) {
    const start = at;
    const char = text[at];
    switch (char) {
      case " ":
        at++;
        continue;
      case undefined:
      case ";":
      case "|":
      case "&": {
        const isDouble = char !== undefined && char !== ";" && text[at + 1] === char;
        if (char === "&" && !isDouble) return undefined;
        if (char === "|" && text[at + 1] === "&") return undefined;
        const isPipe = char === "|" && !isDouble;
        if (args.length > 0) commands.push({ args, isPiped: isBehindPipe || isPipe });
        if (char === undefined) return commands;
        args = [];
        isBehindPipe = isPipe;
        at += isDouble ? 2 : 1;
        continue;
      }
      case "'":
      case '"': {
        const end = text.indexOf(char, at + 1);
        if (end === -1) return undefined;
        const quoted = text.slice(at + 1, end);
        if (quoted.includes("\0") || (char === '"' && isReplaced(quoted))) return undefined;
        at = end + 1;
        args.push({ text: quoted, rest: "" });
        break;
      }
      default: {
        while (isPlain(text.charCodeAt(at))) at++;
        if (at === start) return undefined;
        const word = text.slice(start, at);
        if (args.length === 0 && isSpecialFirst(word)) return undefined;
        args.push({ text: word, rest: "" });
      }
    }
    // What stands behind a word without a blank belongs to it, or is an operator of the grammar's.
    if (at < text.length && !" ;|&".includes(text[at] as string)) return undefined;
  }
}

/** Letters, digits and what has no meaning in any place: `%+,-./:=@_`. */
function isPlain(code: number): boolean {
  if (code >= 97 && code <= 122) return true;
  return (code >= 43 && code <= 58) || (code >= 64 && code <= 90) || code === 95 || code === 61 || code === 37;
}

function isReplaced(quoted: string): boolean {
  return quoted.includes("$") || quoted.includes("`") || quoted.includes("\\");
}

/** A keyword, or an assignment. */
function isSpecialFirst(word: string): boolean {
  return (
    word.includes("=") ||
    " if then elif else fi while until do done for select case function time ".includes(` ${word} `)
  );
}
