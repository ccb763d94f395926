import { expect } from "bun:test";
import { array, boolean, constantFrom, option, property, record, string, type Arbitrary } from "fast-check";
import { effectiveSettings, type Layer } from "../../src/config/settings.ts";
import { effectiveValues } from "../../src/report/values.ts";
import { DEFAULT_SETTINGS, overlay } from "../../src/config/settings.ts";
import { ConfigSchema, type Config } from "../../src/config/schema.ts";
import { testProperty } from "./fuzz.ts";

const maybe = <Value>(value: Arbitrary<Value>) => option(value, { nil: undefined, freq: 2 });
const limit = () => maybe(constantFrom(1, 2, 1000));
const names = () => maybe(array(constantFrom("A.md", "B.md", "__proto__"), { minLength: 1, maxLength: 2 }));
const root = () => record({ projectRootOverride: maybe(string()), markers: names(), stopAtFsRoot: maybe(boolean()) });

/** Every key that a config may have, each of them there or not. */
function anyConfig(): Arbitrary<Config> {
  const agents = record({
    enabled: maybe(boolean()),
    usage: maybe(boolean()),
    fallbackFilenames: names(),
    additionalFilenames: names(),
    ignore: names(),
    root: maybe(root()),
    initial: maybe(
      record({ maxFiles: limit(), maxBytes: limit(), keep: maybe(constantFrom("root-first", "nearest-first")) }),
    ),
    resolver: maybe(record({ enabled: maybe(boolean()), maxFilesPerResolve: limit() })),
  });
  const skills = record({
    enabled: maybe(boolean()),
    initial: maybe(record({ maxEntries: limit(), maxBytes: limit() })),
    search: maybe(record({ defaultLimit: limit(), maxLimit: limit() })),
  });
  // As it comes from a parser: without the keys that are undefined.
  return record({ agents: maybe(agents), skills: maybe(skills) }).map((config) => JSON.parse(JSON.stringify(config)));
}

const anyLayers = () =>
  array(anyConfig(), { maxLength: 4 }).map((configs) =>
    configs.map((config, index): Layer => ({ source: `layer ${index}`, config })),
  );

type Leaf = readonly [path: string, value: unknown];

function leavesOf(value: unknown, path = ""): Leaf[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === "" ? key : `${path}.${key}`));
}

testProperty(
  "effectiveSettings() has each value of the last layer that has it, else the default",
  property(anyLayers(), (layers) => {
    for (const { config } of layers) expect(ConfigSchema.safeParse(config).success).toBe(true);
    const expected = new Map(leavesOf(DEFAULT_SETTINGS));
    for (const { config } of layers)
      for (const [path, value] of leavesOf(config)) if (isSetting(path)) expected.set(path, value);
    expect(leavesOf(effectiveSettings(layers))).toEqual([...expected]);
  }),
);

testProperty(
  "effectiveValues() names the layer that each value is from",
  property(anyLayers(), (layers) => {
    const sources = new Map(leavesOf(DEFAULT_SETTINGS).map(([path]) => [path, "default"]));
    for (const { source, config } of layers) {
      for (const [path] of leavesOf(config)) if (isSetting(path)) sources.set(path, source);
    }
    const values = effectiveValues(layers);
    expect(values.map(({ key, source }) => [key, source])).toEqual([...sources]);
    const expected = leavesOf(effectiveSettings(layers)).map(([path, value]): Leaf => [path, value ?? null]);
    expect(values.map(({ key, value }): Leaf => [key, value])).toEqual(expected);
  }),
);

testProperty(
  "overlay() changes nothing when a layer is laid over itself",
  property(anyConfig(), (config) => {
    const once = overlay(DEFAULT_SETTINGS, config);
    expect(overlay(once, config)).toEqual(once);
  }),
);

/** An empty table is a leaf of a config, and sets nothing. */
function isSetting(path: string): boolean {
  return leavesOf(DEFAULT_SETTINGS).some(([known]) => known === path);
}
