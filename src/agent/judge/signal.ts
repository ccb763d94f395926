import { withoutEnd } from "../../lib/text.ts";

/**
 * Whether a message gives a signal: the keyword is on a line of its own, or at the end of a line after a finished
 * sentence. It may be emphasised and end with a full stop. A mention within a sentence is no signal.
 */
export function givesSignal(message: string, keyword: string): boolean {
  return message.split(/\r\n|\r|\n/).some((line) => endsWithSignal(line.trim(), keyword));
}

const EMPHASIS = "*_~`";
/** Not a question mark: a question is no signal. */
const CLOSING = ".!…。！ ";
/** Ends of sentences that are not followed by a space. */
const WIDE_ENDS = "。！？";
const ENDS = `.!?…${WIDE_ENDS}`;
const QUOTES = "\"')]”’»」』";
/** More than anyone writes around a word. */
const MAX_MARKS = 8;

function endsWithSignal(line: string, keyword: string): boolean {
  for (let marks = 0; marks <= MAX_MARKS; marks++) {
    const end = line.length - marks;
    const start = end - keyword.length;
    if (start < 0) return false;
    if (line.startsWith(keyword, start) && mayPrecede(line.slice(0, start))) return true;
    if (!`${EMPHASIS}${CLOSING}`.includes(line.charAt(end - 1))) return false;
  }
  return false;
}

function mayPrecede(head: string): boolean {
  const text = withoutEnd(head, EMPHASIS);
  if (text === "") return true;
  if (WIDE_ENDS.includes(text.charAt(text.length - 1))) return true;
  const sentence = text.trimEnd();
  return sentence.length < text.length && isFinished(withoutEnd(sentence, `${EMPHASIS}${QUOTES}`));
}

/** `e.g.` and the number of a list item end with a full stop too. */
function isFinished(sentence: string): boolean {
  const mark = sentence.charAt(sentence.length - 1);
  if (mark === "" || !ENDS.includes(mark)) return false;
  if (mark !== ".") return true;
  const text = sentence.slice(0, -1);
  const word = text.slice(text.lastIndexOf(" ") + 1);
  const isNumber = text === word && word !== "" && !Number.isNaN(Number(word));
  return !isNumber && (word.length < 3 || word.split(".").some((part) => part.length > 1));
}
