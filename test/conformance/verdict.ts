import type { Cell, Sighting } from "./record.ts";
import type { Tree, Watch } from "./tree.ts";

// What a cell of the table says: the same words for the same behaviour, so that two records can be compared.

/** Whether the client does what the convention or the specification says; undefined where they say nothing of it. */
export function agrees(tree: Tree, cell: Cell): boolean | undefined {
  const asked = tree.watch.filter(({ expect }) => expect !== undefined);
  if (asked.length === 0 || cell.cannot !== undefined) return undefined;
  return asked.every((watch) => (sightingOf(watch, cell).given === "text") === watch.expect);
}

export function cellText(tree: Tree, cell: Cell): string {
  if (cell.cannot !== undefined) return cell.cannot;
  if (cell.counts !== undefined) return countText(cell.counts);
  const verdict = agrees(tree, cell);
  const notes = tree.watch.flatMap((watch) => noteOn(watch, sightingOf(watch, cell)));
  if (verdict === undefined) return notes.length === 0 ? "none" : notes.join(", ");
  return [verdict ? "✓" : "✗", ...(notes.length === 0 ? [] : [notes.join(", ")])].join(" ");
}

/** Of a text that was expected only its absence is worth a word, and of another its presence. */
function noteOn({ label, expect }: Watch, { given, times = 1 }: Sighting): string[] {
  if (given === "path") return [`${label} by its path`];
  if (given === "name") return [`${label} by name only`];
  if (given === "no") return expect === true ? [`not ${label}`] : [];
  const more = times > 1 ? ` (${times} times)` : "";
  if (expect === true) return more === "" ? [] : [`${label}${more}`];
  return [`${expect === false ? "also " : ""}${label}${more}`];
}

function countText(counts: NonNullable<Cell["counts"]>): string {
  if ("named" in counts) return `${counts.named} by name, ${counts.whole} whole`;
  const { bytes, fromStart } = counts;
  return bytes === fromStart
    ? `${inThousands(bytes)} bytes`
    : `${inThousands(bytes)} bytes, ${inThousands(fromStart)} from the start`;
}

export function inThousands(number: number): string {
  return number.toLocaleString("en-US");
}

function sightingOf({ label }: Watch, { sightings }: Cell): Sighting {
  return sightings.find((sighting) => sighting.label === label) ?? { label, given: "no" };
}
