/** What the parser's names for a mistake mean, and the way out. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: "here stands what is no JSON; put a text in double quotes",
  InvalidNumberFormat: "the number is none; write it like -1.5 or 1e3",
  PropertyNameExpected: "a key is missing; write it in double quotes",
  ValueExpected: "a value is missing; write one, or take the comma or colon before it away",
  ColonExpected: "a colon is missing; put one between the key and its value",
  CommaExpected: "a comma is missing; put one before what stands here",
  CloseBraceExpected: "a table is not ended; put a '}' here",
  CloseBracketExpected: "a list is not ended; put a ']' here",
  EndOfFileExpected: "something stands after the end; take it away",
  UnexpectedEndOfComment: "a comment is not ended; put '*/' at its end",
  UnexpectedEndOfString: "a text is not ended; put a double quote at its end",
  UnexpectedEndOfNumber: "the number is not ended; write it like -1.5 or 1e3",
  InvalidUnicode: "an escape is none; write four hexadecimal digits after '\\u'",
  InvalidEscapeCharacter: "an escape is none; write a backslash as '\\\\'",
  InvalidCharacter: "a control character stands in a text; write it as an escape, like '\\n'",
};

/** Why a text is no JSON, as a sentence. */
export function parseReason(text: string, said: string): string {
  if (text.trim() === "") return "there is nothing in it; write a table with 'name', 'entryStep' and 'steps'";
  return Object.hasOwn(REASONS, said) ? (REASONS[said] ?? said) : said;
}
