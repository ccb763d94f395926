import { sep } from "node:path";
import { readMemory } from "../../instructions/memory-text.ts";
import { isIgnored, readIgnoreRules } from "../../lib/ignore.ts";
import { isInside, ladder } from "../../lib/paths.ts";

/** The patterns in the front matter of a rule or a skill; none if it is for any file. */
export function pathsOf(text: string): readonly string[] {
  return readMemory(text).paths;
}

/** The most patterns of one rule, and the longest one. */
const MAX_PATTERNS = 256;
const MAX_PATTERN = 1024;

/**
 * Whether the `paths` of a rule match a file: they are read as the lines of a `.gitignore` that matches either letter
 * case, after braces have been expanded.
 *
 * @param base the directory that they are relative to
 */
export function matchesRule(paths: readonly string[], base: string, file: string): boolean {
  if (!isInside(base, file) || file === base) return false;
  const lines = paths.flatMap(expanded).slice(0, MAX_PATTERNS);
  const rules = readIgnoreRules("", lines.join("\n").toLowerCase(), undefined);
  const way = file.slice(base.length + (base.endsWith(sep) ? 0 : 1)).toLowerCase();
  const steps = ladder(sep, sep + way).slice(1);
  return steps.some((step, index) => {
    const at = step.lastIndexOf(sep);
    return isIgnored(rules, step.slice(0, at), step.slice(at + 1), index < steps.length - 1);
  });
}

/** `a{b,c}d` becomes `abd` and `acd`; a brace ends with the next closing one. */
function expanded(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined && done.length < MAX_PATTERNS; next = open.pop()) {
    const start = next.indexOf("{");
    const end = start < 0 ? -1 : next.indexOf("}", start);
    if (end < 0 || next.length > MAX_PATTERN) {
      done.push(next);
      continue;
    }
    for (const choice of next.slice(start + 1, end).split(",")) {
      if (open.length < MAX_PATTERNS) open.push(next.slice(0, start) + choice.trim() + next.slice(end + 1));
    }
  }
  return done;
}
