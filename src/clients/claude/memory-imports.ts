import { withoutSpans } from "./without-spans.ts";

/** By extension; a name without one is read too. */
const TEXTS = new Set(
  (
    "md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts py pyi pyw rb erb rake go rs java kt kts " +
    "scala c cpp cc cxx h hpp hxx cs swift sh bash zsh fish ps1 bat cmd env ini cfg conf config properties sql graphql gql proto vue svelte " +
    "astro ejs hbs pug jade php pl pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile gradle " +
    "sbt rst adoc asciidoc org tex latex lock log diff patch"
  ).split(" "),
);

/** `@name` at the beginning of a word, of what is emphasized, or of a link's words. */
const MENTION = /(?:^|[\s])(\*{1,3}|_{1,3}|\[)?@((?:[^\s\\]|\\ )[^\s\\]*(?:\\ [^\s\\]*)*)/g;
const CLOSERS: Readonly<Record<string, string>> = { "[": "]" };

/** What a Markdown file of Claude Code's imports with `@`, as written there: not in code, not in a comment. */
export function importsIn(text: string): string[] {
  if (!text.includes("@")) return [];
  return [...withoutCode(text).matchAll(MENTION)]
    .map(([, opener = "", path = ""]) => {
      const closer = path.indexOf(CLOSERS[opener] ?? opener);
      return opener === "" || closer < 0 ? path : path.slice(0, closer);
    })
    .map((path) =>
      path
        .split("#", 1)
        .join("")
        .replaceAll(String.raw`\ `, " "),
    )
    .filter(isPath);
}

function isPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot > 0 && !TEXTS.has(name.slice(dot + 1).toLowerCase())) return false;
  return /^(?:\.\/|~\/|\/(?!$)|[\w.-])/.test(path);
}

/** Blank in the place of fenced and indented blocks, code spans and comments. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = true;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isIndented: boolean = isAfterBlank && /^(?: {4}|\t)/.test(line);
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (!isIndented) kept.push(line);
    // What ends a block of its own can't be gone on with by an indented line.
    isAfterBlank = line.trim() === "" || isIndented || mark !== undefined || line.trimEnd().endsWith("-->");
  }
  return withoutSpans(kept.join("\n"), "<!--", "-->", " ")
    .split(/\n[^\S\n]*\n/)
    .map(withoutCodeSpans)
    .join("\n\n");
}

/** A run of backticks ends with the next of its length. */
function withoutCodeSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const next = new Map<number, number>();
  const ends = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at] as { length: number };
    ends[at] = next.get(length) ?? -1;
    next.set(length, at);
  }
  let kept = "";
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const end = ends[at] as number;
    if (end < 0) continue;
    kept += `${paragraph.slice(from, runs[at]?.index)}x`;
    from = (runs[end]?.index ?? 0) + (runs[end]?.length ?? 0);
    at = end;
  }
  return kept + paragraph.slice(from);
}
