import type { HeaderFacts } from "./header-facts.ts";
import { isSkillName, MAX_DESCRIPTION } from "./judge-header.ts";

/** What a plain text may not hold anywhere, or not everywhere: then a slower reader looks closer. */
const UNSURE =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[:#[{\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/;
/** The longest word that YAML takes for something else than text is `false`. */
const MAX_SPECIAL_WORD = 5;
const NONE: HeaderFacts["defects"] = [];

/**
 * What the usual header says: `name` and `description` and nothing that needs a second look. Undefined for any other.
 * Thousands are read in a row; a property test holds it to the slower reader.
 */
export function readQuickFacts(text: string): HeaderFacts | undefined {
  if (!text.startsWith("---\n")) return undefined;
  const end = text.indexOf("\n---\n", 3);
  let name: string | undefined;
  let description: string | undefined;
  let nameLine = 1;
  let line = 2;
  for (let at = 4; at < end; line++) {
    const lineEnd = text.indexOf("\n", at);
    if (text.startsWith("name: ", at) && name === undefined) {
      name = text.slice(at + 6, lineEnd);
      nameLine = line;
    } else if (text.startsWith("description: ", at) && description === undefined) {
      description = text.slice(at + 13, lineEnd);
    } else return undefined;
    at = lineEnd + 1;
  }
  const isSure = name !== undefined && description !== undefined && isSureText(name) && isSureText(description);
  if (!isSure || !isSkillName(name as string) || (description as string).length > MAX_DESCRIPTION) return undefined;
  return { name, nameLine, description, defects: NONE };
}

function isSureText(value: string): boolean {
  return (
    value.length > MAX_SPECIAL_WORD && isLetter(value.charCodeAt(0)) && !value.endsWith(" ") && !UNSURE.test(value)
  );
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}
