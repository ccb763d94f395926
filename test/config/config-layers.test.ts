import { expect, test } from "bun:test";
import { effectiveSettings, type Layer } from "../../src/config/settings.ts";
import { DEFAULT_SETTINGS } from "../../src/config/settings.ts";

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
