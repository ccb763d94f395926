import { withSlashes } from "./paths.ts";

const MAX_PATTERNS = 64;
const MAX_LENGTH = 1024;

/**
 * Whether a glob means an absolute path, in the usual language: `**`, `*`, `?`, `[a-z]`, `{a,b}`; letter case counts.
 * The work is bounded, whoever wrote it. Undefined for one that says what we can't read.
 */
export function matchesGlob(glob: string, path: string): boolean | undefined {
  if (glob.length > MAX_LENGTH || /[()\\]|^!/.test(glob)) return undefined;
  const patterns = expandBraces(glob);
  if (patterns === undefined) return undefined;
  const names = withSlashes(path).split("/");
  return patterns.some((pattern) => matchesNames(pattern.split("/"), names));
}

/** `a{b,c{d,e}}` as `ab`, `acd`, `ace`; undefined where they are too many, or do not close. */
function expandBraces(glob: string): string[] | undefined {
  const done: string[] = [];
  const open = [glob];
  for (let pattern = open.pop(); pattern !== undefined; pattern = open.pop()) {
    if (done.length + open.length > MAX_PATTERNS) return undefined;
    const inner = /\{([^{}]*)\}/.exec(pattern);
    if (inner === null) {
      if (pattern.includes("{")) return undefined;
      done.push(pattern);
      continue;
    }
    const [whole, list = ""] = inner;
    // `{1..3}` is a range, and `{a}` is itself.
    if (!list.includes(",")) return undefined;
    for (const choice of list.split(",")) {
      open.push(pattern.slice(0, inner.index) + choice + pattern.slice(inner.index + whole.length));
    }
  }
  return done;
}

/** Each name once against each part, whatever the stars. */
function matchesNames(parts: readonly string[], names: readonly string[]): boolean {
  // Whether the parts so far mean the first `index` names.
  let reached = names.map((_, index) => index === 0).concat(false);
  for (const part of parts) {
    const next = reached.map(() => false);
    let isAnywhere = false;
    for (const [index, isReached] of reached.entries()) {
      if (part === "**") {
        isAnywhere ||= isReached;
        next[index] = isAnywhere;
      } else if (isReached && index < names.length) {
        next[index + 1] = matchesName(part, names[index] as string);
      }
    }
    reached = next;
  }
  return reached[names.length] === true;
}

/** The same, letter by letter. */
function matchesName(pattern: string, name: string): boolean {
  let reached = new Set([0]);
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    const next = new Set<number>();
    if (char === "*") {
      for (let index = Math.min(...reached, name.length + 1); index <= name.length; index++) next.add(index);
    } else {
      const close = char === "[" ? pattern.indexOf("]", at + 2) : -1;
      for (const index of reached) {
        if (index >= name.length) continue;
        const letter = name[index] as string;
        const fits = close === -1 ? char === "?" || char === letter : isInClass(pattern.slice(at + 1, close), letter);
        if (fits) next.add(index + 1);
      }
      if (close !== -1) at = close;
    }
    reached = next;
  }
  return reached.has(name.length);
}

function isInClass(letters: string, letter: string): boolean {
  const isNegated = letters.startsWith("!") || letters.startsWith("^");
  const members = isNegated ? letters.slice(1) : letters;
  let isMember = false;
  for (let at = 0; at < members.length; at++) {
    const from = members[at] as string;
    if (members[at + 1] === "-" && at + 2 < members.length) {
      isMember ||= from <= letter && letter <= (members[at + 2] as string);
      at += 2;
    } else isMember ||= from === letter;
  }
  return isMember !== isNegated;
}
