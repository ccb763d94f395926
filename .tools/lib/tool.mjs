import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A failure explained by its message: it is shown without a stack trace. */
export class ToolError extends Error {}

/** Runs the body of a tool and makes its result (a number, or nothing for 0) the exit code. */
export async function runTool(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    // `parseArgs` reports a mistyped option with such a code, so its message is for the user as well.
    const explained = error instanceof ToolError || error?.code?.startsWith?.("ERR_PARSE_ARGS");
    note(explained ? error.message : error.stack);
    process.exitCode = 1;
  }
}

/** One line for the person watching, on stderr: stdout belongs to the program that is being started. */
export function note(text) {
  console.error(`codelia: ${text}`);
}

/** The top directory of this checkout. */
export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
