import { importsIn } from "./memory-imports.ts";
import { withoutSpans } from "./without-spans.ts";

/** A Markdown file as Claude Code gives it to its model. */
export interface MemoryText {
  /** Without front matter, without comments that are blocks of their own, trimmed. */
  readonly text: string;
  /** Whether it waits for files that it names: its front matter has `paths` that don't mean every file. */
  readonly isConditional: boolean;
  /** What it imports, as written there. */
  readonly imports: readonly string[];
}

const BYTE_ORDER_MARK = "\uFEFF";

export function readMemory(whole: string): MemoryText {
  const marked = whole.startsWith(BYTE_ORDER_MARK) ? whole.slice(1) : whole;
  const { header, body } = split(marked);
  const paths = pathsIn(header);
  return {
    text: withoutComments(body).trim(),
    isConditional: paths.some((path) => path !== "**"),
    imports: importsIn(body),
  };
}

/** Front matter ends with the first `---` after its first line, wherever that stands. */
function split(text: string): { header: string; body: string } {
  const blank = /^---(\s*)/.exec(text)?.[1];
  if (blank?.includes("\n") !== true) return { header: "", body: text };
  const start = 3 + blank.lastIndexOf("\n") + 1;
  const end = text.indexOf("---", start);
  return end < 0 ? { header: "", body: text } : { header: text.slice(start, end), body: text.slice(end + 3) };
}

/** `paths`, one value, several with commas, or a list; an ending `/**` adds nothing to a directory. */
function pathsIn(header: string): string[] {
  const lines = header.split("\n").map((line) => line.trimEnd());
  const at = lines.findIndex((line) => /^paths\s*:/.test(line));
  if (at < 0) return [];
  const inline = (lines[at] as string).replace(/^paths\s*:/, "").trim();
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\s*-\s/.test(line) && line.trim() !== "");
  const items = inline === "" ? rest.slice(0, end < 0 ? rest.length : end) : inline.replace(/^\[|\]$/g, "").split(",");
  return items
    .map((item) =>
      item
        .replace(/^\s*-\s/, "")
        .trim()
        .replace(/^"(.*)"$|^'(.*)'$/, "$1$2")
        .replace(/\/\*\*$/, ""),
    )
    .filter((item) => item !== "");
}

/**
 * Takes out comments that begin a line and stand in no other block, with the empty lines after them. Without any the
 * text stays as it is; with one its line ends become those of Unix.
 */
function withoutComments(body: string): string {
  if (!body.includes("<!--")) return body;
  const lines = body.replaceAll("\r\n", "\n").split("\n");
  const kept: string[] = [];
  let fence: string | undefined;
  let isInHtml = false;
  let hasEnds = true;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (line.trim() === "") isInHtml = false;
    else if (/^<\/?[a-z]/i.test(line)) isInHtml = true;
    else if (hasEnds && line.startsWith("<!--") && !isInHtml) {
      const end = lineWithEnd(lines, at);
      hasEnds = end !== undefined;
      if (end !== undefined) {
        const left = withoutSpans(lines.slice(at, end + 1).join("\n"), "<!--", "-->", "").trimStart();
        if (left !== "") kept.push(left);
        at = end;
        if (left === "") at = lastBlank(lines, at);
        continue;
      }
    }
    kept.push(line);
  }
  return kept.join("\n");
}

function lineWithEnd(lines: readonly string[], from: number): number | undefined {
  for (let at = from; at < lines.length; at++) if (lines[at]?.includes("-->")) return at;
  return undefined;
}

/** The last of the empty lines that follow one, or that line. */
function lastBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (lines[at + 1]?.trim() === "") at++;
  return at;
}
