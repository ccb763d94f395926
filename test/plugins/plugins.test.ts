import { expect, test } from "bun:test";
import { hasPlugin, type Layer } from "../../src/config/settings.ts";
import { replyIn, replyLine } from "../../src/plugins/module.ts";
import { configuredPlugins } from "../../src/plugins/configured.ts";

const LAYERS: Layer[] = [
  { source: "/u", config: { plugins: [{ path: "a/one.test.ts", hooks: ["agents:chain"] }] } },
  { source: "/p", config: {}, isProject: true },
  {
    source: "/q",
    config: {
      plugins: [
        { command: ["/bin/two", "x"], hooks: ["hook:event"] },
        { name: "3", path: "x.ts", hooks: ["root:resolved"] },
      ],
    },
    isProject: true,
  },
];

test("configuredPlugins() has them in the order of the layers, with names", () => {
  expect(
    configuredPlugins(LAYERS).map(({ name, key, source, isProject }) => [name, key, source, isProject] as const),
  ).toEqual([
    ["one.test", "plugins[0]", "/u", false],
    ["two", "plugins[0]", "/q", true],
    ["3", "plugins[1]", "/q", true],
  ]);
});

test("hasPlugin() is about one extension point, and about none where plugins are off", () => {
  expect(hasPlugin(LAYERS, {}, "agents:chain")).toBeTrue();
  expect(hasPlugin(LAYERS, { CODELIA_PLUGINS: "1" }, "root:resolved")).toBeTrue();
  expect(hasPlugin(LAYERS, {}, "skills:ranked")).toBeFalse();
  expect(hasPlugin(LAYERS, { CODELIA_PLUGINS: "0" }, "agents:chain")).toBeFalse();
  expect(hasPlugin([], {}, "agents:chain")).toBeFalse();
});

for (const [what, printed, reply] of [
  ["nothing", "", undefined],
  ["other words", "hello\n", undefined],
  ["a reply", replyLine("{}"), "{}"],
  ["an empty reply", replyLine(""), ""],
  ["a reply behind other words", `hello${replyLine("[1]")}`, "[1]"],
  ["two replies", replyLine("1") + replyLine("2"), "2"],
  ["a reply that speaks of one", replyLine(JSON.stringify(replyLine("1"))), JSON.stringify(replyLine("1"))],
] as const) {
  test(`replyIn() of ${what}`, () => {
    expect(replyIn(printed)).toBe(reply);
  });
}
