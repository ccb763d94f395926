import type { Capacity } from "./delivery.ts";

/** A text that may be divided over several outputs, with a size that depends on their free space. */
export interface Divided {
  /** A text for each free space, some of them empty; undefined if there is not enough space. */
  pieces(rooms: readonly number[], measure: Capacity["measure"]): readonly string[] | undefined;
}

interface Draft {
  readonly before: string;
  readonly after: string;
  readonly size: number;
}

/** Between the parts of an output. */
const SEAMS = 2;

/**
 * Puts the best text after the files: into the last output with room for it, into outputs of its own, or into any free
 * space.
 */
export function placeAfter<D extends Draft>(
  drafts: readonly D[],
  texts: Iterable<string | Divided>,
  { count, max, measure }: Capacity,
  empty: () => D,
): D[] | undefined {
  for (const text of texts) {
    const all = [...drafts];
    while (all.length < count) all.push(empty());
    const rooms = all.map(({ size }) => max - size - (size === 0 ? 0 : SEAMS));
    const pieces =
      typeof text === "string"
        ? whole(text, drafts.length, rooms, measure)
        : divide(text, drafts.length, rooms, measure);
    if (pieces === undefined) continue;
    const placed = all.map((draft, index) => {
      const after = pieces[index] ?? "";
      return after === "" ? draft : Object.assign({}, draft, { after, size: draft.size + measure(after) });
    });
    return placed.slice(0, Math.max(drafts.length, placed.findLastIndex(({ after }) => after !== "") + 1));
  }
  return undefined;
}

function divide(
  text: Divided,
  used: number,
  rooms: readonly number[],
  measure: Capacity["measure"],
): readonly string[] | undefined {
  for (let index = used - 1; index >= 0; index--) {
    const [piece] = text.pieces([rooms[index] ?? 0], measure) ?? [];
    if (piece !== undefined) return rooms.map((_, at) => (at === index ? piece : ""));
  }
  for (const from of [used, 0]) {
    const pieces = text.pieces(rooms.slice(from), measure);
    if (pieces !== undefined) return [...rooms.slice(0, from).map(() => ""), ...pieces];
  }
  return undefined;
}

function whole(
  text: string,
  used: number,
  rooms: readonly number[],
  measure: Capacity["measure"],
): readonly string[] | undefined {
  const size = measure(text);
  if (size === 0) return [];
  const last = rooms.slice(0, used).findLastIndex((room) => size <= room);
  const index = last >= 0 ? last : size <= (rooms[used] ?? 0) ? used : -1;
  return index < 0 ? undefined : rooms.map((_, at) => (at === index ? text : ""));
}
