import { loadConfig as mergeWithC12 } from "c12";
import type { $ZodIssue } from "zod/v4/core";
import { didYouMean } from "../lib/nearest.ts";
import { ConfigSchema, type Config } from "./config.ts";
import { knownKeys } from "../lib/schema-keys.ts";
import { parseJsonc } from "../lib/jsonc.ts";
import type { LimitedParse } from "../lib/parse-limit.ts";
import { parseToml } from "../lib/toml.ts";
import { parseYaml, type DataRead } from "../lib/yaml.ts";

export type ConfigRead =
  | { readonly kind: "config"; readonly config: Config }
  /** `isPassing`: its parser was interrupted, which another call may not have to. */
  | { readonly kind: "unusable"; readonly problems: readonly string[]; readonly isPassing?: true };

/**
 * Parses and validates one config file's text. This is where the heavy packages are; it is imported only when
 * a config file has changed.
 *
 * @input  path: for its ending and for messages; text: the whole file; limited: how a file that is not the user's own
 *         is parsed
 * @output the config, or every reason why it can't be used, each naming line or key and the way out
 * @effect none: c12 is given the data and no way to look for files, run code or fetch
 * @error  none
 */
export async function parseConfig(
  path: string,
  text: string,
  limited: LimitedParse = (parse) => parse(),
): Promise<ConfigRead> {
  const read = limited(() => parseByEnding(path, text));
  if (read.kind === "unparsed") return { ...unusable([read.reason]), isPassing: true };
  if (read.kind === "error") return unusable([`line ${read.line}: ${read.message}`]);
  const data = read.data ?? {};
  if (typeof data !== "object" || Array.isArray(data)) return unusable(["the file must hold a table of settings"]);
  const parsed = ConfigSchema.safeParse(await throughC12(data as Record<string, unknown>));
  if (parsed.success) return { kind: "config", config: parsed.data };
  return unusable(parsed.error.issues.map(explain));
}

function parseByEnding(path: string, text: string): DataRead {
  if (/\.ya?ml$/.test(path)) return parseYaml(text);
  return path.endsWith(".toml") ? parseToml(text) : parseJsonc(text);
}

/**
 * c12 would look for `.ts` and `.js` twins, rc files, `.env` and `extends`, and run or fetch what it finds. Every
 * such way is shut, and `resolve` answers before its importer is reached.
 */
async function throughC12(data: Record<string, unknown>): Promise<unknown> {
  const loaded = await mergeWithC12({
    name: "codelia",
    configFile: "config",
    resolve: () => ({ config: data, configFile: "config", cwd: "/" }),
    merger: (...layers) => Object.fromEntries(layers.flatMap((layer) => Object.entries(layer ?? {}))) as never,
    jiti: { import: refuseToRun } as never,
    rcFile: false,
    globalRc: false,
    dotenv: false,
    packageJson: false,
    extend: false,
    giget: false,
    envName: false,
  });
  return loaded.config;
}

function refuseToRun(): never {
  throw new Error("config is data: nothing is ever imported");
}

function unusable(problems: readonly string[]) {
  return { kind: "unusable", problems } as const;
}

function explain(issue: $ZodIssue): string {
  const where = issue.path.join(".");
  if (issue.code !== "unrecognized_keys") return `'${where}': ${issue.message}`;
  const known = knownKeys(ConfigSchema, issue.path);
  return issue.keys
    .map((key) => {
      const full = [...issue.path, key].join(".");
      const hint = didYouMean(key, known);
      return `unknown key '${full}'${hint || `; known here: ${known.join(", ")}`}`;
    })
    .join("; ");
}
