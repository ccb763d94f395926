/** The pattern for one name of a path, between two slashes. */
export interface Segment {
  /** The name, if the pattern has no special characters. */
  readonly plain: string | undefined;
  readonly tokens: readonly Token[];
}

export type Token =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly isNegated: boolean; readonly holds: (code: number) => boolean };

/** A segment that matches any number of names, including none. */
export const MANY = "many";
export type PathPattern = readonly (Segment | typeof MANY)[];

/** The POSIX classes, for ASCII, as git reads them. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // eslint-disable-next-line no-control-regex -- they are what the name means
  cntrl: /[\0-\x1F\x7F]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Parses a pattern with slashes; undefined if it matches nothing, because a bracket or an escape is incomplete. */
export function parsePath(pattern: string): PathPattern | undefined {
  const segments: (Segment | typeof MANY)[] = [];
  for (let at = 0; at <= pattern.length;) {
    const read = readSegment(pattern, at);
    if (read === undefined) return undefined;
    const isMany = /^\*{2,}$/.test(pattern.slice(at, read.end));
    segments.push(isMany ? MANY : segmentOf(read.tokens));
    at = read.end + 1;
  }
  return segments;
}

/** Backtracks to the last star only, so the time is bounded by the product of the lengths. */
export function matchesName({ plain, tokens }: Segment, name: string): boolean {
  if (plain !== undefined) return plain === name;
  let at = 0;
  let token = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const wanted = tokens[token];
    if (wanted?.kind === "star") {
      star = token++;
      resume = at;
    } else if (wanted !== undefined && fits(wanted, name, at)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++resume;
    } else return false;
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

/** The same for whole paths, where `**` matches names as a star matches characters. At the end it needs a name. */
export function matchesPath(pattern: PathPattern, names: readonly string[]): boolean {
  let at = 0;
  let segment = 0;
  let many = -1;
  let resume = 0;
  while (at < names.length) {
    const wanted = pattern[segment];
    if (wanted === MANY) {
      if (segment === pattern.length - 1) return true;
      many = segment++;
      resume = at;
    } else if (wanted !== undefined && matchesName(wanted, names[at] as string)) {
      segment++;
      at++;
    } else if (many >= 0) {
      segment = many + 1;
      at = ++resume;
    } else return false;
  }
  return segment === pattern.length;
}

export function segmentOf(tokens: readonly Token[]): Segment {
  const isPlain = tokens.every(({ kind }) => kind === "character");
  return {
    plain: isPlain ? tokens.map((token) => "character" in token && token.character).join("") : undefined,
    tokens,
  };
}

function fits(token: Token, name: string, at: number): boolean {
  switch (token.kind) {
    case "character":
      return token.character === name[at];
    case "class":
      return token.holds(name.charCodeAt(at)) !== token.isNegated;
    case "any":
      return true;
    case "star":
      return false;
  }
}

function readSegment(pattern: string, start: number): { tokens: Token[]; end: number } | undefined {
  const tokens: Token[] = [];
  let at = start;
  while (at < pattern.length && pattern[at] !== "/") {
    const character = pattern[at] as string;
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
      at++;
    } else if (character === "?") {
      tokens.push({ kind: "any" });
      at++;
    } else if (character === "[") {
      const read = readClass(pattern, at + 1);
      if (read === undefined) return undefined;
      tokens.push(read.token);
      at = read.end;
    } else {
      if (character === "\\") at++;
      // A slash ends the segment, escaped or not.
      if (pattern[at] === "/") break;
      if (at === pattern.length) return undefined;
      tokens.push({ kind: "character", character: pattern[at] as string });
      at++;
    }
  }
  return { tokens, end: at };
}

function readClass(pattern: string, start: number): { token: Token; end: number } | undefined {
  const isNegated = pattern[start] === "!" || pattern[start] === "^";
  const tests: ((code: number) => boolean)[] = [];
  let at = isNegated ? start + 1 : start;
  let previous: number | undefined;
  for (let isFirst = true; isFirst || pattern[at] !== "]"; isFirst = false) {
    if (at >= pattern.length) return undefined;
    const named = pattern[at] === "[" && pattern[at + 1] === ":" ? readNamed(pattern, at + 2) : undefined;
    if (named === "unknown") return undefined;
    if (named !== undefined) {
      tests.push(named.holds);
      previous = undefined;
      at = named.end;
      continue;
    }
    const isRange = previous !== undefined && pattern[at] === "-" && at + 1 < pattern.length && pattern[at + 1] !== "]";
    const read = readMember(pattern, isRange ? at + 1 : at);
    if (read === undefined) return undefined;
    const [low, high] = [isRange ? (previous as number) : read.code, read.code];
    tests.push((code) => code >= low && code <= high);
    previous = isRange ? undefined : read.code;
    at = read.end;
  }
  return { token: { kind: "class", isNegated, holds: (code) => tests.some((test) => test(code)) }, end: at + 1 };
}

function readMember(pattern: string, start: number): { code: number; end: number } | undefined {
  const at = pattern[start] === "\\" ? start + 1 : start;
  return at < pattern.length ? { code: pattern.charCodeAt(at), end: at + 1 } : undefined;
}

/** Reads `alpha:]`; undefined if there is no class name, so that the bracket is literal. */
function readNamed(
  pattern: string,
  start: number,
): { holds: (code: number) => boolean; end: number } | "unknown" | undefined {
  const close = pattern.indexOf("]", start);
  if (close < 0) return "unknown";
  if (pattern[close - 1] !== ":" || close - 1 < start) return undefined;
  const name = pattern.slice(start, close - 1);
  const known = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (known === undefined) return "unknown";
  return { holds: (code) => known.test(String.fromCharCode(code)), end: close + 1 };
}
