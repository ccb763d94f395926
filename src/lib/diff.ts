import { visible } from "./escape.ts";

/** A diff for a person: what can't be seen in a file's lines is shown. */
export function renderDiff(diff: string): string {
  return diff
    .split("\n")
    .map((line) => line.replace(/\r$/, "").split("\t").map(visible).join("\t"))
    .join("\n");
}
