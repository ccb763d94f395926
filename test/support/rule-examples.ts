import type { Entry } from "./temp-tree.ts";

/** The files of one example: a table for `tempTree`. */
export type Example = Readonly<Record<string, Entry>>;

interface RulePage {
  readonly title: string;
  /** The first paragraph. */
  readonly summary: string;
  readonly bad: Example;
  readonly good: Example;
}

const FENCE = /^```text ((?:path|link)="[^"]+".*)\n([^]*?)^```$/gm;
const RANGE = /\{(\d+)\.\.(\d+)\}/;

/**
 * A page of docs/rules. The fenced blocks below `## Bad` and `## Good` are files: `path="…"` is the path of each,
 * `link="…"` makes it a link, and
 *
 *     path="a/{1..3}.md"     makes three of them
 *     last-line=20000        repeats the last line this often
 *     bytes=40000            repeats the last line until the text has this size
 *     escapes                replaces `\u{202e}` by the character
 *
 * @error if a part is missing
 */
export function parseRulePage(markdown: string): RulePage {
  const [, title, summary, rest = ""] = /^# (.+)\n\n(.+)\n([^]*)$/.exec(markdown) ?? [];
  const [, bad, good] = /^## Bad\n([^]*)^## Good\n([^]*)$/m.exec(rest) ?? [];
  if (title === undefined || summary === undefined || bad === undefined || good === undefined) {
    throw new Error("a page must have a title, a paragraph, '## Bad' and '## Good'");
  }
  return { title, summary, bad: exampleOf(bad), good: exampleOf(good) };
}

function exampleOf(section: string): Example {
  const files = [...section.matchAll(FENCE)].flatMap(([, info = "", body = ""]) => entriesOf(info, body));
  if (files.length === 0) throw new Error("an example must have a file");
  return Object.fromEntries(files);
}

function entriesOf(info: string, body: string): [path: string, entry: Entry][] {
  const [, kind, path = "", attributes = ""] = /^(path|link)="([^"]+)"(.*)$/.exec(info) ?? [];
  if (kind === "link") return [[path, { link: body.trim() }]];
  const text = textOf(body, attributes);
  const [range = "", first = 0, last = 0] = RANGE.exec(path) ?? [];
  if (range === "") return [[path, text]];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => [path.replace(range, String(Number(first) + index)), text]);
}

function textOf(body: string, attributes: string): string {
  const times = Number(/ last-line=(\d+)/.exec(attributes)?.[1] ?? 1);
  const lastLine = /[^\n]*\n$/.exec(body)?.[0] ?? "";
  const bytes = Number(/ bytes=(\d+)/.exec(attributes)?.[1] ?? 0);
  const repeated = body + lastLine.repeat(bytes === 0 ? times - 1 : Math.ceil(bytes / lastLine.length));
  if (bytes > 0) return repeated.slice(0, bytes);
  if (!/ escapes\b/.test(attributes)) return repeated;
  return repeated.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}
