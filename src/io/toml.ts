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
  try {
    return { kind: "data", data: parseTOML(text) };
  } catch (error) {
    const { message, line } = error as { message: string; line?: number };
    return { kind: "error", message: message.split("\n")[0] ?? message, line: line ?? 1 };
  }
}
