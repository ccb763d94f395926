import { removeFromFlow } from "./flow.ts";
import type { Located, LocatedList, LocatedTable } from "./located.ts";
import { JSON_NOTATION } from "./notations.ts";
import { splice, type Splice } from "./splice.ts";
import { commaAfter, insertPart, partsOf, type Part } from "./json-insert.ts";

type Container = LocatedTable | LocatedList;

/** Finds a container in another text than the one it is known of. */
export type Find = (text: string) => Located | undefined;

/**
 * The text from which `insertPart` made this one: its last part is the one that was put in. Undefined where there is
 * none, because someone has written in it since.
 */
export function takeBack(text: string, container: Container, part: Part, find: Find): string | undefined {
  const before = withoutLast(container);
  for (const candidate of candidates(text, container)) {
    // What stands before the last part stands there in each candidate; reading it takes longer than this.
    if (insertPart(candidate, before, part) !== text) continue;
    const found = find(candidate);
    if (found === undefined || found.kind !== container.kind) continue;
    if (insertPart(candidate, found, part) === text) return candidate;
  }
  return undefined;
}

function withoutLast(container: Container): Container {
  return container.kind === "list"
    ? { ...container, items: container.items.slice(0, -1) }
    : { ...container, entries: container.entries.slice(0, -1) };
}

/** The text without one part, its comma and the line that it has to itself; comments stay. */
export function removePart(text: string, container: Container, index: number): string | undefined {
  const first = Math.max(0, index - 1);
  const items = partsOf(container)
    .slice(first, index + 1)
    .map(({ start, end }): Located => ({ kind: "value", start, end }));
  return removeFromFlow(text, { ...container, kind: "list", items }, index - first, JSON_NOTATION);
}

function* candidates(text: string, container: Container): Generator<string> {
  const parts = partsOf(container);
  const last = parts.at(-1);
  const previous = parts.at(-2);
  if (last === undefined) return;
  if (previous === undefined) {
    yield without(text, [container.start + 1, last.end + 1]);
    return;
  }
  for (const start of beginnings(text, last.start)) {
    if (text[last.end] === ",") yield without(text, [start, last.end + 1]);
    const comma = commaAfter(text, previous.end);
    if (comma === undefined) continue;
    if (comma >= start) yield without(text, [Math.min(comma, start), last.end]);
    else yield without(text, [comma, comma + 1], [start, last.end]);
  }
}

/** Where what was put in may begin: at the end of the line before, at a space, at itself. */
function beginnings(text: string, start: number): number[] {
  const line = /\r?\n[ \t]*$/.exec(text.slice(0, start))?.index;
  return [...(line === undefined ? [] : [line]), start - 1, start];
}

function without(text: string, ...spans: readonly (readonly [number, number])[]): string {
  return splice(
    text,
    spans.map(([start, end]): Splice => ({ start, end, text: "" })),
  );
}
