import type { PluginRequest } from "./schema.ts";

/**
 * A request as the program writes it, or a plugin's author: what its data must be is the plugin's affair.
 *
 * @input  hook: the hook point that was named; bytes: undefined for too many
 * @effect none
 * @error  none
 */
export function readRequest(hook: string, bytes: Uint8Array | undefined): PluginRequest | { readonly problem: string } {
  if (bytes === undefined) return { problem: "standard input holds more than a request" };
  try {
    const { data, context } = JSON.parse(new TextDecoder().decode(bytes));
    // Checking it against the schema would double the time that a plugin takes.
    return { version: 1, hook: hook as PluginRequest["hook"], data, context };
  } catch {
    return { problem: "standard input is no JSON; 'codelia schema plugin-request' says what it must be" };
  }
}
