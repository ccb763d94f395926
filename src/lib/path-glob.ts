import { withSlashes } from "./paths.ts";

/** No path is longer. */
const MAX_PATTERN = 4096;
/** What braces may make of a pattern: how many others, and how many characters in all. */
const MAX_ALTERNATIVES = 64;
const MAX_EXPANDED = 8192;

/**
 * Whether a path is one that a pattern means: `*`, `?`, `[a-z]` and `{a,b}` within a name, `**` for any names, `!` before it
 * all for the opposite. Undefined for a pattern that is not understood or too long. The cost grows with the lengths only,
 * whoever wrote the pattern.
 */
export function matchesPath(pattern: string, path: string): boolean | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  let start = 0;
  while (pattern[start] === "!") start++;
  // The client takes a backslash for what it is on Windows.
  const plain = pattern.slice(start).replaceAll("\\", "/");
  if (plain.includes("(") || plain.includes(")") || groupsIn(plain).some(isRange)) return undefined;
  const names = withSlashes(path).split("/");
  const means = alternatives(plain)?.some((one) => matchesNames(one.split("/"), names));
  return means === undefined || start % 2 === 0 ? means : !means;
}

/** Between braces, with no other brace inside. */
interface Group {
  readonly start: number;
  readonly end: number;
  readonly inner: string;
}

function groupsIn(pattern: string): Group[] {
  const groups: Group[] = [];
  let start = -1;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "{") start = at;
    else if (pattern[at] === "}" && start >= 0) {
      groups.push({ start, end: at + 1, inner: pattern.slice(start + 1, at) });
      start = -1;
    }
  }
  return groups;
}

/** `{1..3}` */
function isRange({ inner }: Group): boolean {
  return inner.includes("..") && !inner.includes(",");
}

/** `a{b,c}d` as `abd` and `acd`; undefined where they are too many. */
function alternatives(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  let room = MAX_EXPANDED;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = groupsIn(next).find(({ inner }) => inner.includes(","));
    if (group === undefined) {
      done.push(next);
      continue;
    }
    const { start, end, inner } = group;
    const choices = inner.split(",");
    room -= choices.length * (next.length - inner.length);
    if (room < 0 || done.length + open.length + choices.length > MAX_ALTERNATIVES) return undefined;
    for (const choice of choices) open.push(next.slice(0, start) + choice + next.slice(end));
  }
  return done;
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
    if (!here.includes(true)) return false;
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
