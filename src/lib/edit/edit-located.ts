import { appendKeys, insertItem, insertKeys, removeItem } from "./block.ts";
import { insertInFlow, removeFromFlow } from "./flow.ts";
import type { Located, LocatedEntry, Notation } from "./located.ts";
import type { Step } from "./plan.ts";

/**
 * The text after one step, all else in it as it was. Undefined where it is written in a way that this does not know;
 * the caller reads the result again, and believes it only if it says what it should.
 */
export function editLocated(
  text: string,
  root: Located | undefined,
  step: Step,
  notation: Notation,
): string | undefined {
  return step.kind === "insert"
    ? insert(text, root, step.path, notation.value(step.value), notation)
    : remove(text, root, step.path, step.index, notation);
}

function insert(
  text: string,
  root: Located | undefined,
  path: readonly string[],
  piece: string,
  notation: Notation,
): string | undefined {
  if (root === undefined) return appendKeys(text, path.map(notation.key), piece);
  let current = root;
  let depth = 0;
  for (; depth < path.length; depth++) {
    const entry = entryOf(current, path[depth]);
    if (entry === undefined) break;
    current = entry.value;
  }
  const missing = path.slice(depth).map(notation.key);
  if (current.kind === "value") return undefined;
  if (current.kind === "list") {
    if (missing.length > 0) return undefined;
    return current.isFlow ? insertInFlow(text, current, piece, notation) : insertItem(text, current, piece);
  }
  const [key, ...rest] = missing;
  if (key === undefined) return undefined;
  if (!current.isFlow) return insertKeys(text, current, missing, piece);
  const nested = rest.reduceRight((inner, name) => `{ ${name}: ${inner} }`, `[${piece}]`);
  return insertInFlow(text, current, `${key}: ${nested}`, notation);
}

function remove(
  text: string,
  root: Located | undefined,
  path: readonly string[],
  index: number,
  notation: Notation,
): string | undefined {
  let entry: LocatedEntry | undefined;
  for (const key of path) entry = entryOf(entry === undefined ? root : entry.value, key);
  if (entry?.value.kind !== "list") return undefined;
  return entry.value.isFlow ? removeFromFlow(text, entry.value, index, notation) : removeItem(text, entry, index);
}

function entryOf(located: Located | undefined, key: string | undefined): LocatedEntry | undefined {
  return located?.kind === "table" ? located.entries.find((entry) => entry.key === key) : undefined;
}
