import { randomFrom } from "../../reliability/lib/random.ts";

/** A way to make an input of any length out of very few parts. */
export interface Shape {
  /** As it is told: `a×n b`. */
  readonly name: string;
  /** One part and nothing else. These are few enough to try at full length, where nesting may get too deep. */
  readonly isSimple: boolean;
  /** About as long as asked, rather shorter. */
  make(length: number): string;
}

/** What stands around a shape, so that a reader gets as far as to what is repeated. */
export type Frame = readonly [before: string, after: string];

/** Stands in a part for a number, another one each time that the part is repeated. */
export const NUMBER = "№";

/** Parts that mean something to at least one reader. */
const COMMON = [
  " ", "\t", "\n", "\r\n", "a", "Z", "0", ".", ",", ";", ":", "!", "?", "/", "\\", "'", '"', "`", "(", ")", "[", "]", "{", "}", "<", ">", "#",
  "$", "%", "&", "*", "+", "-", "=", "@", "^", "_", "|", "~", "\u00A0", "\u200B", "\uFEFF", "\u2028", "é", "日", "\u{1F600}", "--", "<!--",
  "-->", "/*", "*/", "//", "${", "$(", "**/", "../", `k${NUMBER}`, `${NUMBER} `,
]; // prettier-ignore

/** Everything that one or two of a reader's own parts can be repeated to, in each frame. */
export function* ownShapes(parts: readonly string[], frames: readonly Frame[]): Generator<Shape> {
  for (const frame of frames) yield* pairs(parts, parts, frame, OWN_KINDS);
}

/** What is nested, then the same with parts that others read, then of any three parts, by chance and without end. */
export function* moreShapes(
  parts: readonly string[],
  words: readonly string[],
  frames: readonly Frame[],
  seed: number,
): Generator<Shape> {
  for (const frame of frames) yield* pairs(parts, parts, frame, [NESTING]);
  const all = [...new Set([...parts, ...words, ...COMMON])];
  for (const frame of frames) yield* pairs(parts, all, frame, [...OWN_KINDS, NESTING]);
  const random = randomFrom(seed);
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  for (;;) yield triple(any(all), any(all), any(all), Math.floor(random() * 7), any(frames));
}

/** How two parts are put together: see `pair`. */
const [BEHIND, BEFORE, BETWEEN, TURNS, NESTING] = [0, 1, 2, 3, 4];
const OWN_KINDS = [BEHIND, BEFORE, BETWEEN, TURNS];

/** Each part alone first, then with another part before it, behind it, on both sides, and alternating. */
function* pairs(
  units: readonly string[],
  others: readonly string[],
  frame: Frame,
  kinds: readonly number[],
): Generator<Shape> {
  if (kinds.includes(BEHIND)) for (const unit of units) yield { ...shape(frame, ["", unit, ""]), isSimple: true };
  for (const kind of kinds) {
    for (const unit of units) {
      for (const other of others) {
        // Alternating parts are the same the other way round, except at the ends.
        if (other !== unit && (kind !== TURNS || unit < other)) yield pair(unit, other, kind, frame);
      }
    }
  }
}

function pair(unit: string, other: string, kind: number, frame: Frame): Shape {
  switch (kind) {
    case BEHIND:
      return shape(frame, [other, unit, ""]);
    case BEFORE:
      return shape(frame, ["", unit, other]);
    case BETWEEN:
      return shape(frame, [other, unit, other]);
    case TURNS:
      return shape(frame, ["", unit + other, ""]);
    default:
      return shape(frame, ["", unit, ""], ["", other, ""]);
  }
}

function triple(a: string, b: string, c: string, kind: number, frame: Frame): Shape {
  switch (kind) {
    case 0:
      return shape(frame, [a, b, c]);
    case 1:
      return shape(frame, [a, b + c, ""]);
    case 2:
      return shape(frame, ["", a + b, c]);
    case 3:
      return shape(frame, ["", a + b + c, ""]);
    case 4:
      return shape(frame, ["", a, b], ["", c, ""]);
    case 5:
      return shape(frame, [a, b, ""], ["", c, ""]);
    default:
      return shape(frame, ["", a, ""], ["", b, ""], ["", c, ""]);
  }
}

/** Each run is a text, a unit that is repeated, and a text. */
type Run = readonly [before: string, unit: string, after: string];

function shape([before, after]: Frame, ...runs: readonly Run[]): Shape {
  const written = runs.map(([head, unit, tail]) => [head, `${JSON.stringify(unit)}×n`, tail].filter(Boolean).join(" "));
  return {
    name: [before, ...written, after].filter(Boolean).join(" "),
    isSimple: false,
    make(length) {
      const fixed = runs.reduce((sum, [head, , tail]) => sum + head.length + tail.length, before.length + after.length);
      const room = Math.max(0, length - fixed) / runs.length;
      return before + runs.map((run) => repeated(run, room)).join("") + after;
    },
  };
}

function repeated([head, unit, tail]: Run, room: number): string {
  if (!unit.includes(NUMBER)) return head + unit.repeat(Math.max(1, Math.floor(room / unit.length))) + tail;
  let middle = "";
  for (let number = 0; middle.length + unit.length <= room || number === 0; number++) {
    middle += unit.replaceAll(NUMBER, String(number));
  }
  return head + middle + tail;
}
