import { fold } from "./tokens.ts";

/** The name that `release-notes`, `$release-notes` or `Release-Notes` means. */
export function mentionedName(text: string): string {
  return fold(text).replace(/^\$/, "");
}
