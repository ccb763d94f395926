import { expect, test } from "bun:test";
import { effectiveSettings, effectiveValues, type Layer } from "../../src/core/config-layers.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";

const USER: Layer = {
  source: "/home/u/.codelia/config.json",
  config: { agents: { initial: { maxFiles: 1, maxBytes: 1 }, ignore: [] } },
};
const PROJECT: Layer = {
  source: "/r/.codelia/config.toml",
  config: { agents: { initial: { maxFiles: 2 } }, skills: { enabled: false } },
};
const FLAGS: Layer = { source: "flags", config: { agents: { root: { projectRootOverride: "/x" } } } };

test("effectiveSettings() are the defaults when there is no layer", () => {
  expect(effectiveSettings([])).toEqual(DEFAULT_SETTINGS);
});

test("effectiveSettings() takes each value from the last layer that has it", () => {
  const { agents, skills } = effectiveSettings([USER, PROJECT, FLAGS]);
  expect(agents.initial).toEqual({ maxFiles: 2, maxBytes: 1, keep: "root-first" });
  expect([agents.ignore, agents.root.projectRootOverride, skills.enabled]).toEqual([[], "/x", false]);
});

const SOURCES: [key: string, value: unknown, source: string][] = [
  ["agents.enabled", true, "default"],
  ["agents.ignore", [], USER.source],
  ["agents.initial.maxFiles", 2, PROJECT.source],
  ["agents.initial.maxBytes", 1, USER.source],
  ["agents.root.projectRootOverride", "/x", "flags"],
  ["agents.root.markers", [".codelia", ".git", ".jj"], "default"],
  ["skills.enabled", false, PROJECT.source],
  ["skills.search.maxLimit", 50, "default"],
];
for (const [key, value, source] of SOURCES) {
  test(`effectiveValues() names ${source} as the source of '${key}'`, () => {
    const found = effectiveValues([USER, PROJECT, FLAGS]).filter((entry) => entry.key === key);
    expect(found).toEqual([{ key, value, source }]);
  });
}

test("effectiveValues() has every setting, also one without a value", () => {
  const values = effectiveValues([]);
  expect(values.map(({ source }) => source)).toEqual(values.map(() => "default"));
  expect(values.find(({ key }) => key === "agents.root.projectRootOverride")?.value).toBeNull();
  expect(new Set(values.map(({ key }) => key)).size).toBe(values.length);
});
