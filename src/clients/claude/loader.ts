import { isTable, lastValue, valueAt } from "../../lib/table.ts";
import { LOADER_NAMES, LOADER_PLUGIN } from "./files.ts";

/** Which instruction files the built-in plugin lets the model have. */
export type LoaderMode = "claude-md" | "claude-md-or-agents-md" | "claude-md-and-agents-md" | "managed-only";

const DEFAULT = "claude-md-or-agents-md";
const MODES: ReadonlySet<unknown> = new Set([DEFAULT, "claude-md", "claude-md-and-agents-md", "managed-only"]);
/** Of an older option, which counts beside the default of the other. */
const OLD_MODES: Readonly<Record<string, LoaderMode>> = {
  none: "managed-only",
  claude: "claude-md",
  "agents-fallback": DEFAULT,
  both: "claude-md-and-agents-md",
};

export interface Loader {
  readonly isOff: boolean;
  readonly mode: LoaderMode;
  /** The settings file that decides; undefined if none does. */
  readonly by: string | undefined;
}

/**
 * How the plugin that loads AGENTS.md is set.
 *
 * @param settings of all places, in the order in which they overrule each other
 * @param personal the paths of those whose options count: the user's and an administrator's
 */
export function loaderIn(settings: ReadonlyMap<string, unknown>, personal: readonly string[]): Loader {
  const switches = ["enabledPlugins", LOADER_PLUGIN];
  const deciding = (has: (layer: unknown) => boolean) => [...settings].findLast(([, layer]) => has(layer))?.[0];
  if (lastValue([...settings.values()], switches) === false) {
    return { isOff: true, mode: DEFAULT, by: deciding((layer) => valueAt(layer, ...switches) !== undefined) };
  }
  const options = Object.assign({}, ...personal.map((path) => optionsIn(settings.get(path)))) as OptionValues;
  const { instructionFiles, projectInstructions } = options;
  const mode = MODES.has(instructionFiles) ? (instructionFiles as LoaderMode) : DEFAULT;
  const old = projectInstructions === undefined ? DEFAULT : (OLD_MODES[String(projectInstructions)] ?? "claude-md");
  const by = personal.findLast((path) => Object.keys(optionsIn(settings.get(path))).length > 0);
  return { isOff: false, mode: mode === DEFAULT ? old : mode, by };
}

interface OptionValues {
  readonly instructionFiles?: unknown;
  readonly projectInstructions?: unknown;
}

function optionsIn(layer: unknown): OptionValues {
  const tables = LOADER_NAMES.map((name) => valueAt(layer, "pluginConfigs", name, "options")).filter(isTable);
  const { instructionFiles, projectInstructions } = Object.assign({}, ...tables) as OptionValues;
  return {
    ...(instructionFiles !== undefined && { instructionFiles }),
    ...(projectInstructions !== undefined && { projectInstructions }),
  };
}
