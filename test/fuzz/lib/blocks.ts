import { parse, type Node } from "acorn";

/** Source code that counts, in `globalThis.$blocks`, how often each of its blocks is entered. */
export interface CountedSource {
  readonly text: string;
  /** How many counters it uses. */
  readonly blocks: number;
  /** The texts that it compares with or prints: what an input must hold to get further. */
  readonly words: readonly string[];
}

type Insertion = readonly [at: number, text: string];
type AnyNode = Node & Record<string, unknown>;

/**
 * Puts a counter into every function, branch, case and right side of a logical operator. Nothing is printed anew: counters
 * are put between what stands there.
 *
 * @param source a module in JavaScript
 * @param first the number of its first counter
 */
export function countBlocks(source: string, first: number): CountedSource {
  const opened: Insertion[] = [];
  const closed: Insertion[] = [];
  const words = new Set<string>();
  let blocks = 0;
  const count = () => `$blocks[${first + blocks++}]++`;

  function wrap(node: AnyNode, before: string, after: string): () => void {
    opened.push([node.start, before]);
    return () => closed.push([node.end, after]);
  }

  /** What stands where a statement may be one, or a block. */
  function enter(node: AnyNode): () => void {
    if (node.type !== "BlockStatement") return wrap(node, `{${count()};`, "}");
    opened.push([node.start + 1, `${count()};`]);
    return () => {};
  }

  const choose = (node: AnyNode) => wrap(node, `(${count()},`, ")");

  function visit(node: AnyNode, parent: AnyNode | undefined, key: string): void {
    const leave = begin(node, parent, key);
    if (node.type === "Literal" && typeof node["value"] === "string" && parent?.type !== "ImportDeclaration") {
      words.add(node["value"]);
    }
    for (const [name, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, name);
    }
    leave();
  }

  function begin(node: AnyNode, parent: AnyNode | undefined, key: string): () => void {
    switch (parent?.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
        return key === "body" ? enter(node) : () => {};
      case "ArrowFunctionExpression":
        if (key !== "body") return () => {};
        return node.type === "BlockStatement" ? enter(node) : choose(node);
      case "IfStatement":
        return key === "test" ? () => {} : enter(node);
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
      case "CatchClause":
        return key === "body" ? enter(node) : () => {};
      case "ConditionalExpression":
        return key === "test" ? () => {} : choose(node);
      case "LogicalExpression":
        return key === "right" ? choose(node) : () => {};
      case "SwitchCase":
        if (key === "consequent" && (parent["consequent"] as Node[])[0] === node)
          opened.push([node.start, `${count()};`]);
        return () => {};
      default:
        return () => {};
    }
  }

  visit(parse(source, { ecmaVersion: "latest", sourceType: "module" }) as Node as AnyNode, undefined, "");
  return { text: insert(source, opened, closed), blocks, words: [...words] };
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Of those at one place what closes comes first; outer ones open before inner ones, and close after them. */
function insert(source: string, opened: readonly Insertion[], closed: readonly Insertion[]): string {
  const all = [...closed, ...opened].toSorted(([left], [right]) => left - right);
  const pieces = ["const $blocks = globalThis.$blocks;"];
  let at = 0;
  for (const [place, text] of all) {
    pieces.push(source.slice(at, place), text);
    at = place;
  }
  return [...pieces, source.slice(at)].join("");
}
