import { withoutEnd } from "../../lib/without-end.ts";

/**
 * The field `base_branch` in the text of an issue: under a heading of that name, as an issue form leaves it, or after
 * the name and a colon. Undefined where it is not there, or was left empty.
 */
export function baseBranchIn(body: string): string | undefined {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    const heading = headingIn(line);
    if (heading !== undefined && isBaseBranch(heading)) {
      const value = lines.slice(index + 1).find((next) => next !== "");
      return value === undefined || value.startsWith("#") ? undefined : cleaned(value);
    }
    const colon = line.indexOf(":");
    if (colon > 0 && isBaseBranch(line.slice(0, colon))) return cleaned(line.slice(colon + 1));
  }
  return undefined;
}

/** Without the marks at both ends. */
function headingIn(line: string): string | undefined {
  const mark = /^#{1,6}(?=\s)/.exec(line)?.[0];
  return mark === undefined ? undefined : withoutEnd(line.slice(mark.length), "#").trim();
}

function isBaseBranch(name: string): boolean {
  return name.replaceAll(/[*`]/g, "").trim().toLowerCase().replaceAll(/[\s-]/g, "_") === "base_branch";
}

/** Without the marks of Markdown around it, and without what a form writes where nothing was said. */
function cleaned(value: string): string | undefined {
  const text = value
    .replace(/^[*\s]+/, "")
    .replaceAll("`", "")
    .trim();
  return text === "" || text === "_No response_" ? undefined : text;
}
