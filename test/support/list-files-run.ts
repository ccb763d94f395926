import { readFileSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { parse, type Node } from "acorn";
import { plugin } from "bun";

// For `bun --preload`: when the program ends, prints to descriptor 2 the files of src/ in which a function was run.

const SOURCE = join(import.meta.dirname, "../../src");
const transpiler = new Bun.Transpiler({ loader: "ts" });
const ran = new Set<string>();
Object.assign(globalThis, { $ran: ran });

plugin({
  name: "list files run",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: noteFunctions(transpiler.transformSync(readFileSync(path, "utf8")), relative(SOURCE, path)),
      loader: "js",
    }));
  },
});

process.on("exit", () => writeSync(2, `${[...ran].toSorted().join("\n")}\n`));

/** Puts a note at the beginning of every function. */
function noteFunctions(source: string, path: string): string {
  const note = `globalThis.$ran.add(${JSON.stringify(path)})`;
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: Node): void => {
    if (/Function/.test(node.type)) {
      const { body } = node as Node & { body: Node };
      if (body.type === "BlockStatement") insertions.push({ at: body.start + 1, text: `${note};` });
      else insertions.push({ at: body.start, text: `(${note},` }, { at: body.end, text: ")" });
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (child?.type !== undefined) visit(child);
    }
  };
  visit(parse(source, { ecmaVersion: "latest", sourceType: "module" }));
  let text = source;
  for (const { at, text: added } of insertions.toSorted((left, right) => right.at - left.at)) {
    text = text.slice(0, at) + added + text.slice(at);
  }
  return text;
}
