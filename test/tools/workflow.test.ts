import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { REPOSITORY } from "../support/run-codelia.ts";

// What a host makes of the file can't be seen here; that it is well-formed, and calls what there is, can.

const text = readFileSync(join(REPOSITORY, ".github/workflows/ci.yml"), "utf8");
const workflow = parse(text, { uniqueKeys: true });
const { gate } = workflow.jobs;

interface WorkflowStep {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
const steps: readonly WorkflowStep[] = gate.steps;

test("CI runs on the three systems, with Node 20 and with no right but to read", () => {
  expect(gate.strategy.matrix.os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
  expect(gate["runs-on"]).toBe("${{ matrix.os }}");
  expect(steps.find(({ uses }) => uses?.startsWith("actions/setup-node@"))?.with).toEqual({ "node-version": 20 });
  expect(workflow.permissions).toEqual({ contents: "read" });
});

test("CI runs the README's two commands and the gate, and no script that is not there", () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  const called = commands.flatMap((run) => /^npm (?:run )?([\w:]+)/.exec(run)?.[1] ?? []);
  expect(called).toEqual(["start", "test", "ok"]);
  expect(called.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
});

test("CI names every action by a major version at least, and gives no step what others wrote", () => {
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((name) => !/^[\w-]+\/[\w-]+@(?:v\d+|[0-9a-f]{40})$/.test(name))).toEqual([]);
  for (const { run = "" } of steps) expect(run).not.toContain("${{");
});
