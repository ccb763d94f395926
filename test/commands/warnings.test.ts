import { expect, test } from "bun:test";
import { command as resolve } from "../../src/commands/resolve.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { dir, tempTree, type Entry } from "../support/temp-tree.ts";

const ESCAPE = "\u001B";
const TITLE = `${ESCAPE}]0;owned\u0007\u202E`;

// eslint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u0009\u000B-\u001F\u007F\u202E]/;

// A clone names files and config keys as it likes; what it says to a terminal is told to the user, not obeyed.
const CASES: [what: string, entries: Record<string, Entry>][] = [
  ["an unknown key of a project's config", { "r/.codelia/config.json": JSON.stringify({ [TITLE]: 1 }) }],
  [
    "a file name that a project's config may not add",
    { "r/.codelia/config.json": JSON.stringify({ agents: { fallbackFilenames: [TITLE] } }) },
  ],
  ["a key that stands twice", { "r/.codelia/config.json": `{"a${"\\u001b"}": 1, "a${"\\u001b"}": 2}` }],
  ["a link that leads nowhere", { [`r/${TITLE}/AGENTS.md`]: { link: "nowhere" } }],
];
for (const [what, entries] of CASES) {
  test(`a warning shows no control character of ${what}`, async () => {
    using tree = tempTree({ "r/.git/": dir, [`r/${TITLE}/`]: dir, ...entries });
    const env = { XDG_STATE_HOME: tree.path("state"), XDG_CACHE_HOME: tree.path("cache") };
    const world = fakeWorld({ cwd: tree.path("r"), home: tree.path("home"), env });
    await resolve.run(world, { flags: {}, operands: [TITLE] });
    const warnings = world.complaints.join("");
    expect(warnings).toStartWith("codelia: warning: ");
    expect(warnings).not.toMatch(UNSEEN);
  });
}

test("a note beside JSON shows no control character of a file that has gone", async () => {
  using tree = tempTree({ "r/.git/": dir, [`r/${TITLE}/AGENTS.md`]: "text" });
  const env = { XDG_STATE_HOME: tree.path("state"), XDG_CACHE_HOME: tree.path("cache") };
  const world = fakeWorld({ cwd: tree.path("r"), home: tree.path("home"), env });
  await resolve.run(world, { flags: {}, operands: [TITLE] });
  tree.remove(`r/${TITLE}/AGENTS.md`);
  await resolve.run(world, { flags: { json: true }, operands: [TITLE] });
  expect(world.complaints.join("")).toContain("is no longer in force");
  expect(world.complaints.join("")).not.toMatch(UNSEEN);
});
