import { readSync } from "node:fs";
import { claimBranch } from "../../../src/agent/issue/claim.ts";
import type { AgentError } from "../../../src/agent/errors.ts";
import { realWorld } from "../../support/fake-world.ts";

// A process that claims a branch, says how it went, and lives until its standard input ends.

const [directory = "", instance = ""] = process.argv.slice(2);
const pause = (milliseconds: number) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};
const random = () => `${process.pid}x${Math.random().toString(36).slice(2)}`;

process.stdout.write(claim());
readSync(0, new Uint8Array(1));

function claim(): string {
  try {
    claimBranch({ ...realWorld(), pause, random }, directory, "feature/issue-7", instance);
    return "claimed";
  } catch (error) {
    return `refused: ${String((error as AgentError).details["instance"] ?? error)}`;
  }
}
