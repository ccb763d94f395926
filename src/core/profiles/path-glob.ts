import { withSlashes } from "../paths.ts";

const MAX_ALTERNATIVES = 64;

/**
 * Whether a path is one that a pattern means: `*`, `?`, `[a-z]` and `{a,b}` within a name, `**` for any names, `!` before it
 * all for the opposite; undefined for one that says what we can't read. Its cost grows with the lengths only, whoever
 * wrote the pattern.
 */
export function matchesPath(pattern: string, path: string): boolean | undefined {
  if (pattern.startsWith("!")) {
    const means = matchesPath(pattern.slice(1), path);
    return means === undefined ? undefined : !means;
  }
  // Groups and ranges.
  if (/[()]|\{[^{},]*\.\.[^{},]*\}/.test(pattern)) return undefined;
  const names = withSlashes(path).split("/");
  // The client takes a backslash for what it is on Windows.
  return alternatives(pattern.replaceAll("\\", "/"))?.some((one) => matchesNames(one.split("/"), names));
}

/** `a{b,c}d` as `abd` and `acd`; undefined where they are too many. */
function alternatives(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && done.length + open.length <= MAX_ALTERNATIVES) {
    const next = open.shift() as string;
    const braces = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (braces === null) done.push(next);
    else {
      const [whole, inner = ""] = braces;
      const after = next.slice(braces.index + whole.length);
      open.push(...inner.split(",").map((choice) => next.slice(0, braces.index) + choice + after));
    }
  }
  return open.length > 0 ? undefined : done;
}

/** From the end to the start: whether the rest of the pattern means the rest of the path. */
function matchesNames(patterns: readonly string[], names: readonly string[]): boolean {
  let after = names.map(() => false).concat(true);
  for (const pattern of patterns.toReversed()) {
    const here = names.map(() => false).concat(false);
    for (let at = names.length; at >= 0; at--) {
      if (pattern === "**") here[at] = after[at] === true || here[at + 1] === true;
      else here[at] = at < names.length && after[at + 1] === true && matchesName(pattern, names[at] as string);
    }
    after = here;
  }
  return after[0] === true;
}

/** With one place to come back to: the last star. */
function matchesName(pattern: string, name: string): boolean {
  let [at, in_, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    const step = stepOf(pattern, in_);
    if (pattern[in_] === "*") [star, resume, in_] = [in_, at, in_ + 1];
    else if (step !== undefined && step.fits(name[at] as string)) [in_, at] = [step.end, at + 1];
    else if (star >= 0) [in_, resume, at] = [star + 1, resume + 1, resume + 1];
    else return false;
  }
  while (pattern[in_] === "*") in_++;
  return in_ === pattern.length;
}

interface Step {
  readonly end: number;
  readonly fits: (unit: string) => boolean;
}

function stepOf(pattern: string, at: number): Step | undefined {
  const unit = pattern[at];
  if (unit === undefined) return undefined;
  if (unit === "?") return { end: at + 1, fits: () => true };
  const close = unit === "[" ? pattern.indexOf("]", at + 2) : -1;
  if (close < 0) return { end: at + 1, fits: (other) => other === unit };
  const isNegated = /[!^]/.test(pattern[at + 1] as string);
  const set = pattern.slice(isNegated ? at + 2 : at + 1, close);
  return { end: close + 1, fits: (other) => isInSet(set, other) !== isNegated };
}

function isInSet(set: string, unit: string): boolean {
  for (let at = 0; at < set.length; at++) {
    const [low = "", dash, high] = set.slice(at, at + 3);
    if (dash === "-" && high !== undefined) {
      if (low <= unit && unit <= high) return true;
      at += 2;
    } else if (low === unit) return true;
  }
  return false;
}
