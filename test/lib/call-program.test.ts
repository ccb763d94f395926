import { describe, expect, test } from "bun:test";
import { callProgram, type ProgramCall } from "../../src/lib/process.ts";
import { findMarked } from "../../src/lib/process.ts";
import { realWorld } from "../support/real-world.ts";

const MARK = { name: "CALL_PROGRAM_TEST", value: String(process.pid) };

function call(script: string, limits: Partial<ProgramCall> = {}) {
  return callProgram(realWorld(), {
    program: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: { [MARK.name]: MARK.value },
    timeoutMs: 20_000,
    maxOutputBytes: 1024,
    ...limits,
  });
}

describe("callProgram()", () => {
  test("waits for an answer, and closes standard input", () => {
    expect(call("cat; echo said; exit 3")).toEqual({ kind: "ended", exitCode: 3, stdout: "said\n", stderr: "" });
  });

  test.each([
    ["is out of time", "(sleep 300; echo) & sleep 300", { timeoutMs: 100 }, "it did not end within 100 ms"],
    ["says too much", "(sleep 300; echo) & yes", { maxOutputBytes: 1000 }, "it printed more than 1000 bytes"],
  ])("ends a program that %s, and what it has started", (_, script, limits, reason) => {
    expect(call(script, limits)).toMatchObject({ kind: "failed", reason });
    // Killed at once, but buried by another process a moment later.
    const isGone = () => findMarked(MARK.name, MARK.value).length === 0;
    const world = realWorld();
    for (let round = 0; round < 200 && !isGone(); round++) world.pause(10);
    expect(isGone()).toBe(true);
  });
});
