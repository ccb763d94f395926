import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type Node } from "acorn";
import { REPOSITORY } from "../../support/run-codelia.ts";

export interface Expression {
  /** From `src/`. */
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

export interface FoundExpressions {
  /** Those that are written as literals. */
  readonly written: readonly Expression[];
  /** How many each file puts together as it runs. */
  readonly built: ReadonlyMap<string, number>;
}

const SOURCES = join(REPOSITORY, "src");

/** All regular expressions of the program. */
export function findExpressions(): FoundExpressions {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const written: Expression[] = [];
  const built = new Map<string, number>();
  for (const file of (readdirSync(SOURCES, { recursive: true }) as string[]).toSorted()) {
    if (!file.endsWith(".ts")) continue;
    const source = transpiler.transformSync(readFileSync(join(SOURCES, file), "utf8"));
    for (const node of nodesIn(parse(source, { ecmaVersion: "latest", sourceType: "module" }))) {
      const regex = node["regex"] as { readonly pattern: string; readonly flags: string } | undefined;
      if (regex !== undefined) written.push({ file, source: regex.pattern, flags: regex.flags });
      const isCall = node.type === "NewExpression" || node.type === "CallExpression";
      if (isCall && (node["callee"] as AnyNode)["name"] === "RegExp") built.set(file, (built.get(file) ?? 0) + 1);
    }
  }
  return { written, built };
}

type AnyNode = Node & Readonly<Record<string, unknown>>;

function* nodesIn(node: Node): Generator<AnyNode> {
  yield node as AnyNode;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
