import type { HeaderFacts } from "./header-facts.ts";

/**
 * The usual header: a name, a description, and nothing that needs a second look. What plain text may not hold
 * anywhere, or not everywhere, is for a slower reader, and so are words that YAML may take for something else than text:
 * the longest of those is `false`, and numbers begin with no letter. One expression: each costs time.
 */
const USUAL =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /^---\nname: ([a-z][a-z0-9-]{4,62}[a-z0-9])\ndescription: ([A-Za-z][^:#[{\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]{4,1022}[^:#[{\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF\s])\n---\n/;
const NONE: HeaderFacts["defects"] = [];

/** What the usual header says; undefined for any other. Thousands are read in a row; a property test holds it to the slower reader. */
export function readQuickFacts(text: string): HeaderFacts | undefined {
  const parts = USUAL.exec(text);
  if (parts === null) return undefined;
  const name = parts[1] as string;
  // Everything else about a name is in the expression.
  if (name.includes("--")) return undefined;
  return { name, nameLine: 2, description: parts[2] as string, defects: NONE };
}
