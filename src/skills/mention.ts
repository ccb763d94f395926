import { fold } from "./tokens.ts";

/** The name that `release-notes`, `$release-notes` or `Release-Notes` means. */
export function mentionedName(text: string): string {
  return fold(text).replace(/^\$/, "");
}

const MENTION = /\$([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)/g;
/** What stands beside a mention makes it something else. */
const NOT_BEFORE = /[\w$\\]/;
const NOT_BEHIND = /[\w-]/;
const MAX_MENTIONS = 8;
const MAX_PROMPT = 256 * 1024;

/** The names that a text mentions as `$name`, each once; a shell's variables look the same, and name no skill. */
export function mentionsIn(text: string): string[] {
  const names = new Set<string>();
  const prompt = text.slice(0, MAX_PROMPT);
  for (const { 0: whole, 1: name = "", index } of prompt.matchAll(MENTION)) {
    if (NOT_BEFORE.test(prompt[index - 1] ?? "") || NOT_BEHIND.test(prompt[index + whole.length] ?? "")) continue;
    names.add(mentionedName(name));
    if (names.size === MAX_MENTIONS) break;
  }
  return [...names];
}
