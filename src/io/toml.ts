import { parseTOML } from "confbox/toml";
import type { DataRead } from "./yaml.ts";

/**
 * Reads TOML as plain data.
 *
 * @input  text: its size capped by the caller
 * @output the data, or what is wrong and in which line
 * @effect none
 * @error  none
 */
export function parseToml(text: string): DataRead {
  // Its parser makes a prototype of such a key; no setting has a value that needs the word.
  const line = text.split("\n").findIndex((candidate) => candidate.includes("__proto__"));
  if (line >= 0) return { kind: "error", message: "the key '__proto__' is not allowed", line: line + 1 };
  try {
    return { kind: "data", data: parseTOML(text) };
  } catch (error) {
    const failure = error as { message: string; line?: number };
    return { kind: "error", message: failure.message.split("\n")[0] ?? failure.message, line: failure.line ?? 1 };
  }
}
