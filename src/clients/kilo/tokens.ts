import { dirname, resolve } from "node:path";
import { isInside } from "../../lib/paths.ts";
import { lossyText } from "../../lib/text.ts";
import type { TreeFacts } from "../client.ts";
import { sizeOf } from "../reached.ts";

// `{file:PATH}` in an instruction file: Kilo Code puts that file's text in its place. `{env:NAME}` is for the user's own
// files alone; there it stays as it is here, because what the client has in its environment is not known.

const KINDS = ["env", "file"] as const;

interface Token {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** More than anyone writes: a clone may have been made to take long. */
const MAX_TOKENS = 200;
const MAX_BYTES = 1024 * 1024;

/**
 * Whether the client gives nothing of a project's text because of what one of its tokens asks for. A file of the user's
 * is taken to be there.
 */
export function isRefusedFor(text: string, path: string, root: string, facts: TreeFacts): boolean {
  return tokensIn(text).some((token) => {
    if (token.kind === "env" || token.name.startsWith("~/")) return true;
    const target = facts.realPath(targetOf(token, path));
    return target !== undefined && !isInside(root, target);
  });
}

/** The files that a text names, as far as they are there. */
export function filesNamedIn(text: string, path: string, facts: TreeFacts): string[] {
  const targets = tokensIn(text).flatMap((token) => (token.kind === "file" ? targetOf(token, path) : []));
  return [...new Set(targets)].filter((target) => facts.at(target)?.kind === "file");
}

/** The text with what these files hold. */
export function withNamedFiles(text: string, path: string, facts: TreeFacts): string {
  let whole = "";
  let done = 0;
  for (const token of tokensIn(text)) {
    if (token.kind === "env" || token.name.startsWith("~/")) continue;
    const target = targetOf(token, path);
    const what = facts.at(target);
    const size = sizeOf(what);
    if (whole.length + size > MAX_BYTES) break;
    const named = what?.kind === "file" ? lossyText(facts.start(target, size)).trim() : "";
    whole += text.slice(done, token.start) + named;
    done = token.end;
  }
  return whole + text.slice(done);
}

function targetOf({ name }: Token, path: string): string {
  return resolve(dirname(path), name);
}

/** Those in a line that begins with `//` don't count. Not a regular expression: it would look far ahead for each brace. */
function tokensIn(text: string): Token[] {
  const tokens: Token[] = [];
  let nextLine = text.indexOf("\n") + 1;
  let isComment = beginsComment(text, 0);
  for (let start = text.indexOf("{"); start >= 0 && tokens.length < MAX_TOKENS; start = text.indexOf("{", start + 1)) {
    const kind = KINDS.find((each) => text.startsWith(`${each}:`, start + 1));
    if (kind === undefined) continue;
    const end = text.indexOf("}", start) + 1;
    if (end === 0) break;
    const name = text.slice(start + kind.length + 2, end - 1);
    if (name === "") continue;
    while (nextLine > 0 && nextLine <= start) {
      isComment = beginsComment(text, nextLine);
      nextLine = text.indexOf("\n", nextLine) + 1;
    }
    if (!isComment) tokens.push({ kind, name, start, end });
    start = end - 1;
  }
  return tokens;
}

function beginsComment(text: string, line: number): boolean {
  let at = line;
  while (text[at] === " " || text[at] === "\t") at++;
  return text.startsWith("//", at);
}
