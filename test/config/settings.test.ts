import { expect, test } from "bun:test";
import { DEFAULT_SETTINGS, overlay } from "../../src/config/settings.ts";

test("DEFAULT_SETTINGS are those of the design", () => {
  expect(DEFAULT_SETTINGS.agents).toEqual({
    enabled: true,
    usage: true,
    fallbackFilenames: [],
    additionalFilenames: [],
    ignore: ["node_modules"],
    root: { projectRootOverride: undefined, markers: [".codelia", ".git", ".jj"], stopAtFsRoot: true },
    initial: { maxFiles: 64, maxBytes: 262_144, keep: "root-first" },
    resolver: { enabled: true, maxFilesPerResolve: 8, delivery: "paths", gate: "off" },
  });
});

test("overlay() changes the values that a layer has, and no others", () => {
  const settings = overlay(DEFAULT_SETTINGS, { agents: { initial: { maxFiles: 3 }, usage: false } });
  expect(settings.agents.initial).toEqual({ maxFiles: 3, maxBytes: 262_144, keep: "root-first" });
  expect(settings.agents).toEqual({ ...DEFAULT_SETTINGS.agents, usage: false, initial: settings.agents.initial });
  expect(settings.skills).toEqual(DEFAULT_SETTINGS.skills);
});

test("overlay() replaces a list by a list", () => {
  const settings = overlay(DEFAULT_SETTINGS, { agents: { ignore: ["vendor"], root: { markers: ["go.mod"] } } });
  expect(settings.agents.ignore).toEqual(["vendor"]);
  expect(settings.agents.root).toEqual({ projectRootOverride: undefined, markers: ["go.mod"], stopAtFsRoot: true });
});

test("overlay() sets a value that has no default", () => {
  const layer = { agents: { root: { projectRootOverride: "/r" } } };
  expect(overlay(DEFAULT_SETTINGS, layer).agents.root.projectRootOverride).toBe("/r");
});

test("overlay() changes nothing for an empty layer, nor for keys that are no settings", () => {
  const layers = [
    {},
    { agents: {} },
    { agents: undefined } as never,
    { $schema: "x" },
    JSON.parse('{"__proto__":{"agents":{"enabled":false}},"x":1}'),
  ];
  for (const layer of layers) expect(overlay(DEFAULT_SETTINGS, layer)).toEqual(DEFAULT_SETTINGS);
});

test("overlay() leaves what it was given as it was", () => {
  const before = structuredClone(DEFAULT_SETTINGS);
  overlay(DEFAULT_SETTINGS, { agents: { enabled: false, initial: { maxBytes: 1 } }, skills: { enabled: false } });
  expect(DEFAULT_SETTINGS).toEqual(before);
});

test("overlay() keeps disabled what an earlier layer disables", () => {
  const user = overlay(DEFAULT_SETTINGS, { skills: { disabled: ["a", "b"] } });
  expect(overlay(user, { skills: { disabled: ["b", "c"] } }).skills.disabled).toEqual(["a", "b", "c"]);
  expect(overlay(user, { skills: { disabled: [] } }).skills.disabled).toEqual(["a", "b"]);
});
