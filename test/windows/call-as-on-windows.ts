import { plugin } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WindowsCall } from "./windows-calls.ts";

// Run as a process of its own: what it loads from src/ has the path rules of Windows, and no other test's modules do.
// Standard input: the calls; standard output: what each returned.

const SOURCE = join(import.meta.dirname, "../../src");
const WINDOWS_PATH = join(import.meta.dirname, "windows-path.ts");

plugin({
  name: "path rules of Windows",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      return { contents: text.replaceAll('from "node:path"', `from ${JSON.stringify(WINDOWS_PATH)}`), loader: "ts" };
    });
  },
});

const calls = JSON.parse(await Bun.stdin.text()) as WindowsCall[];
const results: unknown[] = [];
for (const { from, name, args } of calls) {
  let found: unknown = await import(join(SOURCE, from));
  for (const key of name.split(".")) found = (found as Readonly<Record<string, unknown>>)[key];
  if (typeof found !== "function") throw new Error(`${from} has no function ${name}`);
  const result = (found as (...given: readonly unknown[]) => unknown)(...args);
  results.push(result instanceof Set ? [...result] : result === undefined ? null : result);
}
process.stdout.write(JSON.stringify(results));
