import { expect, test } from "bun:test";
import { command } from "../../src/commands/resolve.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

// A checkout of a branch without `a`: what its AGENTS.md said holds no more, and nobody says so.
test("resolve reports a file once when it has gone with its whole directory", async () => {
  using tree = tempTree({ "r/.git/": dir, "r/AGENTS.md": "r\n", "r/a/b/AGENTS.md": "b\n" });
  const path = tree.path("r/a/b/AGENTS.md");
  expect(await resolve(tree, "a/b/file")).toContain(`- ${path} (mtime: `);
  tree.remove("r/a");
  expect(await resolve(tree, "a/b/file")).toContain(`No longer in force, disregard what they said:\n- ${path}\n`);
  expect(await resolve(tree, "a/b/file")).toBe("");
});

async function resolve(tree: TempTree, path: string): Promise<string> {
  const env = { XDG_STATE_HOME: tree.path("state"), XDG_CACHE_HOME: tree.path("cache") };
  const world = fakeWorld({ cwd: tree.path("r"), home: tree.path("home"), env });
  expect(await command.run(world, { flags: {}, operands: [path] })).toBe("ok");
  return world.written();
}
