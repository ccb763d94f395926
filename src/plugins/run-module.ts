import { pathToFileURL } from "node:url";
import type { PluginRequest } from "./schema.ts";

const LOADS_NO_TYPESCRIPT =
  "this Node loads no TypeScript; use the codelia binary, Node from 22.18 on, Bun or Deno, or write the plugin as .mjs";

export type ModuleAnswer =
  | { readonly kind: "answer"; readonly json: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Loads a plugin's module into this very process, and asks it.
 *
 * @input  file: absolute
 * @output what its hook gave back, as JSON; "" for nothing
 * @effect whatever the module does
 * @error  none
 */
export async function runModule(file: string, { hook, data, context }: PluginRequest): Promise<ModuleAnswer> {
  let hooks: unknown;
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href);
    hooks = module.default;
  } catch (error) {
    return failed(whyNotLoaded(file, error));
  }
  const own = typeof hooks === "object" && hooks !== null ? (hooks as Record<string, unknown>)[hook] : undefined;
  if (typeof own !== "function") return failed(`its default export has no function '${hook}'`);
  let changed: unknown;
  try {
    changed = await own.call(hooks, data, context);
  } catch (error) {
    return failed(`it threw: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return { kind: "answer", json: JSON.stringify(changed) ?? "" };
  } catch {
    return failed("what it gave back can't be written as JSON");
  }
}

function whyNotLoaded(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isTypeScript = /\.[cm]?ts$/.test(file);
  // As TypeScript it is unknown to Node up to 22.5, and what it holds is unknown to it up to 22.17.
  const isUnknown = code === "ERR_UNKNOWN_FILE_EXTENSION" || (isTypeScript && error instanceof SyntaxError);
  return isTypeScript && isUnknown ? LOADS_NO_TYPESCRIPT : `it can't be loaded: ${message}`;
}

function failed(reason: string): ModuleAnswer {
  return { kind: "failed", reason };
}
