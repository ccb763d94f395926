import { linesOfKeys, MAX_HEADER_BYTES, readPlainHeader, splitHeader } from "./frontmatter.ts";
import type { HeaderFacts } from "./header-facts.ts";
import { judgeHeader } from "./judge-header.ts";
import { readLooseHeader } from "./loose-header.ts";

/** `yaml`: a header that is not plain, and needs a parser that takes longer to load than a command may take. */
export type FactsRead =
  | { readonly kind: "facts"; readonly facts: HeaderFacts }
  | { readonly kind: "yaml"; readonly header: string };

export type ParsedYaml =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly message: string; readonly line: number };

const DEFECTS = {
  "not-utf-8": "it is not UTF-8; save it as UTF-8",
  "old-lines": "its lines end in CR alone; save it with lines that end in LF",
  missing: "it does not begin with a header; put its name and description between two lines '---' at its top",
  unterminated: "its header has no end; close it with a line '---'",
  "too-large": `its header is larger than ${MAX_HEADER_BYTES} bytes; shorten it`,
} as const;

/** How to repair what YAML says no to, by how its sentence begins; for most of them it is quotes that are missing. */
const YAML_REMEDIES: readonly (readonly [reason: string, remedy: string])[] = [
  ["Map keys must be unique", "keep one of the lines with this key"],
  ["Tabs are not allowed", "indent with spaces"],
  ["Missing closing", "close the quotes, or leave them out"],
  ["nested too deeply", "use fewer brackets, or put the text in quotes"],
  ["a key must be a string", "put the key in quotes"],
  ["the key '__proto__'", "rename it"],
];
const QUOTES_REMEDY = "a text with ': ' or ' #' in it, or a mark at its beginning, needs quotes";

/** What the beginning of a SKILL.md says; `readQuickFacts` says the same of the usual one. */
export function readFacts(text: string, isWhole: boolean): FactsRead {
  const split = splitHeader(text, isWhole);
  if (split.kind !== "header") {
    const defect = { line: 1, message: DEFECTS[encodingDefect(text) ?? split.kind], rule: "skill-header" } as const;
    return {
      kind: "facts",
      facts: { name: undefined, nameLine: 1, description: undefined, defects: [defect] },
    };
  }
  const { header } = split;
  const plain = readPlainHeader(header);
  if (plain === undefined) return { kind: "yaml", header };
  return { kind: "facts", facts: judgeHeader(plain, linesOfKeys(header)) };
}

/** The same for a header that the YAML parser has read, or refused. */
export function factsOfYaml(header: string, parsed: ParsedYaml): HeaderFacts {
  const lineOf = linesOfKeys(header);
  if (parsed.kind === "data") return judgeHeader(parsed.data, lineOf);
  const reason = parsed.message.split("\n")[0] ?? "";
  const remedy = YAML_REMEDIES.find(([beginning]) => reason.startsWith(beginning))?.[1] ?? QUOTES_REMEDY;
  // The header's first line is the file's second.
  const defect = { line: parsed.line + 1, message: `${reason}; ${remedy}`, rule: "skill-header" } as const;
  // Whatever else is wrong with it shows once YAML can read it.
  return { ...judgeHeader(readLooseHeader(header), lineOf), defects: [defect] };
}

/** Why a text that has a header for its author may have none for a reader. */
function encodingDefect(text: string): "not-utf-8" | "old-lines" | undefined {
  // UTF-16 as UTF-8: every other byte of its marks is zero.
  if (/^\uFFFD{0,2}\0?-\0-\0-/.test(text)) return "not-utf-8";
  return /^\uFEFF?---[ \t]*\r(?:[^\n]|$)/.test(text) ? "old-lines" : undefined;
}
