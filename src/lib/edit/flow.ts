import {
  endOfLine,
  indentationBefore,
  indentationOf,
  insertion,
  isFirstInLine,
  lineBreakOf,
  partsOf,
  removal,
  splice,
  startOfLine,
  startOfNextLine,
  type Container,
  type LocatedList,
  type Notation,
  type Span,
  type Splice,
} from "./located.ts";

/** Adds a part at the end of a list or table between brackets, in the style of the part before it. */
export function insertInFlow(text: string, container: Container, piece: string, notation: Notation): string {
  const last = partsOf(container).at(-1);
  return splice(
    text,
    last === undefined ? fill(text, container, piece) : insertAfter(text, last, container.end - 1, piece, notation),
  );
}

/** Removes an item and its comma from a list between brackets. Comments stay, including the item's own. */
export function removeFromFlow(text: string, list: LocatedList, index: number, notation: Notation): string | undefined {
  const item = list.items[index];
  if (item === undefined) return undefined;
  const after = notation.skipBlank(text, item.end);
  if (text[after] === ",") {
    const isNext = text.slice(item.end, after).trim() === "";
    const own = isNext
      ? [wholeLineOf(text, item.start, after + 1)]
      : [removal(item), removal({ start: after, end: after + 1 })];
    return splice(text, own);
  }
  const previous = list.items[index - 1];
  if (previous === undefined) return splice(text, [wholeLineOf(text, item.start, item.end)]);
  const comma = notation.skipBlank(text, previous.end);
  const isNear = text.slice(comma + 1, item.start).trim() === "" && !text.slice(comma, item.start).includes("\n");
  if (isNear) return splice(text, [removal({ start: comma, end: item.end })]);
  return splice(text, [removal({ start: comma, end: comma + 1 }), wholeLineOf(text, item.start, item.end)]);
}

function fill(text: string, { kind, start, end }: Container, piece: string): Splice[] {
  const close = end - 1;
  const line = startOfLine(text, close);
  if (line > start && isFirstInLine(text, close)) {
    const indentation = indentationBefore(text, close) + indentationOf(text);
    return [insertion(line, indentation + piece + lineBreakOf(text))];
  }
  const inside = text.slice(start + 1, close);
  const space = kind === "table" ? " " : "";
  if (inside.trim() === "") return [{ start: start + 1, end: close, text: space + piece + space }];
  return [insertion(close, `${/\s$/.test(inside) ? "" : " "}${piece} `)];
}

function insertAfter(text: string, last: Span, close: number, piece: string, notation: Notation): Splice[] {
  const next = notation.skipBlank(text, last.end);
  const hasComma = text[next] === ",";
  const line = endOfLine(text, hasComma ? next : last.end);
  if (!isFirstInLine(text, last.start) || line >= close) return [insertion(last.end, `, ${piece}`)];
  const indentation = indentationBefore(text, last.start);
  const added = insertion(line, `${lineBreakOf(text)}${indentation}${piece}${hasComma ? "," : ""}`);
  return hasComma ? [added] : [insertion(last.end, ","), added];
}

/** A part, with its line if nothing else is on it, or with the space after it. */
function wholeLineOf(text: string, start: number, end: number): Splice {
  if (isFirstInLine(text, start) && text.slice(end, endOfLine(text, end)).trim() === "") {
    return removal({ start: startOfLine(text, start), end: startOfNextLine(text, end) });
  }
  let to = end;
  while (text[to] === " " || text[to] === "\t") to++;
  return removal({ start, end: to });
}
