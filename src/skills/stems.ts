const VOWEL = /[aeiouy]/;
const DIGIT = /[0-9]/;
/** Shorter words have no ending to remove. */
const MIN_WORD = 4;
const MIN_STEM = 3;

/**
 * The beginning of a word that its English inflections share: `release`, `releases`, `released` and `releasing` have
 * `releas`. Only endings are removed, so a word always begins with its stem, and only those that keep its meaning, so
 * `organ` and `organization` stay distinct. Words of other languages lose no more.
 *
 * @param word folded
 */
export function stemOf(word: string): string {
  if (word.length < MIN_WORD || DIGIT.test(word)) return word;
  let stem = withoutPlural(word);
  for (const ending of ["ing", "ed"]) {
    const rest = stem.slice(0, -ending.length);
    if (!stem.endsWith(ending) || rest.length < MIN_STEM || !VOWEL.test(rest)) continue;
    stem = isDoubled(rest) ? rest.slice(0, -1) : rest;
    break;
  }
  // `policy` and `policies`, `cache` and `caching`
  return stem.length > MIN_WORD && /[eiy]$/.test(stem) ? stem.slice(0, -1) : stem;
}

function withoutPlural(word: string): string {
  if (word.endsWith("ies") && word.length > MIN_WORD) return word.slice(0, -2);
  if (word.endsWith("sses")) return word.slice(0, -2);
  return word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

/** `planning`; but `fill`, `miss` and `buzz` are doubled themselves. */
function isDoubled(stem: string): boolean {
  const last = stem.at(-1);
  return stem.length > MIN_STEM && last === stem.at(-2) && last !== "l" && last !== "s" && last !== "z";
}
