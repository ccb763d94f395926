import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { addRun, listRuns, readRun, saveRun } from "../../../src/agent/run/store.ts";
import { newRun } from "../../../src/agent/run/store.ts";
import type { AgentRun } from "../../../src/agent/run-schema.ts";
import { errno, hookDisk } from "../../support/disk-hooks.ts";
import { fakeWorld } from "../../support/fake-world.ts";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";

const world = fakeWorld();

function placeIn(tree: TempTree) {
  return { directory: tree.path(".codelia"), isInProject: true, root: tree.root, treeFile: tree.path("tree") };
}

function runNamed(instance: string, more: Partial<AgentRun> = {}): AgentRun {
  const named = { instance, name: "test", definition: "/d", cwd: "/w", variables: {} };
  return { ...newRun(world, named), mode: "driven", step: "one", ...more };
}

test("a run is found as it was written, in a directory that git does not see", () => {
  using tree = tempTree({ ".git/HEAD": "" });
  const place = placeIn(tree);
  const added = addRun(world, place, [".git"], runNamed("agent-a-1"));
  expect(added.kind).toBe("changed");
  expect(readRun(place, "agent-a-1")).toEqual({ kind: "run", run: (added as { run: AgentRun }).run });
  expect(readdirSync(tree.path(".codelia/agents"))).toEqual(["agent-a-1.json"]);
  expect(tree.read(".codelia/.gitignore")).toContain("/agents/");
  expect(addRun(world, place, [".git"], runNamed("agent-a-1"))).toEqual({
    kind: "failed",
    reason: "it was changed meanwhile",
  });
});

test("two that began from the same state can't both be kept", () => {
  using tree = tempTree({ ".git/HEAD": "" });
  const place = placeIn(tree);
  const added = addRun(world, place, [".git"], runNamed("agent-a-1"));
  if (added.kind !== "changed") throw new Error(added.reason);
  const first = saveRun(world, place, { ...added.run, step: "two" });
  expect(first).toMatchObject({ kind: "changed", run: { step: "two", n: 1 } });
  expect(saveRun(world, place, { ...added.run, step: "three" })).toEqual({
    kind: "failed",
    reason: "it was changed meanwhile",
  });
  expect(readRun(place, "agent-a-1")).toMatchObject({ run: { step: "two" } });
});

const FOREIGN: [what: string, change: (run: AgentRun) => unknown][] = [
  ["of another directory", (run) => ({ ...run, tree: "1:2" })],
  ["of a newer version", (run) => ({ ...run, version: 2 })],
  ["under another name", (run) => ({ ...run, instance: "agent-b-1" })],
  ["that is none", () => ({})],
  ["that is no JSON", () => undefined],
];
for (const [what, change] of FOREIGN) {
  test(`a run ${what} is not used, and not overwritten`, () => {
    using tree = tempTree({ ".git/HEAD": "" });
    const place = placeIn(tree);
    const added = addRun(world, place, [".git"], runNamed("agent-a-1"));
    if (added.kind !== "changed") throw new Error(added.reason);
    const text = JSON.stringify(change(added.run)) ?? "broken";
    tree.write(".codelia/agents/agent-a-1.json", text);
    expect(readRun(place, "agent-a-1").kind).toBe("foreign");
    expect([listRuns(place), saveRun(world, place, added.run).kind]).toEqual([[], "failed"]);
    expect(tree.read(".codelia/agents/agent-a-1.json")).toBe(text);
  });
}

test("an instance that is no name of a file of ours is never read", () => {
  using tree = tempTree({ ".git/HEAD": "", "secret.json": "{}" });
  for (const name of ["../../secret", "agent-a/../../../secret", "", "run", "agent-\0"]) {
    expect(readRun(placeIn(tree), name)).toEqual({ kind: "absent" });
  }
});

test("what can't be written leaves the present state, and nothing beside it", () => {
  using tree = tempTree({ ".git/HEAD": "" });
  const place = placeIn(tree);
  const added = addRun(world, place, [".git"], runNamed("agent-a-1"));
  if (added.kind !== "changed") throw new Error(added.reason);
  const before = readFileSync(tree.path(".codelia/agents/agent-a-1.json"));
  for (const call of ["rename", "write"] as const) {
    {
      using _ = hookDisk({
        [call]: () => () => {
          throw errno("ENOSPC");
        },
      });
      expect(saveRun(world, place, { ...added.run, step: "two" })).toMatchObject({ kind: "failed" });
    }
    expect(readdirSync(tree.path(".codelia/agents"))).toEqual(["agent-a-1.json"]);
    expect(readFileSync(tree.path(".codelia/agents/agent-a-1.json"))).toEqual(before);
  }
});

test("a state that is too large is not written", () => {
  using tree = tempTree({ ".git/HEAD": "" });
  const run = runNamed("agent-a-1", { outputs: { one: { text: "x".repeat(8 * 1024 * 1024) } } });
  expect(addRun(world, placeIn(tree), [".git"], run)).toEqual({
    kind: "failed",
    reason: "it is larger than 8388608 bytes",
  });
  expect(readdirSync(tree.path(".codelia/agents"))).toEqual([]);
});

test("of the runs that are over the newest fifty are kept, and all that go on", () => {
  using tree = tempTree({ ".git/HEAD": "" });
  const place = placeIn(tree);
  for (let index = 0; index < 53; index++) {
    const status = index === 0 ? "started" : "stopped";
    addRun(world, place, [".git"], runNamed(`agent-a-${index}`, { status, startedAt: index }));
  }
  const kept = listRuns(place).map(({ instance }) => instance);
  expect([kept.length, kept[0], kept[1], kept.at(-1)]).toEqual([51, "agent-a-0", "agent-a-3", "agent-a-52"]);
  expect(existsSync(tree.path(".codelia/agents/agent-a-1.json"))).toBe(false);
});
