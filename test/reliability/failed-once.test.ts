import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { run } from "../../src/cli.ts";
import { errno, hookDisk } from "../support/disk-hooks.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { skillFile } from "../support/skills-project.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Faults that one failed call on the disk has caused before.

const TREE: Readonly<Record<string, Entry>> = {
  "home/": { dir: true },
  "repo/.git/": { dir: true },
  "repo/AGENTS.md": "Rules of the root.\n",
};

async function call(tree: TempTree, argv: readonly string[], stdin = "") {
  const home = tree.path("home");
  const options = { argv, stdin, cwd: tree.path("repo"), home, env: { HOME: home }, epochMs: Date.now() + 1000 };
  const world = fakeWorld(options);
  const exit = await run(world);
  return { exit, stdout: world.written(), stderr: world.complaints.join("") };
}

/** The next call that opens the file fails, and only that one. */
function failToOpenOnce(path: string): Disposable {
  let isDone = false;
  return hookDisk({
    openToRead: (original) => (opened) => {
      if (isDone || opened !== path) return original(opened);
      isDone = true;
      throw errno("EIO");
    },
  });
}

test("a config that could not be read once is read at the next call", async () => {
  using tree = tempTree({ ...TREE, "repo/.codelia/config.json": '{"agents":{"enabled":false}}' });
  {
    using _ = failToOpenOnce(tree.path("repo/.codelia/config.json"));
    const first = await call(tree, ["config"]);
    expect([first.exit, first.stderr]).toEqual(["unusable", expect.stringContaining("it can't be read")]);
  }
  const { exit, stdout } = await call(tree, ["config"]);
  expect([exit, stdout]).toEqual(["ok", expect.stringContaining("agents.enabled = false")]);
});

test("a user's config that can't be looked at could hold a deny rule: no skill is loaded", async () => {
  using tree = tempTree({
    ...TREE,
    "repo/.agents/skills/notes/SKILL.md": skillFile("notes", "Draft notes", "How to draft.\n"),
    "home/.codelia/config.json": '{"permissions":{"deny":[{"tool":"skill_load","skill_name":"notes"}]}}',
  });
  for (const hidden of ["home/.codelia", "home/.codelia/config.json"]) {
    const refuse =
      <Answer>(original: (path: string) => Answer) =>
      (path: string): Answer => {
        if (path.startsWith(tree.path(hidden))) throw errno("EACCES");
        return original(path);
      };
    using _ = hookDisk({ look: refuse, lookThrough: refuse });
    const { exit, stdout, stderr } = await call(tree, ["skills", "load", "notes"]);
    expect([exit, stdout]).toEqual(["unusable", ""]);
    expect(stderr).toContain("it can't be looked at (EACCES)");
  }
  expect((await call(tree, ["skills", "load", "notes"])).exit).toBe("findings");
});

test("a ledger that could not be read once is not set aside: what has gone is still told", async () => {
  using tree = tempTree(TREE);
  await call(tree, ["resolve", "x"]);
  tree.remove("repo/AGENTS.md");
  // The first reading decides, the second one, under the lock, records.
  let openings = 0;
  using _ = hookDisk({
    openToRead: (original) => (path) => {
      if (path.endsWith("/session.json") && ++openings === 2) throw errno("EIO");
      return original(path);
    },
  });
  const { stdout, stderr } = await call(tree, ["resume-diff"]);
  expect(stdout).toContain(tree.path("repo/AGENTS.md"));
  expect(stderr).toBe("");
  expect(readdirSync(tree.path("repo/.codelia")).toSorted()).toEqual([".gitignore", "session.json", "sessions"]);
});

test("a CLAUDE.md that could not be read doesn't count as absent: the client may have left AGENTS.md to us", async () => {
  using tree = tempTree({ ...TREE, "repo/CLAUDE.md": "Be brief.\n" });
  using _ = failToOpenOnce(tree.path("repo/CLAUDE.md"));
  const event = { hook_event_name: "SessionStart", source: "startup", session_id: "s", cwd: tree.path("repo") };
  const { stdout } = await call(tree, ["hook", "claude"], JSON.stringify(event));
  expect(stdout).toContain("Rules of the root.");
});
