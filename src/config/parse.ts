import { BUILD } from "../lib/build.ts";
import { loadConfig as mergeWithC12 } from "c12";
import { offsetsIn, type Located } from "../lib/edit/located.ts";
import { locateJsonc, parseJsonc } from "../lib/jsonc.ts";
import { limitParsing, type LimitedParse, type Unparsed } from "../lib/parse-limit.ts";
import { readStart } from "../lib/read-file.ts";
import { checkData, type SchemaProblem } from "../lib/schema-problems.ts";
import { isTable } from "../lib/table.ts";
import { textPositions } from "../lib/text-positions.ts";
import { parseToml } from "../lib/toml.ts";
import { writeWhole } from "../lib/write-file.ts";
import { locateYaml, parseYaml, type DataRead } from "../lib/yaml.ts";
import type { World } from "../world.ts";
import type { ConfigFile, LoadedLayer } from "./files.ts";
import { MAX_CONFIG_BYTES, unheededConfig, unusableConfig, type ConfigProblem } from "./problem.ts";
import { restrictProjectLayer } from "./project-layer.ts";
import { withoutMistakes } from "./salvage.ts";
import { ConfigSchema, type Config } from "./schema.ts";

/** A file this young may change again within the same timestamp, so it is not cached yet. */
const RACY_MS = 50;

/**
 * Reads, parses and validates a config file, and caches the outcome for `loadLayer`. Whatever goes wrong, the other
 * layers and their deny rules stay in force.
 *
 * @input  isProject: leaves out what only the user may decide, and limits the parser's time; memory: the cache file
 * @effect writes `memory`; if it can't, the next call parses again
 */
export async function readAnew(
  world: World,
  file: ConfigFile,
  isProject: boolean,
  memory: string,
): Promise<LoadedLayer> {
  world.trace("config-parse", { path: file.path });
  const { path } = file;
  const read = readStart(file.realPath, MAX_CONFIG_BYTES + 1);
  // Don't cache this: the file may be readable next time, with the same mark.
  if (read.kind !== "read")
    return { path, config: undefined, problems: [unusableConfig(path, "it can't be read")], isPassing: true };
  const layer = await parseLayer(world, path, read.bytes, isProject).catch((error: unknown): LoadedLayer => {
    const problem = unusableConfig(path, `reading it failed (${String(error)})`);
    return { path, config: undefined, problems: [problem], isPassing: true };
  });
  if (layer.isPassing !== true) remember(world, memory, file, layer);
  return layer;
}

async function parseLayer(world: World, path: string, bytes: Uint8Array, isProject: boolean): Promise<LoadedLayer> {
  if (bytes.length > MAX_CONFIG_BYTES) {
    const problem = unusableConfig(path, `it is larger than ${MAX_CONFIG_BYTES} bytes`);
    return { path, config: undefined, problems: [problem] };
  }
  const parsed = await parseConfig(path, new TextDecoder().decode(bytes), isProject ? limitParsing(world) : undefined);
  if (parsed.kind === "unusable") {
    const { problems, isPassing } = parsed;
    return { path, config: undefined, problems, ...(isPassing === true ? { isPassing } : {}) };
  }
  const mistakes = parsed.kind === "partly" ? parsed.problems : [];
  if (!isProject) return { path, config: parsed.config, problems: mistakes };
  const { config, refused, asked } = restrictProjectLayer(parsed.config);
  const problems = [...mistakes, ...refused.map((message) => unheededConfig(path, message))];
  if (asked === undefined) return { path, config, problems };
  const { sha256 } = await import("../lib/sha256.ts");
  return { path, config, problems, asked: { config: asked, sha256: sha256(bytes) } };
}

function remember(world: World, memory: string, file: ConfigFile, layer: LoadedLayer): void {
  const [, , , mtimeMs, ctimeMs] = file.mark.split(":").map(Number);
  if (world.now() - Math.max(mtimeMs ?? 0, ctimeMs ?? 0) < RACY_MS) return;
  const text = JSON.stringify({ build: BUILD, mark: file.mark, layer });
  const written = writeWhole(world, memory, text, { directoryMode: 0o700, fileMode: 0o600 });
  if (written.kind === "failed") world.trace("config-not-remembered", { path: memory, errno: written.errno });
}

type ConfigRead =
  | { readonly kind: "config"; readonly config: Config }
  /** The rest of the file, without its mistakes. */
  | { readonly kind: "partly"; readonly config: Config; readonly problems: readonly ConfigProblem[] }
  /** `isPassing`: the parser was interrupted, which may not happen to another call. */
  | { readonly kind: "unusable"; readonly problems: readonly ConfigProblem[]; readonly isPassing?: true };

/**
 * Parses and validates one config file's text. This file loads heavy packages and is imported only if a config file has
 * changed.
 *
 * @input  path: for its ending and for messages; limited: runs the parser on a file that is not the user's own
 * @output the config, or every mistake in it, each with its line if known
 */
export async function parseConfig(
  path: string,
  text: string,
  limited: LimitedParse = (parse) => parse(),
): Promise<ConfigRead> {
  const read = limited(() => parseByEnding(path, text));
  const unusable = (message: string, more?: { readonly line: number }) =>
    ({ kind: "unusable", problems: [unusableConfig(path, message, more)] }) as const;
  if (read.kind === "unparsed") return { ...unusable(read.reason), isPassing: true };
  if (read.kind === "error") return unusable(read.message, { line: read.line });
  const data = read.data ?? {};
  if (!isTable(data)) return unusable("the file must hold a table of settings");
  const { config, problems } = checkConfig(await throughC12(data));
  if (problems.length === 0 && config !== undefined) return { kind: "config", config };
  const located = limited(() => locateByEnding(path, text));
  const found = problemsIn(path, text, located, problems);
  return config === undefined ? { kind: "unusable", problems: found } : { kind: "partly", config, problems: found };
}

/** How often the rest is checked again: zod checks values against each other only once each is valid. */
const MAX_CHECKS = 4;

function checkConfig(read: unknown): { config?: Config; problems: readonly SchemaProblem[] } {
  const problems: SchemaProblem[] = [];
  let data = read;
  for (let checks = 0; checks < MAX_CHECKS && isTable(data); checks++) {
    const checked = checkData(ConfigSchema, data);
    if (checked.kind === "valid") return { config: checked.data, problems };
    problems.push(...checked.problems);
    data = withoutMistakes(data, checked.problems);
  }
  return { problems };
}

function parseByEnding(path: string, text: string): DataRead {
  if (/\.ya?ml$/.test(path)) return parseYaml(text);
  return path.endsWith(".toml") ? parseToml(text) : parseJsonc(text);
}

/** The positions of a file's values; undefined for TOML, whose parser doesn't provide them. */
export function locateByEnding(path: string, text: string): Located | undefined {
  if (/\.ya?ml$/.test(path)) return locateYaml(text);
  return path.endsWith(".toml") ? undefined : locateJsonc(text);
}

function problemsIn(
  file: string,
  text: string,
  located: Located | Unparsed | undefined,
  problems: readonly SchemaProblem[],
): ConfigProblem[] {
  if (located === undefined || located.kind === "unparsed") {
    return problems.map(({ message }) => unusableConfig(file, message));
  }
  const offsetOf = offsetsIn(located);
  const positionOf = textPositions(text);
  return problems
    .map(({ path, message }) => ({ message, line: positionOf(offsetOf(path.map(String))).line }))
    .toSorted((left, right) => left.line - right.line)
    .map(({ message, line }) => unusableConfig(file, message, { line }));
}

/**
 * c12 would look for `.ts` and `.js` twins, rc files, `.env` and `extends`, and run or fetch what it finds. All of that
 * is disabled, and `resolve` answers before its importer is reached.
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
