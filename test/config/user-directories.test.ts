import { expect, test } from "bun:test";
import { directoryOfRoot, userDirectoriesOf } from "../../src/config/user-directories.ts";

const PLAIN = {
  global: "/home/u/.codelia",
  ordinary: "/home/u/.codelia",
  config: ["/home/u/.codelia", "/home/u/.config/codelia"],
  cache: "/home/u/.cache/codelia",
  state: "/home/u/.local/state/codelia",
  runtime: undefined as string | undefined,
};
const CASES: [when: string, env: Record<string, string>, expected: Partial<typeof PLAIN>][] = [
  ["the environment says nothing", {}, {}],
  ["variables are empty", { CODELIA_HOME: "", XDG_CONFIG_HOME: "", XDG_CACHE_HOME: "", XDG_STATE_HOME: "" }, {}],
  ["base directories are relative", { XDG_CONFIG_HOME: "c", XDG_CACHE_HOME: "./c", XDG_STATE_HOME: "../s" }, {}],
  ["CODELIA_HOME is set", { CODELIA_HOME: "/x" }, { global: "/x", config: ["/x", "/home/u/.config/codelia"] }],
  ["CODELIA_HOME is relative", { CODELIA_HOME: "x" }, {}],
  ["XDG_CONFIG_HOME is set", { XDG_CONFIG_HOME: "/c" }, { config: ["/home/u/.codelia", "/c/codelia"] }],
  ["XDG_CACHE_HOME is set", { XDG_CACHE_HOME: "/c" }, { cache: "/c/codelia" }],
  ["XDG_STATE_HOME is set", { XDG_STATE_HOME: "/s" }, { state: "/s/codelia" }],
  ["XDG_RUNTIME_DIR is set", { XDG_RUNTIME_DIR: "/run/user/1" }, { runtime: "/run/user/1/codelia" }],
  ["XDG_RUNTIME_DIR is relative", { XDG_RUNTIME_DIR: "run" }, {}],
];
for (const [when, env, expected] of CASES) {
  test(`userDirectoriesOf() names ${Object.keys(expected).join(" and ") || "the usual places"} when ${when}`, () => {
    expect(userDirectoriesOf(env, "/home/u")).toEqual({ ...PLAIN, ...expected });
  });
}

test("userDirectoriesOf() is nowhere when there is no home", () => {
  const { global, ordinary, config, cache, state } = userDirectoriesOf({}, "");
  for (const place of [global, ordinary, ...config, cache, state]) expect(place).toStartWith("/dev/null/");
});

// A path below the global directory is recognised by its parent: `dirname(path) === places.global`.
test("userDirectoriesOf() names the global directory as paths below it do when CODELIA_HOME ends in a slash", () => {
  expect(userDirectoriesOf({ CODELIA_HOME: "/home/u/.codelia/" }, "/home/u").global).toBe("/home/u/.codelia");
});

test("directoryOfRoot() is one directory for each root", () => {
  expect(directoryOfRoot("/s", "/r")).toMatch(/^\/s\/[0-9a-f]{16}$/);
  expect(directoryOfRoot("/s", "/r")).toBe(directoryOfRoot("/s", "/r"));
  expect(directoryOfRoot("/s", "/r")).not.toBe(directoryOfRoot("/s", "/r/a"));
});
