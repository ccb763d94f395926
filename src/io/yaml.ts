import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";

export type DataRead =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly message: string; readonly line: number };

const MAX_FLOW_DEPTH = 16;
const MAX_INDICATORS_A_LINE = 16;

/**
 * Reads one YAML document as plain data: tables with string keys, lists, scalars.
 *
 * The parser takes seconds over a few hundred nested flow collections, and its own conversion to plain values
 * over nested collection keys; so depth is judged before it is called, and the conversion is ours.
 *
 * @input  text: its size capped by the caller
 * @output the data, or what is wrong and in which line
 * @effect none
 * @error  none
 */
export function parseYaml(text: string): DataRead {
  const tooDeep = findExcessiveDepth(text);
  if (tooDeep !== undefined) return { kind: "error", message: "nested too deeply", line: tooDeep };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: false, prettyErrors: false });
  const first = document.errors[0];
  if (first !== undefined) {
    return { kind: "error", message: first.message, line: lines.linePos(first.pos[0]).line };
  }
  try {
    return { kind: "data", data: toData(document.contents as Node | null) };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { kind: "error", message: error.message, line: lines.linePos(error.offset).line };
  }
}

class Unsupported extends Error {
  readonly offset: number;
  constructor(message: string, node: Node) {
    super(message);
    this.offset = node.range?.[0] ?? 0;
  }
}

function toData(node: Node | null): unknown {
  if (node === null) return null;
  if (isAlias(node)) throw new Unsupported("aliases are not supported", node);
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map((item) => toData(item as Node | null));
  if (!isMap(node)) throw new Unsupported("only tables, lists and plain values are supported", node);
  const entries = node.items.map((pair): [string, unknown] => {
    const key = pair.key as Node;
    if (!isScalar(key) || typeof key.value !== "string") throw new Unsupported("a key must be a string", key ?? node);
    if (key.value === "__proto__") throw new Unsupported("the key '__proto__' is not allowed", key);
    return [key.value, toData(pair.value as Node | null)];
  });
  return Object.fromEntries(entries);
}

/** The line in which nesting gets deeper than any real file's, quotes and comments not considered. */
function findExcessiveDepth(text: string): number | undefined {
  let line = 1;
  let depth = 0;
  let indicators = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text[index];
    if (unit === "\n") {
      line++;
      indicators = 0;
    } else if (unit === "{" || unit === "[") depth++;
    else if (unit === "}" || unit === "]") depth = Math.max(0, depth - 1);
    else if ((unit === "-" || unit === "?") && /[ \t]/.test(text[index + 1] ?? "")) indicators++;
    if (depth > MAX_FLOW_DEPTH || indicators > MAX_INDICATORS_A_LINE) return line;
  }
  return undefined;
}
