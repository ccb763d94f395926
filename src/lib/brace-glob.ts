import { MANY, matchesPath as matchesSegments, segmentOf, type PathPattern, type Token } from "./glob.ts";

/** No path is longer than this. */
const MAX_PATTERN = 4096;
/** The most patterns that braces may expand to, and their total length. */
const MAX_ALTERNATIVES = 64;
const MAX_EXPANDED = 8192;

/**
 * Whether a client's pattern matches a path with slashes: `*`, `?`, `[a-z]` and `{a,b}` within a name, `**` for any names, `!` at
 * the start to negate. Undefined for a pattern that is too long or uses unknown syntax. The time is bounded by the
 * lengths, whatever the pattern.
 */
export function matchesPath(pattern: string, path: string): boolean | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  let start = 0;
  while (pattern[start] === "!") start++;
  // The client reads a backslash as a separator.
  const plain = pattern.slice(start).replaceAll("\\", "/");
  if (plain.includes("(") || plain.includes(")") || groupsIn(plain).some(isRange)) return undefined;
  const names = path.split("/");
  const means = alternatives(plain)?.some((one) => matchesNames(segmentsOf(one), names));
  return means === undefined || start % 2 === 0 ? means : !means;
}

/** A pair of braces without another brace inside. */
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

/** `a{b,c}d` becomes `abd` and `acd`; undefined if there are too many. */
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

/** Unlike in git's patterns, `**` at the end also matches no name. */
function matchesNames(pattern: PathPattern, names: readonly string[]): boolean {
  if (matchesSegments(pattern, names)) return true;
  return pattern.at(-1) === MANY && matchesNames(pattern.slice(0, -1), names);
}

/** Unlike git, a backslash escapes nothing, and an unclosed bracket is literal. */
function segmentsOf(pattern: string): PathPattern {
  return pattern.split("/").map((name) => (name === "**" ? MANY : segmentOf(tokensOf(name))));
}

function tokensOf(name: string): Token[] {
  const tokens: Token[] = [];
  const lastClose = name.lastIndexOf("]");
  for (let at = 0; at < name.length; at++) {
    const character = name[at] as string;
    const close = character === "[" && at + 2 <= lastClose ? name.indexOf("]", at + 2) : -1;
    if (character === "*") tokens.push({ kind: "star" });
    else if (character === "?") tokens.push({ kind: "any" });
    else if (close < 0) tokens.push({ kind: "character", character });
    else {
      const isNegated = /[!^]/.test(name[at + 1] as string);
      const set = name.slice(isNegated ? at + 2 : at + 1, close);
      tokens.push({ kind: "class", isNegated, holds: (code) => isInSet(set, String.fromCharCode(code)) });
      at = close;
    }
  }
  return tokens;
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
