import { expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { testEnvironment } from "../../.tools/lib/test-run.mjs";
import { REPOSITORY } from "../support/run-codelia.ts";
import { TARGETS } from "./lib/play-target.ts";

setDefaultTimeout(300_000);

// The short form: of shapes those that a reader's own parts make. `npm run fuzz` goes on for 20 s with each target,
// `npm run reliability` for a million inputs.
const INPUTS = 150;

test(`${INPUTS} inputs for each reader break no promise`, () => {
  const args = [join(import.meta.dirname, "run.ts"), "--inputs", String(INPUTS), "--shapes", "0", "--seed", "1"];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: REPOSITORY,
    env: testEnvironment(process.env),
    encoding: "utf8",
  });
  const lines = stdout.trim().split("\n");
  expect([lines.filter((line) => !line.startsWith("ok ")), stderr, status]).toEqual([["seed 1"], "", 0]);
  expect(lines.length).toBe(TARGETS.length + 1);
});

test("each target has a corpus, and each corpus a target", () => {
  const corpora = readdirSync(join(import.meta.dirname, "corpus"));
  expect(corpora.toSorted()).toEqual([...TARGETS]);
});
