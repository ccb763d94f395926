import { parse, type TomlTableWithoutBigInt, type TomlValueWithoutBigInt } from "smol-toml";
import type { DataRead } from "./yaml.ts";

const MAX_DEPTH = 64;
const TOO_DEEP = "nested too deeply";

/**
 * Reads TOML as plain data: tables, lists, scalars. A date becomes its text.
 *
 * @input  text: its size limited by the caller
 * @output the data, or what is wrong and in which line
 */
export function parseToml(text: string): DataRead {
  let table: TomlTableWithoutBigInt;
  try {
    table = parse(text, { maxDepth: MAX_DEPTH, unsafeKeyBehaviour: "throw" });
  } catch (error) {
    const { message, line = 1 } = error as { message: string; line?: number };
    return { kind: "error", message: reasonIn(message), line };
  }
  // The parser doesn't count the levels that dotted keys open: `a.a.a = 1` nests three times.
  return isDeeper(table, MAX_DEPTH)
    ? { kind: "error", message: TOO_DEEP, line: 1 }
    : { kind: "data", data: toData(table) };
}

/**
 * The line of a key, or of the table around it. The parser has no positions, so this looks at the beginnings of lines: a
 * key within an inline table is found at the line of the table.
 *
 * @param keys of a text that can be parsed
 */
export function lineOfTomlKey(text: string, keys: readonly string[]): number {
  const wanted = plainKey(keys.join("."));
  let table = "";
  let [found, length] = [1, 0];
  for (const [index, line] of text.split("\n").entries()) {
    const isHeader = line.trimStart().startsWith("[");
    const name = plainKey(line.slice(0, Math.max(0, line.indexOf(isHeader ? "]" : "="))));
    if (isHeader) table = `${name}.`;
    const key = isHeader ? name : table + name;
    const isAround = wanted === key || wanted.startsWith(`${key}.`);
    if (name === "" || !isAround || key.length <= length) continue;
    [found, length] = [index + 1, key.length];
  }
  return found;
}

function plainKey(written: string): string {
  return written.replaceAll(/["'[\s]/g, "");
}

function reasonIn(message: string): string {
  if (message.includes("excessively nested")) return TOO_DEEP;
  if (message.includes("unsafe property")) return "the keys '__proto__' and 'constructor' are not allowed";
  return message.split("\n")[0] ?? message;
}

function isDeeper(value: TomlValueWithoutBigInt, levels: number): boolean {
  if (typeof value !== "object" || value instanceof Date) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** The parser's tables have no prototype. */
function toData(value: TomlValueWithoutBigInt): unknown {
  if (typeof value !== "object") return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toData);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toData(item)]));
}
