import { expect, test } from "bun:test";
import type { Layer } from "../../src/config/settings.ts";
import { effectiveValues } from "../../src/report/values.ts";

const USER: Layer = {
  source: "/home/u/.codelia/config.json",
  config: { agents: { initial: { maxFiles: 1, maxBytes: 1 }, ignore: [] } },
};
const PROJECT: Layer = {
  source: "/r/.codelia/config.toml",
  config: { agents: { initial: { maxFiles: 2 } }, skills: { enabled: false } },
};
const FLAGS: Layer = { source: "flags", config: { agents: { root: { projectRootOverride: "/x" } } } };

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

test("effectiveValues() names every layer that disables skills, because each adds to the others", () => {
  const layers = [USER, PROJECT].map(({ source }, index) => ({
    source,
    config: { skills: { disabled: [`skill-${index}`] } },
  }));
  expect(effectiveValues(layers).find(({ key }) => key === "skills.disabled")).toEqual({
    key: "skills.disabled",
    value: ["skill-0", "skill-1"],
    source: `${USER.source}, ${PROJECT.source}`,
  });
});

test("effectiveValues() has each permission rule with its layer, the stronger kind first, after the settings", () => {
  const [all, one] = [
    { tool: "skill_load" as const },
    { tool: "skill_load" as const, skill_name: "one", scope: "repo" as const },
  ];
  const layers = [
    { source: USER.source, config: { permissions: { allow: [all], confirm: [one] } } },
    { source: PROJECT.source, config: { permissions: { deny: [one, all] } } },
  ];
  const values = effectiveValues(layers);
  expect(values.slice(effectiveValues([]).length)).toEqual([
    { key: "permissions.deny[0]", value: one, source: PROJECT.source },
    { key: "permissions.deny[1]", value: all, source: PROJECT.source },
    { key: "permissions.allow[0]", value: all, source: USER.source },
    { key: "permissions.confirm[0]", value: one, source: USER.source },
  ]);
});
