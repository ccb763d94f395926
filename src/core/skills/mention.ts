import { fold } from "./tokens.ts";

/** The name that `release-notes`, `$release-notes` or `Release-Notes` means. */
export function mentionedName(text: string): string {
  return fold(text).replace(/^\$/, "");
}

const MENTION = /(?<![\w$\\])\$([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)(?![\w-])/g;
const MAX_MENTIONS = 8;
const MAX_PROMPT = 256 * 1024;

/** The names that a text mentions as `$name`, each once; a shell's variables look the same, and name no skill. */
export function mentionsIn(text: string): string[] {
  const names = new Set<string>();
  for (const [, name = ""] of text.slice(0, MAX_PROMPT).matchAll(MENTION)) {
    names.add(mentionedName(name));
    if (names.size === MAX_MENTIONS) break;
  }
  return [...names];
}
