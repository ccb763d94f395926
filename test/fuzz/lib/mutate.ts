/** Numbers between 0 and 1. */
export type Random = () => number;

export interface Material {
  /** What was worth keeping. */
  readonly pool: readonly string[];
  readonly words: readonly string[];
  readonly maxLength: number;
}

/** Each has its own way to be taken for something else. */
const ODD = [
  "\0", "\t", "\n", "\r", "\r\n", " ", "\u001B", "\u001F", "\u007F", "\u0085", "\u00A0", "\u00FF", "\u200B", "\u2028", "\u202E", "\uD800",
  "\uDC00", "\uFEFF", "\uFFFE", "\uFFFF", "é", "e\u0301", "日本", "\u{1F600}", "\u{E0041}", "'", '"', "`", "\\", "/", "<", ">", "&", "$", "{", "}",
  "[", "]", "(", ")", ":", ";", ",", "#", "*", "-", "0", "-1", "1e999", "9007199254740993", "__proto__", "constructor", "null", "true",
]; // prettier-ignore

/** An input made of one that was worth keeping: some steps away from it. */
export function mutate(material: Material, random: Random): string {
  const { pool, maxLength } = material;
  let text = pickRecent(pool, random);
  for (let steps = 1 + Math.floor(random() * random() * 8); steps > 0; steps--) {
    text = change(text, material, random).slice(0, maxLength);
  }
  return text;
}

/** A text with one of its parts again and again, about as long as asked; undefined where there is no part. */
export function pump(text: string, length: number, random: Random): string | undefined {
  const [from, to] = part(text, random);
  if (from === to) return undefined;
  const times = Math.max(2, Math.floor((length - text.length) / (to - from)));
  return text.slice(0, to) + text.slice(from, to).repeat(times) + text.slice(to);
}

function change(text: string, { pool, words }: Material, random: Random): string {
  const [from, to] = part(text, random);
  const [head, piece, tail] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  switch (Math.floor(random() * 9)) {
    case 0:
      return head + tail;
    case 1:
      return head + piece + piece + tail;
    case 2:
      return head + wordOf(words, random) + tail;
    case 3:
      return head + wordOf(words, random) + piece + tail;
    case 4:
      return head + any(ODD, random) + tail;
    case 5: {
      const other = any(pool, random);
      const [otherFrom, otherTo] = part(other, random);
      return head + other.slice(otherFrom, otherTo) + tail;
    }
    case 6:
      return head + piece.repeat(2 + Math.floor(random() * random() * 40)) + tail;
    case 7: {
      const [at] = part(tail, random);
      return head + tail.slice(0, at) + piece + tail.slice(at);
    }
    default:
      return `${head}${String.fromCharCode(Math.floor(random() * 128))}${piece}${tail}`;
  }
}

/** From one place to another behind it; half of them where a word, a line or a text in quotes begins and ends. */
function part(text: string, random: Random): [from: number, to: number] {
  const from = Math.floor(random() * (text.length + 1));
  if (random() < 0.5) {
    const pattern = /\w+|"[^"\n]{0,200}"|[^\n]*\n|\s+|[^]/y;
    pattern.lastIndex = from;
    return [from, from + (pattern.exec(text)?.[0].length ?? 0)];
  }
  const span = Math.floor(random() * random() * Math.min(text.length - from + 1, 64));
  return [from, from + span];
}

function wordOf(words: readonly string[], random: Random): string {
  return words.length === 0 ? any(ODD, random) : any(words, random);
}

/** The young ones more often: what they reached is least known. */
function pickRecent(pool: readonly string[], random: Random): string {
  const share = random() < 0.5 ? random() : 1 - random() ** 3;
  return pool[Math.min(pool.length - 1, Math.floor(share * pool.length))] ?? "";
}

function any(items: readonly string[], random: Random): string {
  return items[Math.floor(random() * items.length)] ?? "";
}
