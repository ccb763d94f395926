import { existsSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { describe, expect, test } from "bun:test";
import {
  callProgram,
  findMarked,
  runProgram,
  sleep,
  type ProgramCall,
  type ProgramRun,
} from "../../src/lib/process.ts";
import { realWorld } from "../support/fake-world.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

let runs = 0;

function run(tree: TempTree, script: string, options: Partial<ProgramRun> & { readonly onText?: () => void } = {}) {
  const marker = { name: "RUN_PROGRAM_TEST", value: `${process.pid}-${++runs}` };
  let stdout = "";
  const end = runProgram(realWorld(), {
    program: "/bin/sh",
    args: ["-c", script],
    cwd: tree.root,
    env: { OWN: "of the run" },
    marker,
    stdin: "",
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onOutput: (bytes) => {
      stdout += new TextDecoder().decode(bytes);
      options.onText?.();
    },
    ...options,
  });
  return { end, stdout: () => stdout, left: () => findMarked(marker.name, marker.value) };
}

describe("runProgram()", () => {
  test("gives words and standard input as they are, no shell between, and the user's environment", async () => {
    using tree = tempTree();
    const { end, stdout } = run(tree, 'printf "%s|" "$1" "$OWN" "$HOME"; cat; echo warned >&2; exit 3', {
      args: ["-c", 'printf "%s|" "$1" "$OWN" "$HOME"; cat; echo warned >&2; exit 3', "sh", "a b; $(touch pwned)"],
      stdin: "asked\n",
    });
    expect(await end).toEqual({ kind: "ended", exitCode: 3, stderr: "warned\n" });
    expect(stdout()).toBe(`a b; $(touch pwned)|of the run|${process.env["HOME"]}|asked\n`);
    expect(existsSync(tree.path("pwned"))).toBe(false);
  });

  test("has time for as long as it is given, be it months", async () => {
    using tree = tempTree();
    const end = await run(tree, "sleep 0.1; exit 5", { timeoutMs: 2 ** 40 }).end;
    expect(end).toEqual({ kind: "ended", exitCode: 5, stderr: "" });
  });

  test("tells by which signal a program was ended, as a shell does", async () => {
    using tree = tempTree();
    expect(await run(tree, "kill -TERM $$").end).toEqual({ kind: "ended", exitCode: 143, stderr: "" });
  });

  test("says what can't be started", async () => {
    using tree = tempTree();
    const failed = (reason: string) => ({ kind: "failed", reason }) as const;
    expect(await run(tree, "", { program: "/nowhere/at/all" }).end).toEqual(failed("it can't be started (ENOENT)"));
    expect(await run(tree, "", { cwd: tree.path("gone") }).end).toEqual(failed("it can't be started (ENOENT)"));
    expect(await run(tree, "", { args: ["a\0b"] }).end).toMatchObject({ kind: "failed" });
  });

  test("ends on time with its group and what has left the group", async () => {
    using tree = tempTree();
    const { end, left } = run(tree, "setsid sleep 300 & (sleep 300 & wait) & echo up; wait", { timeoutMs: 300 });
    expect(await end).toEqual({ kind: "timed-out", stderr: "" });
    expect(left()).toEqual([]);
  });

  test("ends when it is told to, and waits until all is gone, also one that won't hear", async () => {
    using tree = tempTree();
    const controller = new AbortController();
    const { end, left } = run(tree, "trap '' TERM; echo up; while :; do sleep 0.05; done", {
      signal: controller.signal,
      onText: () => controller.abort(),
    });
    expect(await end).toEqual({ kind: "aborted", stderr: "" });
    expect(left()).toEqual([]);
  });

  test("gives a program that is ended the time to end well", async () => {
    using tree = tempTree();
    const controller = new AbortController();
    const script = "trap 'touch ended-well; exit 0' TERM; echo up; while :; do sleep 0.05; done";
    await run(tree, script, { signal: controller.signal, onText: () => controller.abort() }).end;
    expect(existsSync(tree.path("ended-well"))).toBe(true);
  });

  test("starts nothing for a run that was aborted before", async () => {
    using tree = tempTree();
    expect(await run(tree, "touch started", { signal: AbortSignal.abort() }).end).toEqual({
      kind: "aborted",
      stderr: "",
    });
    expect(existsSync(tree.path("started"))).toBe(false);
  });

  test("does not wait for what a program leaves behind, and leaves it alone", async () => {
    using tree = tempTree();
    const { end, stdout, left } = run(tree, "setsid sleep 300 & echo answer");
    expect(await Promise.race([end, after(15_000, "still waiting")])).toEqual({
      kind: "ended",
      exitCode: 0,
      stderr: "",
    });
    expect(stdout()).toBe("answer\n");
    expect(left()).toHaveLength(1);
    for (const pid of left()) process.kill(pid, "SIGKILL");
  });

  test("stops a program that has said enough", async () => {
    using tree = tempTree();
    let size = 0;
    const { end, left } = run(tree, "while :; do echo more; done", {
      onOutput: (bytes, stop) => {
        size += bytes.length;
        if (size > 100_000) stop();
      },
    });
    expect(await end).toEqual({ kind: "stopped", stderr: "" });
    expect(left()).toEqual([]);
  });

  test("keeps the end of a long standard error", async () => {
    using tree = tempTree();
    const script = "i=0; while [ $i -lt 20000 ]; do echo 'line of noise'; i=$((i+1)); done >&2; echo last >&2";
    const end = await run(tree, script).end;
    const stderr = end.kind === "ended" ? end.stderr : "";
    expect(stderr.length).toBe(64 * 1024);
    expect(stderr).toEndWith("line of noise\nlast\n");
  });
});

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

const HOUR_MS = 3_600_000;

test("sleep() ends when its time has come", async () => {
  const start = performance.now();
  await sleep(20, new AbortController().signal);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
});

test("sleep() takes months for months", async () => {
  const controller = new AbortController();
  let isOver = false;
  const slept = sleep(2 ** 40, controller.signal).then(() => (isOver = true));
  await sleep(20, new AbortController().signal);
  expect(isOver).toBe(false);
  controller.abort();
  await slept;
});

test("sleep() ends at once when it is told to, or was told before", async () => {
  const controller = new AbortController();
  const start = performance.now();
  const slept = sleep(HOUR_MS, controller.signal);
  controller.abort();
  await slept;
  await sleep(HOUR_MS, controller.signal);
  expect(performance.now() - start).toBeLessThan(HOUR_MS);
});
