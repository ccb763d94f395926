/** What Rust calls white space, where JavaScript has U+FEFF in the place of U+0085. */
const BLANK = /^\p{White_Space}*$/u;
const ENDS = /^\p{White_Space}+|\p{White_Space}+$/gu;

export function isBlankInRust(text: string): boolean {
  return BLANK.test(text);
}

export function trimAsRust(text: string): string {
  return text.replaceAll(ENDS, "");
}
